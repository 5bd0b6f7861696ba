"""The newest request wins, whatever ends first."""

from __future__ import annotations

from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.gui.models import stepwise
from bpe_studio.gui.models.layout_worker import LayoutWorker
from tests.gui.small_tables import small_tokenizer


def test_only_the_last_request_is_answered(qtbot: QtBot) -> None:
    worker = LayoutWorker()
    answers = []
    worker.ready.connect(answers.append)
    tokenizer = small_tokenizer()
    for text in ("low", "lower", "lowest"):
        worker.request(tokenizer, text)
        qtbot.wait(12)
    qtbot.waitUntil(lambda: not worker.busy, timeout=60_000)
    assert answers[-1].text == "lowest"
    assert worker.answered is tokenizer


def test_what_cannot_be_encoded_is_told(qtbot: QtBot) -> None:
    worker = LayoutWorker()
    with qtbot.waitSignal(worker.failed, timeout=60_000) as failed:
        worker.request(small_tokenizer(), "a\ud800")
    assert "surrogate" in failed.args[0] or "surrogates" in failed.args[0]


def test_a_forgotten_request_stays_silent(qtbot: QtBot) -> None:
    worker = LayoutWorker()
    answers = []
    worker.ready.connect(answers.append)
    worker.request(small_tokenizer(), "low")
    worker.forget()
    qtbot.wait(100)
    assert not answers
    assert not worker.busy


def test_an_older_answer_is_given_while_a_table_learns(qtbot: QtBot) -> None:
    """A long text would otherwise stay without colours for as long as the table grows."""
    worker, source = LayoutWorker(), object()
    older, newer = small_tokenizer(merges=5), small_tokenizer()
    answered = []
    worker.ready.connect(lambda _: answered.append(worker.answered))
    worker.request(older, "low lowest", source=source)
    qtbot.waitUntil(lambda: worker._job is not None)
    worker.request(newer, "low lowest", source=source)
    qtbot.waitUntil(lambda: not worker.busy, timeout=60_000)
    assert answered == [older, newer]


def test_the_answer_of_another_table_is_dropped(qtbot: QtBot) -> None:
    worker = LayoutWorker()
    one, other = small_tokenizer(merges=5), small_tokenizer()
    answered = []
    worker.ready.connect(lambda _: answered.append(worker.answered))
    worker.request(one, "low lowest", source=object())
    qtbot.waitUntil(lambda: worker._job is not None)
    worker.request(other, "low lowest", source=object())
    qtbot.waitUntil(lambda: not worker.busy, timeout=60_000)
    assert answered == [other]


def test_after_an_edit_only_what_it_touched_is_encoded(qtbot: QtBot, monkeypatch) -> None:
    tokenizer, worker = small_tokenizer(), LayoutWorker()
    text = "low lowest newer " * 500
    with qtbot.waitSignal(worker.ready):
        worker.request(tokenizer, text)
    seen, whole = [], Tokenizer.encode_with_offsets
    monkeypatch.setattr(
        Tokenizer,
        "encode_with_offsets",
        lambda self, part: (seen.append(len(part)), whole(self, part))[1],
    )
    edited = text[:4000] + "the" + text[4000:]
    with qtbot.waitSignal(worker.ready) as ready:
        worker.request(tokenizer, edited)
    assert max(seen) < 40
    assert ready.args[0].ids.tolist() == tokenizer.encode(edited)


class Slow:
    """Cuts nothing before it may."""

    kind, library = "Unigram", "slow"

    def __init__(self) -> None:
        self.may, self.at_work, self.most = Event(), 0, 0

    def encode(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        self.at_work += 1
        self.most = max(self.most, self.at_work)
        assert self.may.wait(60)
        self.at_work -= 1
        return np.array([97], np.int32), np.array([[0, len(text)]], np.int64)


def test_a_library_that_cannot_stop_holds_up_nobody(qtbot: QtBot) -> None:
    worker, slow = LayoutWorker(), Slow()
    outside = replace(small_tokenizer(), training=None, outside=slow)
    answers: list[str] = []
    worker.ready.connect(lambda layout: answers.append(layout.text))
    worker.request(outside, "a long text")
    qtbot.waitUntil(lambda: slow.at_work == 1)
    worker.request(small_tokenizer(), "low")
    qtbot.waitUntil(lambda: answers == ["low"], timeout=60_000)
    assert slow.at_work == 1 and not worker.busy
    for text in ("one", "two", "three"):
        worker.request(outside, text)
        qtbot.wait(30)
    assert slow.at_work == 2, "one runs out, one works"
    slow.may.set()
    qtbot.waitUntil(lambda: answers == ["low", "three"], timeout=60_000)
    assert slow.most == 2


def test_a_text_is_too_long_for_a_library(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stepwise, "MOST_OUTSIDE", 3)
    worker = LayoutWorker()
    outside = replace(small_tokenizer(), training=None, outside=Slow())
    with qtbot.waitSignal(worker.failed, timeout=60_000) as failed:
        worker.request(outside, "a long text")
    assert failed.args[0] == (
        "slow cuts a text all at once and cannot be stopped, so here it gets at most 3 "
        "characters, not 11."
    )
