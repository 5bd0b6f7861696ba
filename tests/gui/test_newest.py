"""One question at a time; the newest wins."""

from __future__ import annotations

import threading
from collections.abc import Generator

from pytestqt.qtbot import QtBot

from bpe_studio.gui.job import Job
from bpe_studio.gui.models.newest import Newest


def held(gate: threading.Event, answer: int) -> Generator[None, None, int]:
    while not gate.wait(0.01):
        yield
    if answer < 0:
        raise ValueError(f"No answer to {answer}.")
    return answer


def test_only_the_newest_question_is_answered(qtbot: QtBot) -> None:
    told: list[tuple[object, object]] = []
    newest, gates = Newest(), [threading.Event() for _ in range(3)]
    newest.answered.connect(lambda *both: told.append(both))
    newest.failed.connect(lambda *both: told.append(both))
    for question, gate in enumerate(gates):
        newest.ask(question, held(gate, question * 10))
        assert newest.question == question
    for gate in gates:
        gate.set()
    qtbot.waitUntil(lambda: newest.question is None)
    assert told == [(2, 20)]
    newest.ask("bad", held(gates[0], -1))
    qtbot.waitUntil(lambda: newest.question is None)
    assert told[1:] == [("bad", "No answer to -1.")]


def test_nothing_is_told_of_what_is_forgotten(qtbot: QtBot) -> None:
    told: list[object] = []
    newest, gate = Newest(), threading.Event()
    newest.answered.connect(lambda *both: told.append(both))
    newest.ask("one", held(gate, 1))
    newest.forget()
    gate.set()
    newest.ask("two", held(gate, 2))
    qtbot.waitUntil(lambda: bool(told))
    assert told == [("two", 2)]


def test_it_begins_when_it_may(qtbot: QtBot) -> None:
    told: list[object] = []
    ready = threading.Event()
    newest = Newest(ready=ready)
    newest.answered.connect(lambda *both: told.append(both))
    newest.ask("one", held(ready, 1))
    qtbot.wait(80)
    assert not told
    ready.set()
    qtbot.waitUntil(lambda: told == [("one", 1)])


def test_what_somebody_else_cancels_is_not_begun_again(qtbot: QtBot) -> None:
    """A window that closes cancels all jobs; closed steps would be answered with None."""
    told: list[object] = []
    newest, gate = Newest(), threading.Event()
    newest.answered.connect(lambda *both: told.append(both))
    newest.ask("one", held(gate, 1))
    newest.findChild(Job).cancel()
    qtbot.waitUntil(lambda: newest.question is None)
    qtbot.wait(80)
    assert not told
    gate.set()
    newest.ask("two", held(gate, 2))
    qtbot.waitUntil(lambda: told == [("two", 2)])
