"""What Continue would do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bpe_studio.api import Settings, TrainingSession
from bpe_studio.bpe.corpus import Corpus, find_files
from bpe_studio.gui.state.offer import continued_stem, followed, offer, short_size
from bpe_studio.gui.state.open_tables import OpenTable
from tests.gui.fake_session import FakeSession
from tests.gui.small_tables import SPECIALS, small_tokenizer

SMALL = small_tokenizer()
ASKED = {"vocab_size": 1000, "min_freq": 2}


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    (tmp_path / "a.txt").write_text("low low lower lowest " * 9)
    return find_files([tmp_path])


def table(**more: Any) -> OpenTable:
    return OpenTable(tokenizer=SMALL, name="mytok", **more)


def test_without_a_table_or_a_corpus_it_says_what_is_missing(corpus: Corpus) -> None:
    assert "open or train" in offer(None, corpus, ASKED).sentence
    found = offer(table(), None, ASKED)
    assert not found.kind and "add files" in found.sentence


def test_a_table_can_become_a_larger_one(corpus: Corpus) -> None:
    found = offer(table(), corpus, ASKED)
    assert found.kind == "table" and found.settings == {**ASKED, "start": SMALL}
    for words in ("mytok", "1,000", "as a new table", "classic"):
        assert words in found.sentence
    session = TrainingSession(corpus, Settings(**found.settings | {"specials": SPECIALS}))
    assert session.settings.start is SMALL


@pytest.mark.parametrize("size", [0, SMALL.vocab_size])
def test_a_size_that_is_not_larger_is_refused(corpus: Corpus, size: int) -> None:
    found = offer(table(), corpus, {**ASKED, "vocab_size": size})
    assert not found.kind and f"more than its {SMALL.vocab_size} tokens" in found.sentence


def test_a_stopped_training_goes_on_as_it_was(corpus: Corpus) -> None:
    session = FakeSession(corpus=corpus, settings=Settings(vocab_size=1000))
    stopped = table(session=session)
    assert offer(stopped, corpus, ASKED).kind == "session"
    assert offer(stopped, None, ASKED).kind == "session"
    assert offer(stopped, corpus, {**ASKED, "vocab_size": 2000}).kind == "table"
    assert offer(stopped, corpus, {**ASKED, "min_freq": 5}).kind == "table"
    assert offer(stopped, replace(corpus, files=corpus.files[:1] * 2), ASKED).kind == "table"


def test_a_corpus_that_has_no_pair_left_is_told(corpus: Corpus) -> None:
    session = FakeSession(corpus=corpus, settings=Settings(vocab_size=1000), stop_reason="min_freq")
    ended = table(session=session)
    found = offer(ended, corpus, ASKED)
    assert not found.kind and "no pair" in found.sentence
    assert offer(ended, corpus, {**ASKED, "min_freq": 1}).kind == "table"


def test_what_follows_the_table() -> None:
    assert followed(SMALL) == {
        "pattern": "classic",
        "base": "bytes",
        "ties": "first-seen",
        "byte_order": "value",
        "specials": list(SPECIALS),
        "hold_out": 0.0,
        "whole_characters": False,
        "max_token_bytes": None,
        "min_documents": 1,
    }
    own = replace(SMALL, pattern=replace(SMALL.pattern, name="custom"))
    assert followed(own)["pattern"] == SMALL.pattern.expression


def test_names() -> None:
    assert continued_stem("mytok") == continued_stem("mytok → 16k") == "mytok → "
    assert short_size(300) == "300" and short_size(0) == "0"
