"""What a training's Job runs."""

from __future__ import annotations

import threading

from bpe_studio.bpe.trainer import MergeBatch
from bpe_studio.gui.state.training_run import Snapshot, TrainingRun, Waiting, joined
from tests.gui.fake_session import FakeSession


def ready() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


def result(run: TrainingRun) -> tuple[list[object], Snapshot | None]:
    events, steps = [], run.events()
    while True:
        try:
            events.append(next(steps))
        except StopIteration as stop:
            return events, stop.value


def test_counting_then_a_snapshot_then_merges() -> None:
    events, last = result(TrainingRun(FakeSession, ready(), None))
    kinds = [type(event).__name__ for event in events]
    assert kinds[:4] == ["CountProgress", "CountProgress", "CountProgress", "Snapshot"]
    assert set(kinds[4:]) == {"MergeBatch"}
    assert last is not None and last.session.done and len(last.tokenizer.table.merges) == 20


def test_what_is_held_out_is_measured_before_every_snapshot() -> None:
    session = FakeSession()
    session.measure = lambda: iter([None, None])  # type: ignore[method-assign]
    events, last = result(TrainingRun(lambda: session, ready(), None))
    kinds = [type(event).__name__ for event in events]
    assert kinds[3:6] == ["Measuring", "Measuring", "Snapshot"]
    assert kinds[-2:] == ["Measuring", "Measuring"] and last is not None


def test_stop_does_not_wait_for_what_is_measured_on_the_way() -> None:
    session = FakeSession()
    session.measure = lambda: iter([None] * 5)  # type: ignore[method-assign]
    run = TrainingRun(lambda: session, ready(), None)
    steps, kinds = run.events(), []
    for event in steps:
        kinds.append(type(event).__name__)
        if kinds.count("Measuring") == 2:
            run.stop.set()
    assert "Snapshot" not in kinds  # only the last one comes, as what is returned
    assert kinds.count("Measuring") == 2 + 5


def test_it_waits_for_the_kernels_and_can_be_stopped_meanwhile() -> None:
    run = TrainingRun(FakeSession, threading.Event(), None)
    steps = run.events()
    assert isinstance(next(steps), Waiting)
    run.stop.set()
    assert list(steps) == []


def test_stop_keeps_what_is_learned() -> None:
    run = TrainingRun(session := FakeSession(), ready(), None)
    for event in (steps := run.events()):
        if isinstance(event, MergeBatch):
            run.stop.set()
            break
    rest = list(steps)
    assert rest == [] and session.learned == 2 and not session.done


def test_stop_while_counting_gives_no_table() -> None:
    run = TrainingRun(FakeSession, ready(), None)
    run.stop.set()
    events, last = result(run)
    assert len(events) == 1 and last is None


def test_steps_go_on_in_the_same_session() -> None:
    session = FakeSession()
    for learned in (1, 2, 3):
        _, last = result(TrainingRun(session, ready(), 1))
        assert session.learned == learned
    assert last is not None and len(last.tokenizer.table.merges) == 3


def test_joined_batches_are_one() -> None:
    events, _ = result(TrainingRun(FakeSession(), ready(), None))
    batches = [event for event in events if isinstance(event, MergeBatch)]
    one = joined(batches)
    assert one.first_rank == 0 and len(one) == 20 and one.total == 20
    assert one.counts.tolist() == [n for batch in batches for n in batch.counts.tolist()]
    assert joined(batches[:1]) is batches[0]
