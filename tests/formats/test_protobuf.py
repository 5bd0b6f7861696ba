"""The wire format: what is read, and what is refused where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.formats.spm.protobuf import fields


def varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def message(*parts: tuple[int, int | bytes]) -> bytes:
    """Fields (number, integer or bytes), as a writer of the format makes them."""
    return b"".join(
        varint(number << 3 | (2 if isinstance(value, bytes) else 0))
        + (varint(len(value)) + value if isinstance(value, bytes) else varint(value))
        for number, value in parts
    )


@given(
    st.lists(
        st.tuples(st.integers(1, 2**29 - 1), st.integers(0, 2**64 - 1) | st.binary(max_size=300)),
        max_size=6,
    )
)
def test_reads_what_was_written(parts: list[tuple[int, int | bytes]]) -> None:
    data = b"xx" + message(*parts) + b"xx"
    found = [
        (tag >> 3, data[start:end] if tag & 7 == 2 else start)
        for tag, start, end in fields(data, 2, len(data) - 2)
    ]
    assert found == parts


def test_fixed_sizes() -> None:
    data = b"\x15" + b"\0\0\x80?" + b"\x09" + bytes(8)
    assert list(fields(data)) == [(0x15, 1, 5), (0x09, 6, 14)]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x08", "byte 0 begins a field that goes on behind its end"),
        (b"\x08\x05\x08\x80", "byte 3 begins a field that goes on"),
        (b"\x08\x05\x12\x05hi", "byte 2 begins a field that goes on"),
        (b"\x12\xff\xff\xff\xff\x7fhi", "byte 0 begins a field that goes on"),
        (b"\x15\0\0", "byte 0 begins a field that goes on"),
        (b"\x80", "byte 0 begins a field that goes on"),
        (b"\x0b", "byte 0 begins a field of a kind"),
        (b"\x00\x05", "byte 0 begins a field of a number"),
        (b"\x80\x80\x80\x80\x80\x01\x05", "byte 0 begins a field of a number"),
        (b"\x08" + b"\xff" * 9 + b"\x7f", "byte 1 begins a number of over 64 bits"),
        (b"\x08" + b"\xff" * 12, "byte 1 begins a number of over 64 bits"),
        (b"\x08\x00" * 11, "byte 20 begins one field more than 10"),
    ],
)
def test_refused(data: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        list(fields(data, most=10))
