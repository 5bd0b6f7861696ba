"""Ranks → merges, judged by an encoder that looks up bytes."""

from __future__ import annotations

import doctest
import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe import recover
from bpe_studio.bpe.recover import recover_merges
from tests.bpe.test_trainer import trained


def plain_parts(token: bytes, ranks: dict[bytes, int]) -> list[bytes]:
    """What is left of a token when any neighbours that are another token are joined, the one of
    lowest rank first, and no more than two are left."""
    parts = [token[i : i + 1] for i in range(len(token))]
    while len(parts) > 2:
        pairs = [(ranks.get(a + b), i) for i, (a, b) in enumerate(pairwise(parts))]
        known = [(rank, i) for rank, i in pairs if rank is not None]
        if not known:
            break
        _, place = min(known)
        parts[place : place + 2] = [parts[place] + parts[place + 1]]
    return parts


def plain(tokens: list[bytes]) -> list[list[int]]:
    ranks = {token: rank for rank, token in enumerate(tokens)}
    rows = []
    for token in tokens:
        parts = plain_parts(token, ranks)
        known = len(parts) == 2 and all(bytes([byte]) in ranks for byte in token)
        rows.append([ranks.get(part, -1) for part in parts] if known else [-1, -1])
    return rows


few = st.text("ab", min_size=1, max_size=8) | st.text("abcd", min_size=1, max_size=5)


@given(st.lists(few, unique=True, max_size=40), st.booleans())
def test_any_ranks(words: list[str], whole: bool) -> None:
    tokens = [word.encode() for word in words]
    if whole:
        tokens = [b"a", b"b", b"c", b"d", *(token for token in tokens if len(token) > 1)]
    assert recover_merges(tokens).tolist() == plain(tokens)


@given(st.lists(few, unique=True, max_size=40))
def test_long_tokens_take_the_same_way(words: list[str]) -> None:
    chance = random.Random(len(words))
    tokens = [b"a", b"b", b"c", b"d", *(w.encode() for w in words if len(w) > 1)]
    tokens.append(bytes(chance.choices(b"abcd", k=recover._LONG + 9)))
    tokens.append(b"ab" * recover._LONG)
    ranks = {token: rank for rank, token in enumerate(tokens)}
    pairs = {
        left << 32 | right: place
        for place, (left, right) in enumerate(recover_merges(tokens).tolist())
        if left >= 0
    }
    for token in tokens[-2:]:
        row = [ranks[bytes([byte])] for byte in token]
        left = [ranks[part] for part in plain_parts(token, ranks)]
        assert recover._leave_two_of_many(list(row), pairs) == left
        assert recover._leave_two(list(row), pairs) == left


@given(st.lists(few, unique=True, max_size=30), st.text("abc", min_size=5, max_size=300))
def test_frequent_pairs_are_joined_as_one_by_one(words: list[str], text: str) -> None:
    tokens = [b"a", b"b", b"c", b"d", *sorted((w.encode() for w in words if len(w) > 1), key=len)]
    ranks = {token: rank for rank, token in enumerate(tokens)}
    parts = recover_merges(tokens).tolist()
    pairs = {left << 32 | right: place for place, (left, right) in enumerate(parts) if left >= 0}
    row = [ranks[bytes([byte])] for byte in (text * 3).encode()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recover, "_VERY_LONG", 3)
        joined = recover._join_frequent(row, pairs)
    assert recover._leave_two(joined, pairs) == recover._leave_two(list(row), pairs)


def test_a_table_of_our_own() -> None:
    table = trained(["the cat sat on the mat, the rat ate that " * 9], vocab_size=330).table
    found = recover_merges(table.token_list)
    made = np.flatnonzero(found[:, 0] >= 0)
    rows = np.column_stack((table.ids[found[made]], table.ids[made]))
    assert rows.tolist() == table.merges.tolist()


def test_a_token_that_needs_a_part_of_higher_rank() -> None:
    tokens = [b"a", b"b", b"c", b"abc", b"bc"]
    assert recover_merges(tokens)[3:].tolist() == [[0, 4], [1, 2]]


def test_characters() -> None:
    assert recover_merges(["é", "l", "él", "élé", "élx"])[2:].tolist() == [[0, 1], [2, 0], [-1, -1]]


def test_nothing() -> None:
    assert recover_merges([]).shape == (0, 2)


@pytest.mark.parametrize("letters", [b"a", b"ab"])
def test_very_long_tokens_are_quick(letters: bytes) -> None:
    chance = random.Random(5)
    token = bytes(chance.choices(letters, k=1 << 17))
    tokens = [b"a", b"b", *(b"a" * 2**i for i in range(1, 17)), b"ab", b"ba", token]
    shares: list[float] = []
    found = recover_merges(tokens, report=shares.append)
    assert (found[-1, 0] >= 0) == (letters == b"a")
    assert shares == sorted(shares) and shares[-1] == 1


def test_the_examples() -> None:
    assert not doctest.testmod(recover).failed
