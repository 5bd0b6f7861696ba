"""Bytes from merges: in any order where allowed, and every failure with its rank."""

from __future__ import annotations

import random
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.formats.strict.token_bytes import make_tokens


def fail(rank: int, reason: str) -> NoReturn:
    raise ValueError(f"{rank} {reason}")


SYMBOLS = {0: b"a", 1: b"b"}


def test_in_order() -> None:
    made = make_tokens(SYMBOLS, [(0, 1, 2), (2, 2, 3)], fail=fail, in_order=True)
    assert made == {0: b"a", 1: b"b", 2: b"ab", 3: b"abab"}
    with pytest.raises(ValueError, match="0 uses the id 2, which no earlier merge makes"):
        make_tokens(SYMBOLS, [(2, 2, 3), (0, 1, 2)], fail=fail, in_order=True)


@given(st.integers(0, 30), st.randoms(use_true_random=False))
def test_any_order_gives_the_same(size: int, shuffle: random.Random) -> None:
    merges = [(shuffle.randrange(at + 2), shuffle.randrange(at + 2), at + 2) for at in range(size)]
    merges = [merge for merge in merges if merge[0] < 8 or merge[1] < 8]
    straight: dict[int, bytes] = dict(SYMBOLS)
    for left, right, new in list(merges):
        if left in straight and right in straight:
            straight[new] = straight[left] + straight[right]
        else:
            merges.remove((left, right, new))
    shuffle.shuffle(merges)
    assert make_tokens(SYMBOLS, merges, fail=fail, in_order=False) == straight


@pytest.mark.parametrize(
    ("merges", "message"),
    [
        ([(0, 5, 2)], "0 uses the id 5, which nothing makes"),
        ([(0, 1, 4), (3, 0, 2), (2, 0, 3)], "1 uses the id 3, which nothing makes"),
        ([(0, 1, 2), (1, 0, 2)], "1 makes the id 2, which another token has already"),
        ([(2, 0, 2)], "0 uses the id 2, which nothing makes"),
    ],
)
def test_failures(merges: list[tuple[int, int, int]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_tokens(SYMBOLS, merges, fail=fail, in_order=False)


def test_one_token_may_have_many_merges() -> None:
    merges = [(0, 0, 2), (0, 2, 3), (2, 0, 3)]
    assert make_tokens(SYMBOLS, merges, fail=fail, in_order=True)[3] == b"aaa"
