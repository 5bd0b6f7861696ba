"""Many texts on all cores: groups of them, in plain threads, with the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, TypeVar

from bpe_studio.bpe.crew import available_threads

__all__ = ["grouped", "in_order"]

# Of a group: a few milliseconds of work, and few enough texts that memory stays small.
_CHARACTERS: Final = 1 << 19
_TEXTS: Final = 1 << 12
_WAITING_A_THREAD: Final = 2
_T = TypeVar("_T")


def grouped(items: Iterable[_T], length: Callable[[_T], int]) -> Iterator[list[_T]]:
    """Neighbours together until they are enough work for one call."""
    group: list[_T] = []
    total = 0
    for item in items:
        group.append(item)
        total += length(item)
        if total >= _CHARACTERS or len(group) >= _TEXTS:
            yield group
            group, total = [], 0
    if group:
        yield group


def in_order(jobs: Iterable[Callable[[], _T]], threads: int | None = None) -> Iterator[_T]:
    """What the jobs return, in their order; a few of them run ahead on other threads.

    An error, of a job or of the iterable, is raised when all before it has been handed over.
    """
    size = available_threads() if threads is None else threads
    if size < 2:
        yield from (job() for job in jobs)
        return
    error: Exception | None = None
    waiting: deque[Future[_T]] = deque()
    source = iter(jobs)
    with ThreadPoolExecutor(size, thread_name_prefix="encode") as pool:
        try:
            while True:
                try:
                    job = next(source, None)
                except Exception as caught:
                    error, job = caught, None
                if job is None:
                    break
                waiting.append(pool.submit(job))
                if len(waiting) > _WAITING_A_THREAD * size:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
    if error is not None:
        raise error
