"""The newest request wins, whatever ends first."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from bpe_studio.bpe.tokenizer import Tokenizer
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
