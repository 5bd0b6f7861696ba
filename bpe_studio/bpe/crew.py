"""A few threads that work off a short queue of tasks, for kernels that need no interpreter."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Final

__all__ = ["Crew", "Task", "available_threads"]

Task = Callable[[int], None]
"""Called with the number of the thread that it runs on. A long one looks at `Crew.stopped`."""

_TASKS_A_THREAD: Final = 2  # that wait


def available_threads() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Crew:
    """At most `size` threads, started as tasks come; as a context, they are gone at its end.

    A thread that has nothing to do sleeps, so whoever gives the tasks may pause for ever. An
    exception in a task is raised again by the next call of `offer` or `idle`.

    Attributes
    ----------
    size : int
    stopped : bool
        Whether nobody wants the results any more.
    """

    def __init__(self, size: int) -> None:
        self.stopped = False
        self.size = size
        self._tasks: deque[Task] = deque()
        self._running = 0
        self._error: BaseException | None = None
        self._changed = threading.Condition()
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._changed:
            self.stopped = True
            self._tasks.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def offer(self, task: Task, seconds: float) -> bool:
        """Hands out a task; False where the queue has been full for so long."""
        with self._changed:
            self._wait(lambda: len(self._tasks) < _TASKS_A_THREAD * self.size, seconds)
            if len(self._tasks) >= _TASKS_A_THREAD * self.size:
                return False
            self._tasks.append(task)
            self._changed.notify_all()
            if len(self._tasks) + self._running > len(self._threads) < self.size:
                self._start()
            return True

    def idle(self, seconds: float) -> bool:
        """Whether all tasks are done; waits for it for so long."""
        with self._changed:
            self._wait(lambda: not self._tasks and not self._running, seconds)
            return not self._tasks and not self._running

    def _wait(self, ready: Callable[[], bool], seconds: float) -> None:
        self._changed.wait_for(lambda: self._error is not None or ready(), seconds)
        if self._error is not None:
            raise self._error

    def _start(self) -> None:
        number = len(self._threads)
        # Daemons: a generator that nobody ends must not keep the program from ending.
        thread = threading.Thread(target=self._work, args=(number,), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self, number: int) -> None:
        while (task := self._next()) is not None:
            try:
                task(number)
            except BaseException as error:
                self._error = error
                task = None
            finally:
                with self._changed:
                    self._running -= 1
                    self._changed.notify_all()

    def _next(self) -> Task | None:
        with self._changed:
            self._changed.wait_for(lambda: self._tasks or self.stopped)
            if self.stopped:
                return None
            self._running += 1
            self._changed.notify_all()
            return self._tasks.popleft()
