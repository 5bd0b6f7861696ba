"""What merges took in training, against a plain replay of the training."""

from __future__ import annotations

from collections import Counter

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.flags import Thresholds
from bpe_studio.analysis.health import check_all
from bpe_studio.analysis.training_scaffold import intermediate_flags, taken_parts
from bpe_studio.api import TrainingSession, settings_for
from bpe_studio.bpe.tokenizer import Tokenizer
from tests import oracle_analysis as oracle
from tests import texts
from tests.analysis.corpus_uses import plain_table
from tests.analysis.tables import make_pair
from tests.bpe.test_trainer import trained


def plain_pieces(tokenizer: Tokenizer, documents: list[str]) -> dict[bytes, int]:
    found = (m.group() for d in documents for m in regex.finditer(tokenizer.pattern.expression, d))
    return dict(Counter(piece.encode() for piece in found))


def assert_equals_a_replay(tokenizer: Tokenizer, documents: list[str]) -> None:
    parts = taken_parts(tokenizer)
    assert parts is not None
    plain = plain_table(tokenizer)
    replay = [
        row
        for row in oracle.parts_taken(plain, plain_pieces(tokenizer, documents))
        if row[1] not in plain.base
    ]
    ids = tokenizer.table.ids[parts.tokens].tolist()
    rows = [parts.ranks.tolist(), ids, parts.pairs.tolist(), parts.before.tolist()]
    assert sorted(zip(*rows, strict=True)) == replay
    limit = Thresholds().intermediate_share
    flagged = {part for _, part, pairs, before in replay if before and pairs / before > limit}
    assert {flag.id for flag in intermediate_flags(tokenizer, Thresholds())} == flagged


@given(
    documents=texts.documents,
    base=st.sampled_from(["bytes", "chars"]),
    ties=st.sampled_from(["first-seen", "smallest-ids"]),
)
def test_equals_a_plain_replay(documents: list[str], base: str, ties: str) -> None:
    if not any(documents):
        return
    tokenizer = trained(documents, vocab_size=420, base=base, ties=ties, min_freq=1)
    assert_equals_a_replay(tokenizer, documents)


@given(first=texts.documents, documents=texts.documents)
def test_equals_a_plain_replay_of_a_continued_training(
    first: list[str], documents: list[str]
) -> None:
    if not any(first) or not any(documents):
        return
    begun = trained(first, vocab_size=290)
    longer = TrainingSession.of_texts(documents, settings_for(begun, vocab_size=330, min_freq=1))
    list(longer.run())
    assert_equals_a_replay(longer.tokenizer(), documents)


def test_a_planted_step_is_named_with_its_merge() -> None:
    # “qj” is found often, and nearly always goes on to “qjx”.
    tokenizer = trained(["qjx\n" * 40 + "qj\n" * 2], vocab_size=300)
    (named,) = [f for f in check_all(tokenizer).of_kind("intermediate") if f.id == 262]
    assert tokenizer.token_bytes(262) == b"qj"
    assert named.severity == "info"
    assert named.evidence == (
        "In training it was there 42 times when the merge of rank 1 (“qj” + “x”) found 40 pairs "
        "with it (IoS = 0.952)."
    )
    strict = Thresholds(intermediate_share=0.96)
    assert 262 not in {flag.id for flag in intermediate_flags(tokenizer, strict)}


@pytest.mark.parametrize("letters", [2, 3, 4, 5])
def test_pairs_that_overlap(letters: int) -> None:
    # Of “aa” in a row every one but the last begins a pair, though fewer are joined.
    tokenizer = trained(["aa" * letters + "a"], vocab_size=258, specials=[], min_freq=1)
    parts = taken_parts(tokenizer)
    assert parts is not None and tokenizer.merges[:2] == [(97, 97, 256), (256, 256, 257)]
    assert (parts.tokens.tolist(), parts.ranks.tolist()) == ([256], [1])
    assert (parts.pairs.tolist(), parts.before.tolist()) == ([letters - 1], [letters])


def test_without_a_training_nothing_is_said() -> None:
    tokenizer = make_pair([(97, 98, 256), (256, 99, 257)]).tokenizer
    assert taken_parts(tokenizer) is None
    assert "intermediate" not in check_all(tokenizer).counts


def test_no_merges() -> None:
    tokenizer = trained(["ab"], vocab_size=262)
    assert list(intermediate_flags(tokenizer, Thresholds())) == []
