"""Tables that are not ordered, one pair at a time, against the oracle."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from tests import oracle
from tests.bpe.merge_tables import BYTES, any_merges, any_piece, are_ordered, full_merges, judged

LETTERS = "[a-c]+|."


def tokenizer_of(merges: list[tuple[int, int, int]]) -> Tokenizer:
    return Tokenizer(MergeTable.build(byte_ids=BYTES, merges=merges), resolve_pattern(LETTERS))


def is_ordered(tokenizer: Tokenizer) -> bool:
    return tokenizer.encoder.tables.ranks.ordered == 1


def test_a_join_may_make_a_pair_of_lower_rank() -> None:
    tokenizer = tokenizer_of([(256, 97, 257), (97, 98, 256)])
    assert not is_ordered(tokenizer)
    assert tokenizer.encode("abab") == [257, 98]
    # All ab at once would leave nothing to join.
    assert tokenizer.encode_piece(b"ab" * 80) == [257, 98] * 40


@st.composite
def long_piece(draw: st.DrawFn) -> str:
    letters = draw(st.sampled_from(["a", "ab", "abc"]))
    rng = random.Random(draw(st.integers(0, 999)))
    length = draw(st.integers(129, 400))
    blocks = (rng.choice(letters) * rng.randrange(1, draw(st.integers(2, 40))) for _ in range(400))
    return "".join(blocks)[:length] if draw(st.booleans()) else _letters(rng, letters, length)


def _letters(rng: random.Random, letters: str, length: int) -> str:
    return "".join(rng.choices(letters, k=length))


@given(merges=any_merges(), piece=long_piece())
def test_long_pieces(merges: list[tuple[int, int, int]], piece: str) -> None:
    tokenizer = tokenizer_of(merges)
    expected = judged(piece, merges)
    assert tokenizer.encode_piece(piece.encode()) == expected
    assert tokenizer.encode(f"{piece}.{piece}") == [*expected, 46, *expected]


@given(seed=st.integers(0, 99), pieces=st.lists(any_piece() | long_piece(), max_size=12))
def test_every_merge_there_can_be(seed: int, pieces: list[str]) -> None:
    """Dense tables: nearly every join competes with others, and makes pairs of lower rank."""
    merges = full_merges("ab" if seed % 2 else "abc", 5 if seed % 2 else 3, seed)
    tokenizer = tokenizer_of(merges)
    expected = [judged(piece, merges) for piece in pieces]
    ids, offsets = tokenizer.encode_pieces([piece.encode() for piece in pieces])
    bounds = zip(offsets, offsets[1:], strict=False)
    assert [ids[first:last].tolist() for first, last in bounds] == expected
    text = "".join(piece + "." for piece in pieces)
    flat = [token for tokens in expected for token in (*tokens, 46)]
    for _ in range(2):  # then from the cache
        assert tokenizer.encode(text) == flat


@given(merges=any_merges(), pieces=st.lists(any_piece() | long_piece(), max_size=6))
def test_counts(merges: list[tuple[int, int, int]], pieces: list[str]) -> None:
    tokenizer = tokenizer_of(merges)
    table = tokenizer.table
    starts = np.cumsum([0, *map(len, pieces)], dtype=np.int64)
    weights = np.arange(2, len(pieces) + 2, dtype=np.int64)
    created, wanted = (np.zeros(len(table), dtype=np.int64) for _ in range(2))
    counted, applied, joins = (np.zeros(len(merges), dtype=np.int64) for _ in range(3))
    dense, offsets = tokenizer.encoder.encode_arena(
        np.frombuffer("".join(pieces).encode(), dtype=np.uint8), starts,
        weights=weights, created=created, counted=counted, applied=applied,
    )  # fmt: skip
    for piece, weight, first, last in zip(pieces, weights, offsets, offsets[1:], strict=False):
        word = list(piece.encode())
        np.add.at(wanted, [table.index_of(symbol) for symbol in word], weight)
        ranks = oracle.join_all(word, merges)
        np.add.at(joins, ranks, weight)
        np.add.at(wanted, [table.index_of(merges[rank][2]) for rank in ranks], weight)
        assert table.ids[dense[first:last]].tolist() == word
    assert created.tolist() == wanted.tolist()
    assert applied.tolist() == joins.tolist()
    if is_ordered(tokenizer):
        assert (counted >= applied).all()
    else:
        assert counted.tolist() == joins.tolist()


@given(merges=any_merges(), piece=any_piece())
def test_in_ordered_tables_one_by_one_is_everywhere(
    merges: list[tuple[int, int, int]], piece: str
) -> None:
    ordered = is_ordered(tokenizer_of(merges))
    assert ordered == are_ordered(merges)
    if ordered:
        assert judged(piece, merges) == oracle.encode_piece_everywhere(piece, merges, BYTES, {})


@pytest.mark.parametrize("letters", ["a", "ab"])
def test_a_piece_of_one_megabyte_is_not_quadratic(letters: str) -> None:
    tokenizer = tokenizer_of(full_merges("ab", 6, 3))
    assert not is_ordered(tokenizer)
    text = _letters(random.Random(1), letters, 1_000_000)
    tokenizer.encode_piece(b"ab" * 40)
    started = time.perf_counter()
    ids = tokenizer.encode_array(text)
    # No timing of the machine: a quadratic way would need 10^12 steps, hours.
    assert time.perf_counter() - started < 60
    assert tokenizer.decode(ids) == text
