"""Settings that decide what a training reads and what it may merge: from the call to the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bpe_studio as bs
from bpe_studio.analysis.earned import iter_earned
from bpe_studio.api import Settings, TrainingSession, settings_for
from bpe_studio.bpe.corpus import find_files
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.studio import data_of
from tests.bpe.test_trainer import trained
from tests.test_session import LINES, record_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for n, text in enumerate(LINES):
        (folder / f"{n:02}.txt").write_text(text, encoding="utf-8")
    (folder / "bad.txt").write_text(" SolidGoldMagikarp" * 500)
    rows = [{"text": LINES[0]}, {"text": " petertodd" * 500}, {"text": LINES[1]}]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def tokens_of(table: Tokenizer) -> bytes:
    return b" ".join(table.token_bytes(new) for _, _, new in table.merges)


def test_what_is_left_out_earns_no_token(folder: Path, tmp_path: Path) -> None:
    names = ["rows.jsonl:2", "bad.txt"]
    polluted = bs.train(folder, vocab_size=400)
    clean = bs.train(folder, vocab_size=400, without=names)
    for word in (b"Magikarp", b"petertodd"):
        assert word in tokens_of(polluted) and word not in tokens_of(clean)
    record = record_of(clean)
    assert record.settings["without"] == sorted(names)
    assert "bad.txt" not in [file["path"] for file in record.corpus["files"]]
    assert record.totals["documents"] == record_of(polluted).totals["documents"] - 2
    # The same as if they had never been there.
    (folder / "bad.txt").unlink()
    (folder / "rows.jsonl").write_text("".join(json.dumps({"text": t}) + "\n" for t in LINES[:2]))
    assert bs.train(folder, vocab_size=400).merges == clean.merges


def test_holds_out_of_the_rest(folder: Path) -> None:
    both = bs.train(folder, vocab_size=320, hold_out=0.2, without="bad.txt")
    (folder / "bad.txt").unlink()
    alone = bs.train(folder, vocab_size=320, hold_out=0.2)
    assert both.merges == alone.merges
    assert record_of(both).held_out_totals == record_of(alone).held_out_totals


def test_nothing_is_left() -> None:
    with pytest.raises(ValueError, match="without leaves nothing to learn from"):
        trained(["low low", ""], without=("text 1",))
    with pytest.raises(ValueError, match="without 'text 3' names no text; they are 'text 1', "):
        trained(["low low", "low"], without=("text 3",))
    with pytest.raises(ValueError, match=r"without 'bad\.tx' names no file of the corpus\."):
        bs.train([], without="bad.tx")


def test_a_continued_training_leaves_out_the_same(folder: Path) -> None:
    start = bs.train(folder, vocab_size=300, without="bad.txt")
    whole = bs.train(folder, vocab_size=330, without="bad.txt")
    again = bs.train(folder, vocab_size=330, start=start)
    assert again.merges == whole.merges
    assert record_of(again).settings["without"] == ["bad.txt"]
    # Another corpus need not have the file; another name must be there.
    (folder / "bad.txt").unlink()
    assert bs.train(folder, vocab_size=330, start=start).merges == whole.merges
    with pytest.raises(ValueError, match=r"without 'worse\.txt' names no file"):
        bs.train(folder, vocab_size=330, start=start, without="worse.txt")
    assert settings_for(start, without=()).without == ()


def test_a_continued_training_adds_to_what_was_left_out(folder: Path) -> None:
    start = bs.train(folder, vocab_size=300, without="bad.txt")
    again = bs.train(folder, vocab_size=330, start=start, without=["rows.jsonl:1"])
    assert record_of(again).settings["without"] == ["bad.txt", "rows.jsonl:1"]
    assert (
        again.merges
        == bs.train(folder, vocab_size=330, start=start, without=["rows.jsonl:1", "bad.txt"]).merges
    )
    # The file that is left out need not be there; another one must.
    (folder / "bad.txt").unlink()
    bs.train(folder, vocab_size=330, start=start, without="rows.jsonl:1")
    assert settings_for(start, without="bad.txt").without == ("bad.txt",)


def test_what_earned_a_token_is_asked_of_what_was_read(folder: Path) -> None:
    table = bs.train(folder, vocab_size=300, without=["bad.txt", "rows.jsonl:1"])
    found = result_of(iter_earned(table, table.merges[0][2], find_files([folder])))
    assert found.earned_in_training is True
    assert found.earned_applied == record_of(table).applied[0]


def test_nothing_is_written_that_is_not_set() -> None:
    plain = trained(LINES, vocab_size=300)
    named = trained(
        LINES, vocab_size=300, whole_characters=False, max_token_bytes=None, min_documents=1
    )
    assert data_of(named) == data_of(plain)
    assert b'"format_version": 1' in data_of(plain)
    ruled = trained(LINES, vocab_size=300, without=("text 2", "text 1", "text 2"))
    assert b'"format_version": 3' in data_of(ruled)
    assert b'"without": ["text 1", "text 2"]' in data_of(ruled)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"whole_characters": 1}, "whole_characters is True or False, not 1."),
        ({"max_token_bytes": 1}, "max_token_bytes is 2 to 2,147,483,647, not 1."),
        ({"max_token_bytes": True}, "max_token_bytes is a whole number, not True."),
        ({"max_token_bytes": "16"}, "max_token_bytes is a whole number, not '16'."),
        ({"min_documents": 0}, "min_documents is 1 to 2,147,483,647, not 0."),
        ({"min_documents": 2.0}, "min_documents is a whole number, not 2.0."),
        ({"min_documents": None}, "min_documents is a whole number, not None."),
        ({"without": ("",)}, "without names files of the corpus, such as 'a.txt' or "),
        ({"without": ("a\udcff",)}, "without names files of the corpus, such as "),
        ({"without": (1,)}, "without names files of the corpus, such as "),
    ],
)
def test_what_is_no_rule(settings: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError) as caught:
        Settings(**settings)  # type: ignore[arg-type]
    assert str(caught.value).startswith(told)


def test_names_come_alone_or_in_a_list() -> None:
    assert settings_for(without="a.txt").without == ("a.txt",)
    assert settings_for(without=["a.txt", "b.txt"]).without == ("a.txt", "b.txt")


def test_a_session_refuses_a_name_before_it_reads(folder: Path) -> None:
    with pytest.raises(ValueError, match=r"near is 'bad\.txt'"):
        TrainingSession([folder], Settings(without=("bad.tx",)))
