"""Jobs: batches, one end, and windows that go away."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from bpe_studio.bpe.generators import result_of
from bpe_studio.gui.job import Job, call, once_ready, sentence_of


class Ends:
    """Notes what a job tells."""

    def __init__(self, job: Job) -> None:
        self.batches: list[list[object]] = []
        self.times: list[float] = []
        self.ends: list[tuple[str, object]] = []
        self.closed = 0
        job.yielded.connect(self._take)
        job.finished.connect(lambda value: self.ends.append(("finished", value)))
        job.cancelled.connect(lambda: self.ends.append(("cancelled", None)))
        job.failed.connect(lambda sentence: self.ends.append(("failed", sentence)))
        job.ended.connect(self._close)

    def _take(self, batch: list[object]) -> None:
        self.batches.append(batch)
        self.times.append(time.monotonic())

    def _close(self) -> None:
        self.closed += 1

    @property
    def items(self) -> list[object]:
        return [item for batch in self.batches for item in batch]


def counting(to: int, pause: float = 0.0) -> Iterator[int]:
    for number in range(to):
        if pause:
            time.sleep(pause)
        yield number


def test_everything_arrives_in_order_and_then_the_end(qtbot: QtBot) -> None:
    job = Job(counting(10_000))
    ends = Ends(job)
    qtbot.waitUntil(lambda: bool(ends.closed))
    assert ends.items == list(range(10_000))
    assert ends.ends == [("finished", 9_999)]
    assert ends.closed == 1 and not job.running


def test_batches_come_at_most_thirty_times_a_second(qtbot: QtBot) -> None:
    ends = Ends(job := Job(counting(400, pause=0.001)))
    qtbot.waitUntil(lambda: not job.running)
    gaps = [b - a for a, b in zip(ends.times, ends.times[1:], strict=False)]
    assert len(ends.items) == 400
    assert all(gap > 0.030 for gap in gaps[:-1])  # the last comes with the end


def test_a_return_value_is_what_finished_carries(qtbot: QtBot) -> None:
    ends = Ends(job := Job(call(pow, 2, 10)))
    qtbot.waitUntil(lambda: not job.running)
    assert ends.ends == [("finished", 1024)] and not ends.batches


def test_cancel_closes_the_generator_and_silences_it(qtbot: QtBot) -> None:
    closed = threading.Event()

    def endless() -> Iterator[int]:
        try:
            yield from counting(1_000_000, pause=0.001)
        finally:
            closed.set()

    job = Job(endless())
    ends = Ends(job)
    qtbot.waitUntil(lambda: bool(ends.batches))
    job.cancel()
    told = len(ends.batches)
    qtbot.waitUntil(lambda: bool(ends.closed))  # the generator would run for a quarter of an hour
    assert closed.is_set()
    assert ends.ends == [("cancelled", None)] and len(ends.batches) == told


def test_an_error_is_told_as_a_sentence(qtbot: QtBot) -> None:
    def failing() -> Iterator[int]:
        yield 1
        raise ValueError("The table is empty.")

    ends = Ends(job := Job(failing()))
    qtbot.waitUntil(lambda: not job.running)
    assert ends.items == [1] and ends.ends == [("failed", "The table is empty.")]
    assert isinstance(job.error, ValueError)


def test_wait_tells_the_end_itself(qtbot: QtBot) -> None:
    ends = Ends(job := Job(counting(3)))
    assert job.wait(2000)
    assert ends.items == [0, 1, 2] and ends.closed == 1
    assert job.wait(0) and ends.closed == 1


def test_wait_gives_up_in_time(qtbot: QtBot) -> None:
    go = threading.Event()
    job = Job(call(go.wait, 10))
    assert not job.wait(20)
    go.set()
    assert job.wait(2000)


@pytest.mark.parametrize("_", range(20))
def test_an_owner_may_be_destroyed_at_any_moment(qtbot: QtBot, _: int) -> None:
    closed = threading.Event()

    def endless() -> Iterator[int]:
        try:
            yield from counting(1_000_000, pause=0.0005)
        finally:
            closed.set()

    owner = QObject()
    Job(endless(), owner)
    qtbot.wait(_)
    owner.deleteLater()
    del owner
    qtbot.waitUntil(closed.is_set, timeout=2000)


def test_sentences() -> None:
    assert sentence_of(ValueError("So it is.")) == "So it is."
    assert sentence_of(FileNotFoundError(2, "No such file", "a.txt")) == "a.txt: No such file."
    assert sentence_of(KeyError("x")) == "KeyError: 'x'"
    assert sentence_of(MemoryError()) == "MemoryError"


def test_no_garbage_is_collected_on_a_worker_thread(qtbot: QtBot) -> None:
    threads = set()

    def note(phase: str, info: object) -> None:
        threads.add(threading.current_thread())

    gc.callbacks.append(note)
    try:
        job = Job(call(_make_garbage))
        with qtbot.waitSignal(job.ended, timeout=10_000):
            pass
        qtbot.wait(20)
    finally:
        gc.callbacks.remove(note)
    assert threads <= {threading.main_thread()}


def _make_garbage() -> None:
    for _ in range(200_000):
        knot: list[object] = []
        knot.append(knot)


class Owner(QObject):
    """Is told of a job's end by methods, which hold it no longer than others do."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[object, ...]] = []

    def take(self, *told: object) -> None:
        self.told.append(told)


def test_an_owner_is_told_with_what_it_gave_along(qtbot: QtBot) -> None:
    owner = Owner()
    jobs = [Job(call(int, text), owner) for text in ("7", "x")]
    for number, job in enumerate(jobs):
        job.then(owner.take, "then", number)
        job.otherwise(owner.take, "otherwise", number)
    qtbot.waitUntil(lambda: len(owner.told) == 2)
    assert sorted(owner.told, key=str) == sorted(
        [(7, "then", 0), (sentence_of(ValueError("invalid literal for int() with base 10: 'x'")),
          "otherwise", 1)], key=str,
    )  # fmt: skip


def test_a_job_does_not_keep_its_owner(qtbot: QtBot) -> None:
    """Deleting such a job would delete the owner, and with it the job a second time."""
    owner = Owner()
    job = Job(call(int, "7"))
    job.then(owner.take)
    gone = weakref.ref(owner)
    del owner
    gc.collect()
    assert gone() is None
    with qtbot.waitSignal(job.ended):
        pass


def test_steps_wait_until_they_may_begin(qtbot: QtBot) -> None:
    ready = threading.Event()
    ends = Ends(job := Job(once_ready(ready, counting(3), meanwhile="waiting")))
    qtbot.waitUntil(lambda: "waiting" in ends.items)
    assert job.running and 0 not in ends.items
    ready.set()
    qtbot.waitUntil(lambda: bool(ends.closed))
    assert [item for item in ends.items if item != "waiting"] == [0, 1, 2]
    assert result_of(once_ready(None, call(int, "7"))) == 7
