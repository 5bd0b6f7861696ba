"""What a new training could leave out, from reports made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.corpus_use import CorpusUse, SpelledSpecial
from bpe_studio.analysis.flags import flag
from bpe_studio.analysis.health import HealthReport
from bpe_studio.analysis.looks import Partial
from bpe_studio.analysis.polluting import polluting_documents
from bpe_studio.analysis.retraining import (
    Suggestion,
    crosses_characters,
    recorded_settings,
    stricter,
    suggest,
)
from bpe_studio.analysis.training_corpus import is_training_corpus
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord
from bpe_studio.settings import Settings, settings_for
from tests.analysis.tables import make_pair
from tests.analysis.uses import use_of

AB, ABA, CD = 256, 257, 258
MERGES = [(97, 98, AB), (AB, 97, ABA), (99, 100, CD)]
MANY = {f"{n:02}.txt": [{97: 50}] for n in range(20)}


def table(files: dict[str, int] | None, **settings: Any) -> Tokenizer:
    """A table that was trained on files of these sizes, or that nobody knows the training of."""
    tokenizer = make_pair(MERGES).tokenizer
    if files is None:
        return tokenizer
    record = TrainingRecord(
        counts=np.ones(3, np.int64),
        applied=np.ones(3, np.int64),
        settings=Settings(vocab_size=300, **settings).as_written(),
        corpus={"files": [{"path": name, "size": size} for name, size in files.items()]},
    )
    return replace(tokenizer, training=record)


def report(use: CorpusUse | None, *flags: tuple[int, str]) -> HealthReport:
    made = tuple(flag(token, kind, "So.") for token, kind in flags)
    return HealthReport(made, {}, 259, Partial(), trained_here=True, use=use)


def polluted(**more: Any) -> tuple[Tokenizer, HealthReport]:
    """Twenty files of 50 bytes, one of 60 that is all ABA, and one of 40 with a little CD."""
    files = {**MANY, "bad.txt": [{ABA: 20}], "odd.txt": [{CD: 1, 97: 38}]}
    tokenizer = table({**dict.fromkeys(MANY, 50), "bad.txt": 60, "odd.txt": 40}, **more)
    use = use_of(tokenizer, files)
    return tokenizer, report(use, (CD, "concentrated"), (ABA, "concentrated"))


def test_documents_are_listed_with_what_they_hold() -> None:
    tokenizer, found = polluted()
    bad, odd = polluting_documents(found, tokenizer)
    assert (bad.name, bad.tokens, bad.uses, bad.taken) == ("bad.txt", (ABA,), 20, 1.0)
    assert bad.share == pytest.approx(60 / 1100)
    assert (odd.name, odd.tokens, odd.uses, odd.taken) == ("odd.txt", (CD,), 1, 2 / 40)


def test_what_is_polluted_is_left_out_and_the_rest_needs_documents() -> None:
    tokenizer, found = polluted()
    suggestion = suggest(found, tokenizer)
    assert suggestion.rules == {"without": ("bad.txt",), "min_documents": 2}
    assert suggestion.sentences == (
        "Leave out 1 document: 1 concentrated token has most of its uses there, 20 in all.",
        "Only pairs of at least 2 documents: 1 other concentrated token is in one document only.",
    )
    assert suggestion.lonely == 2 and len(suggestion.documents) == 2


def test_a_row_is_named_by_its_number() -> None:
    tokenizer = table({"a.jsonl": 2000})
    use = use_of(tokenizer, {"a.jsonl": [*[{97: 50}] * 30, {ABA: 20}, *[{97: 50}] * 9]})
    suggestion = suggest(report(use, (ABA, "concentrated")), tokenizer)
    assert suggestion.without == ("a.jsonl:31",) and suggestion.min_documents == 1
    assert suggestion.documents[0].share == pytest.approx(50 / 2010)  # the mean of its rows


def test_no_large_part_of_a_corpus_is_left_out() -> None:
    tokenizer = table({**dict.fromkeys(MANY, 50), "bad.txt": 600})
    use = use_of(tokenizer, {**MANY, "bad.txt": [{ABA: 200}]})
    suggestion = suggest(report(use, (ABA, "concentrated")), tokenizer)
    assert suggestion.rules == {"min_documents": 2}
    assert [document.name for document in suggestion.documents] == ["bad.txt"]


def test_a_corpus_of_one_document_says_nothing() -> None:
    tokenizer = table({"all.txt": 60})
    use = use_of(tokenizer, {"all.txt": [{ABA: 20}]})
    suggestion = suggest(report(use, (ABA, "concentrated")), tokenizer)
    assert not suggestion.rules and not suggestion.sentences


@pytest.mark.parametrize("files", [None, {"other.txt": 9}])
def test_files_that_it_was_not_trained_on_are_not_left_out(files: dict[str, int] | None) -> None:
    tokenizer = table(files)
    use = use_of(tokenizer, {**MANY, "bad.txt": [{ABA: 20}]})
    assert not suggest(report(use, (ABA, "concentrated")), tokenizer).without


def test_halves_and_long_tokens_need_no_corpus() -> None:
    extra = {
        300: "aé".encode()[:2],
        301: "日".encode()[:2],
        302: "日".encode()[1:],
        303: b"x",
    }
    tokenizer = make_pair(MERGES, extra=extra).tokenizer
    found = report(
        None, *((token, "partial-utf8") for token in (300, 301, 302)), (303, "over-long")
    )
    suggestion = suggest(found, tokenizer)
    assert suggestion.rules == {"whole_characters": True, "max_token_bytes": 32}
    assert suggestion.sentences == (
        "Only whole characters: 2 tokens hold half a character beside others.",
        "No token of over 32 bytes: 1 token is longer.",
    )
    assert suggest(report(None, (301, "partial-utf8")), tokenizer).rules == {}


def test_spelled_specials_name_their_files() -> None:
    tokenizer = table(dict.fromkeys(MANY, 50))
    spelled = SpelledSpecial("<|im_start|>", None, 5, 2, (("03.txt", 4), ("01.txt", 1)))
    use = use_of(tokenizer, {**MANY, "bad.txt": [{ABA: 20}]}, specials=(spelled,))
    found = polluting_documents(report(use, (ABA, "concentrated")), tokenizer)
    assert [(document.name, document.specials) for document in found] == [
        ("bad.txt", ()),
        ("03.txt", (("<|im_start|>", 4),)),
        ("01.txt", (("<|im_start|>", 1),)),
    ]
    assert not suggest(report(use), tokenizer).without  # a choice, not a suggestion


def test_a_healthy_table_needs_nothing() -> None:
    assert suggest(report(None), table({})) == Suggestion()


CHARACTERS = st.text(st.sampled_from("aé日🙂"), min_size=1, max_size=3)


@given(CHARACTERS, st.integers(0, 12), st.integers(1, 12))
def test_crossing_is_what_whole_characters_forbids(text: str, start: int, length: int) -> None:
    data = text.encode()[start : start + length]
    try:
        data.decode()
        allowed = True
    except UnicodeDecodeError:
        allowed = any(char.encode().startswith(data) for char in text)
    assert crosses_characters(data) == (not allowed)


def test_the_settings_of_a_record_make_the_same_settings() -> None:
    given = Settings(
        vocab_size=259,
        min_freq=7,
        pattern="gpt2",
        ties="smallest-ids",
        byte_order="gpt2",
        specials=(),
        hold_out=0.25,
        whole_characters=True,
        max_token_bytes=9,
        min_documents=3,
        without=("a.txt",),
    )
    pair = make_pair(MERGES, pattern="gpt2").tokenizer
    record = TrainingRecord(np.ones(3, np.int64), np.ones(3, np.int64), given.as_written())
    assert settings_for(**recorded_settings(replace(pair, training=record))) == given


def test_of_a_table_without_a_record_the_settings_are_what_it_shows() -> None:
    pair = make_pair(MERGES, pattern=r"[\s\S]+", specials={"<a>": 900})
    assert recorded_settings(pair.tokenizer) == {
        "vocab_size": 260,
        "pattern": r"[\s\S]+",
        "base": "bytes",
        "specials": ("<a>",),
    }


def test_rules_together_are_the_stricter_of_both() -> None:
    one = {"min_documents": 2, "max_token_bytes": 16, "whole_characters": True, "min_freq": 2}
    two = {"min_documents": 3, "max_token_bytes": 32, "without": ("a",)}
    expected = {**one, "min_documents": 3, "without": ("a",)}
    assert stricter(one, two) == expected
    assert stricter({**two, "min_freq": 2}, {**one, "without": ("b", "a")}) == {
        **expected,
        "without": ("a", "b"),
    }
    assert stricter({}, {"max_token_bytes": 8}) == {"max_token_bytes": 8}


def test_what_is_left_out_already_is_not_suggested_again() -> None:
    tokenizer, found = polluted(without=("bad.txt", "odd.txt"))
    suggestion = suggest(found, tokenizer)
    assert suggestion.rules == {} and suggestion.already == ("bad.txt", "odd.txt")
    assert suggestion.sentences == (
        "bad.txt and 1 more are left out already: 2 concentrated tokens have most of their uses "
        "there, which it never saw.",
    )
    tokenizer, found = polluted(without=("bad.txt",), min_documents=2)
    suggestion = suggest(found, tokenizer)
    assert suggestion.rules == {} and suggestion.sentences == (
        "bad.txt is left out already: 1 concentrated token has most of its uses there, which it "
        "never saw.",
    )


@pytest.mark.parametrize(("longest", "again"), [(16, False), (32, False), (33, True)])
def test_rules_of_the_table_are_not_suggested_again(longest: int, again: bool) -> None:
    trained = table({}, whole_characters=True, max_token_bytes=longest).training
    extra = {300: "aé".encode()[:2], 303: b"x"}
    tokenizer = replace(make_pair(MERGES, extra=extra).tokenizer, training=trained)
    found = report(None, (300, "partial-utf8"), (303, "over-long"))
    assert suggest(found, tokenizer).rules == ({"max_token_bytes": 32} if again else {})


def test_the_corpus_of_a_training() -> None:
    record = table({"a.txt": 5, "b.txt": 7}, without=("bad.txt",)).training
    assert record is not None
    record = replace(record, corpus={**record.corpus, "fingerprint": "f"})
    sizes = {"a.txt": 5, "b.txt": 7, "bad.txt": 9}

    def its(fingerprint: str, **sizes: int) -> bool:
        return is_training_corpus(record, fingerprint, read=[*sizes], sizes=sizes)

    assert its("f") and its("g", **sizes)
    assert not its("g", **{**sizes, "b.txt": 8}) and not its("g", **{**sizes, "new.txt": 1})
    assert not its("g", **{"a.txt": 5}) and not is_training_corpus(record, "g", read=sizes)
