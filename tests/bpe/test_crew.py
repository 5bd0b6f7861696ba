from __future__ import annotations

import threading
import time

import pytest

from bpe_studio.bpe.crew import Crew, available_threads


def test_every_task_is_done_once() -> None:
    done: list[int] = []
    threads: set[int] = set()

    def task(number: int, thread: int) -> None:
        done.append(number)
        threads.add(thread)

    with Crew(3) as crew:
        for number in range(100):
            while not crew.offer(lambda thread, number=number: task(number, thread), 1):
                pass
        while not crew.idle(1):
            pass
        assert sorted(done) == list(range(100))
        assert threads <= {0, 1, 2}


def test_threads_start_as_tasks_come_and_end_with_the_context() -> None:
    before = threading.active_count()
    with Crew(3) as crew:
        assert threading.active_count() == before
        assert crew.idle(0)
        crew.offer(lambda _: None, 1)
        assert threading.active_count() == before + 1
    assert threading.active_count() == before
    assert crew.stopped


def test_a_full_queue_is_told() -> None:
    gate = threading.Event()
    with Crew(1) as crew:
        try:
            taken = [crew.offer(lambda _: gate.wait(), 0.01) for _ in range(5)]
            assert taken.count(False) >= 1
            assert not crew.idle(0.01)
        finally:
            gate.set()
        while not crew.idle(1):
            pass


def test_an_exception_is_raised_by_the_next_call() -> None:
    def fail(_: int) -> None:
        raise KeyError("x")

    with Crew(2) as crew:
        crew.offer(fail, 1)
        with pytest.raises(KeyError):
            while True:
                crew.idle(1)


def test_tasks_that_wait_are_dropped_at_the_end() -> None:
    done: list[int] = []
    with Crew(1) as crew:
        crew.offer(lambda _: time.sleep(0.05), 1)
        crew.offer(lambda _: done.append(1), 1)
    assert len(done) <= 1


def test_there_is_a_processor() -> None:
    assert available_threads() >= 1
