"""Stretches of bytes sorted by whole arrays, against `sorted`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_studio.analysis import byte_order
from bpe_studio.analysis.byte_order import iter_byte_order
from bpe_studio.bpe.generators import result_of

# Beginnings that are equal up to the borders of words, and NULs, which are what is filled in.
PARTS = st.sampled_from([b"\0", b"a", b"ab", b"\0" * 7, b"x" * 7, b"x" * 8, b"x" * 30, b"\xff"])
STRETCHES = st.lists(st.lists(PARTS, max_size=6).map(b"".join), max_size=30)


def _sorted(stretches: list[bytes]) -> tuple[list[int], list[bool]]:
    sizes = np.array([len(each) for each in stretches], dtype=np.int64)
    data = np.frombuffer(b"".join(stretches), dtype=np.uint8)
    starts = (np.cumsum(sizes) - sizes).astype(np.int64)
    found = result_of(iter_byte_order(data, starts, sizes))
    down = found.descending().tolist()
    assert down == sorted(range(len(stretches)), key=stretches.__getitem__, reverse=True)
    return found.order.tolist(), found.is_new.tolist()


@given(STRETCHES)
@example([])
@example([b"", b"", b"\0", b"\0\0", b""])
@example([b"x" * 80 + b"b", b"x" * 80 + b"a", b"x" * 80, b"x" * 80 + b"a"])
def test_the_order_of_bytes(stretches: list[bytes]) -> None:
    order, is_new = _sorted(stretches)
    assert order == sorted(range(len(stretches)), key=lambda n: (stretches[n], n))
    in_order = [stretches[n] for n in order]
    expected = [n == 0 or one != in_order[n - 1] for n, one in enumerate(in_order)]
    assert is_new == expected


@given(STRETCHES)
def test_what_few_rounds_leave(stretches: list[bytes]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(byte_order, "_MOST_ROUNDS", 1)
        order, _ = _sorted(stretches)
    assert order == sorted(range(len(stretches)), key=lambda n: (stretches[n], n))
