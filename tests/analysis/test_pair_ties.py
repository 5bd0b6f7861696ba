"""Whether two pairs were equally frequent where two trainings part, against a plain recount."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.compare import FirstDifference, compare_tables
from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord
from tests import oracle

CORPORA = st.lists(st.text("ab c", max_size=12), min_size=1, max_size=3)


def _trained(documents: list[str], ties: str, pattern: str = "classic") -> Tokenizer:
    """As a training of ours would be, made by the plain trainer."""
    cut = resolve_pattern(pattern)
    plain = oracle.train(documents, cut.expression, max_merges=6, min_freq=1, ties=ties)
    return Tokenizer(
        MergeTable.build(byte_ids=plain.byte_ids, merges=plain.merges),
        cut,
        training=TrainingRecord(
            np.array(plain.counts, dtype=np.int64),
            np.array(plain.applied, dtype=np.int64),
            settings={"ties": ties},
            corpus={"fingerprint": repr(documents)},
        ),
    )


def _counts_at(
    documents: list[str], tokenizer: Tokenizer, rank: int
) -> dict[tuple[bytes, bytes], int]:
    """How often every pair is in a corpus after so many merges, by bytes."""
    pieces = [p for text in documents for p in regex.findall(tokenizer.pattern.expression, text)]
    words: list[list[Any]] = [[bytes([byte]) for byte in piece.encode()] for piece in pieces]
    for left, right, _ in tokenizer.merges[:rank]:
        pair: Any = (tokenizer.token_bytes(left), tokenizer.token_bytes(right))
        words = [oracle.replace_pair(word, pair, pair[0] + pair[1])[0] for word in words]
    counts: Any = oracle.pair_counts(words, [1] * len(words))
    return dict(counts)


def _truth(documents: list[str], tokenizer: Tokenizer, first: FirstDifference) -> bool:
    counts = _counts_at(documents, tokenizer, first.rank)
    assert first.a is not None and first.b is not None
    return counts.get(first.a, 0) == counts.get(first.b, 0)


@settings(max_examples=200, deadline=None)
@given(CORPORA)
def test_one_corpus_tells_it_always(documents: list[str]) -> None:
    a, b = _trained(documents, "first-seen"), _trained(documents, "smallest-ids")
    first = compare_tables(a, b).first_difference
    if first is not None:
        # Both merge what is most frequent, so what they merge first apart is a tie.
        assert first.tie is True and first.count_a == first.count_b
        assert _truth(documents, a, first)


@settings(max_examples=300, deadline=None)
@given(CORPORA, CORPORA)
def test_nothing_wrong_is_said_of_two_corpora(one: list[str], other: list[str]) -> None:
    a, b = _trained(one, "first-seen"), _trained(other, "first-seen")
    first = compare_tables(a, b).first_difference
    if first is None or first.a is None or first.b is None:
        assert first is None or first.tie is None
        return
    assert first.count_a == _counts_at(one, a, first.rank)[first.a]
    assert first.count_b == _counts_at(other, b, first.rank)[first.b]
    truths = {_truth(one, a, first), _truth(other, b, first)}
    assert first.tie is None or (first.tie in truths)
    if len(truths) == 1:
        assert first.tie in (None, *truths)


def _two(
    pairs_a: list[tuple[str, int]], pairs_b: list[tuple[str, int]] | None = None
) -> FirstDifference:
    """Tables of merges of two letters, each with its count; no record where the count is 0."""
    made = [_of_pairs(pairs) for pairs in (pairs_a, pairs_b or [("xy", 0)])]
    found = compare_tables(*made).first_difference
    assert found is not None
    return found


def _of_pairs(pairs: list[tuple[str, int]]) -> Tokenizer:
    merges = [(ord(p[0]), ord(p[1]), 256 + rank) for rank, (p, _) in enumerate(pairs)]
    counts = np.array([count for _, count in pairs], dtype=np.int64)
    record = TrainingRecord(counts, counts) if counts.all() else None
    table = MergeTable.build(byte_ids=range(256), merges=merges)
    return Tokenizer(table, resolve_pattern("classic"), training=record)


def test_what_one_record_tells() -> None:
    tie = _two([("ab", 7), ("cd", 7), ("xy", 7)])
    assert (tie.count_a, tie.count_b, tie.tie) == (7, None, True)
    assert _two([("ab", 7), ("cd", 6), ("xy", 5)]).tie is False
    # Merging "xz" has used up an x, so more "xy" may have been there before.
    assert _two([("ab", 7), ("xz", 6), ("xy", 5)]).tie is None
    assert _two([("ab", 7), ("cd", 6)]).tie is None
    assert _two([("ab", 0), ("xy", 0)]).tie is None


def test_two_records_must_agree() -> None:
    for one, other in product((7, 6), repeat=2):
        found = _two([("ab", 7), ("xy", one)], [("xy", 7), ("ab", other)])
        assert found.tie is (one == other == 7)


def test_replayed_merges_say_nothing() -> None:
    a, b = _of_pairs([("ab", 3), ("xy", 3)]), _of_pairs([("xy", 3)])
    record = TrainingRecord(np.array([3, 3]), np.array([3, 3]), settings={"continued_from": 1})
    replayed = Tokenizer(a.table, a.pattern, training=record)
    found = compare_tables(replayed, b).first_difference
    assert found is not None and found.count_a == 3 and found.tie is None
