from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels import ranks

NO_CHARS = np.zeros(0, dtype=np.int32)
NO_BYTES = np.full(256, -1, dtype=np.int32)
BYTES = np.arange(256, dtype=np.int32)


@njit
def ranks_of(table: ranks.Ranks, lefts: NDArray[np.int32], rights: NDArray[np.int32]):
    found = np.empty(len(lefts), np.int32)
    for i in range(len(lefts)):
        found[i] = ranks.rank_of(table, lefts[i], rights[i])
    return found


def check(merges: NDArray[np.int32], tokens: int, queries: NDArray[np.int32]) -> None:
    table = ranks.rank_table(merges, NO_BYTES, NO_CHARS, tokens)
    expected: dict[tuple[int, int], int] = {}
    for rank, (left, right, _) in enumerate(merges.tolist()):
        expected.setdefault((left, right), rank)
    wanted = np.concatenate((merges[:, :2], queries)).astype(np.int32)
    found = ranks_of(table, wanted[:, 0].copy(), wanted[:, 1].copy())
    assert found.tolist() == [expected.get((a, b), int(ranks.NONE)) for a, b in wanted.tolist()]


@st.composite
def merges_and_tokens(draw: st.DrawFn) -> tuple[NDArray[np.int32], int]:
    tokens = draw(st.integers(1, 40) | st.sampled_from([255, 256, 257, 1 << 20, (1 << 22) - 1]))
    number = st.integers(0, tokens - 1)
    rows = draw(st.lists(st.tuples(number, number, number), max_size=60))
    return np.array(rows, dtype=np.int32).reshape(len(rows), 3), tokens


@given(made=merges_and_tokens(), seed=st.integers(0, 99))
def test_every_pair_has_its_first_rank_and_others_none(
    made: tuple[NDArray[np.int32], int], seed: int
) -> None:
    merges, tokens = made
    rng = np.random.default_rng(seed)
    # `tokens` itself stands for nobody.
    check(merges, tokens, rng.integers(0, tokens + 1, (50, 2), dtype=np.int32))


def test_a_table_of_every_pair_there_is() -> None:
    pairs = [(a, b, 0) for a in range(64) for b in range(64)]
    random.Random(1).shuffle(pairs)
    everything = np.array(pairs, dtype=np.int32)
    check(everything, 64, everything[:, :2])
    check(everything[:3000], 64, everything[:, :2])


def test_pairs_that_meet_in_one_bucket_are_told_apart() -> None:
    """Of very many pairs those are taken that want the same few buckets."""
    tokens = 4000
    rng = np.random.default_rng(2)
    crowd = np.unique(rng.integers(0, tokens, (400_000, 2)), axis=0).astype(np.int32)
    table = ranks.rank_table(np.zeros((1000, 3), np.int32), NO_BYTES, NO_CHARS, tokens)
    bits = np.uint64(table.token_bits)
    key = (crowd[:, 0].astype(np.uint64) << bits) | crowd[:, 1].astype(np.uint64)
    key ^= key >> bits
    mixed = (key * np.uint64(0x9E3779B97F4A7C15)) & np.uint64((1 << 2 * int(bits)) - 1)
    nearest = np.argsort(mixed >> np.uint64(table.rest_bits), kind="stable")[:1000]
    merges = np.zeros((1000, 3), dtype=np.int32)
    merges[:, :2] = crowd[nearest]
    check(merges, tokens, crowd[:5000])


def test_the_grid_holds_the_pairs_of_bytes() -> None:
    rows = [(97, 98, 256), (256, 97, 257), (0, 255, 258), (97, 98, 259)]
    table = ranks.rank_table(np.array(rows, dtype=np.int32), BYTES, NO_CHARS, 260)
    places = {(97 << 8) | 98: 0, 255: 2}
    assert {int(i): int(table.grid[i]) for i in np.flatnonzero(table.grid != ranks.NONE)} == places


@pytest.mark.parametrize(
    ("rows", "ordered", "first_new"),
    [
        ([], True, -1),
        ([(97, 98, 256), (256, 97, 257)], True, 256),
        ([(256, 97, 257), (97, 98, 256)], False, -1),
        ([(97, 98, 256), (256, 97, 257), (98, 99, 256)], False, -1),
        ([(97, 98, 256), (98, 99, 256), (256, 97, 258)], True, -1),
    ],
)
def test_what_is_told_of_the_order(
    rows: list[tuple[int, int, int]], ordered: bool, first_new: int
) -> None:
    merges = np.array(rows, dtype=np.int32).reshape(len(rows), 3)
    table = ranks.rank_table(merges, BYTES, NO_CHARS, 259)
    assert (table.ordered == 1, table.first_new) == (ordered, first_new)
