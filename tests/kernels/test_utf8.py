"""Python's own decoder is the judge."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.kernels.utf8 import valid_length
from tests.texts import any_text

# Both sides of every border: overlong forms, surrogates, past the last character.
_HARD = [
    b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xc2\x80", b"\xdf\xbf", b"\xc2", b"\xe0\x9f\xbf",
    b"\xe0\xa0\x80", b"\xed\x9f\xbf", b"\xed\xa0\x80", b"\xee\x80\x80", b"\xef\xbf\xbf",
    b"\xe2\x82",
    b"\xf0\x8f\xbf\xbf", b"\xf0\x90\x80\x80", b"\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80",
    b"\xf5\x80\x80\x80", b"\xf0\x9f\x98", b"\xfe", b"\xff", b"\xe1\x41\x80", b"\xc3\x41",
]  # fmt: skip
hard_bytes = st.lists(
    st.sampled_from(_HARD)
    | st.sampled_from(
        [b"a", b"abcdefgh" * 2, "é".encode() * 9, "日".encode() * 7, b"\xf0\x9f\x98\x80"]
    )
    | st.binary(max_size=3)
    | any_text.map(str.encode),
    max_size=12,
).map(b"".join)


def expected(data: bytes) -> int:
    """The longest beginning that is text."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return len(data)


@given(data=hard_bytes)
def test_valid_length(data: bytes) -> None:
    assert valid_length(np.frombuffer(data, dtype=np.uint8)) == expected(data)


@given(text=any_text, cut=st.integers(0, 10))
def test_a_cut_off_character_is_left_out(text: str, cut: int) -> None:
    data = text.encode()
    data = data[: len(data) - cut]
    length = valid_length(np.frombuffer(data, dtype=np.uint8))
    assert data[:length].decode() == data.decode(errors="ignore")


def test_every_character() -> None:
    for start in range(0, 0x110000, 0x1000):
        points = [p for p in range(start, start + 0x1000) if not 0xD800 <= p < 0xE000]
        data = np.frombuffer("".join(map(chr, points)).encode(), dtype=np.uint8)
        assert valid_length(data) == len(data)
