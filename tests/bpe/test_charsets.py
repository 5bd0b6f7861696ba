"""Decoding by chunks equals decoding at once, for valid and for broken bytes."""

from __future__ import annotations

import codecs
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.charsets import (
    Encoding,
    TextDecoder,
    is_binary,
    replace_surrogates,
    sniff,
)

CHARSETS = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]


def decode(data: bytes, cuts: list[int], encoding: Encoding) -> tuple[str, TextDecoder]:
    decoder = TextDecoder(encoding)
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    parts = [decoder.decode(data[a:b]) for a, b in pairwise(places)]
    text = "".join([*parts, decoder.decode(b"", final=True)])
    same = TextDecoder(encoding)
    encoded = [same.to_utf8(data[a:b]) for a, b in pairwise(places)]
    assert b"".join([*encoded, same.to_utf8(b"", final=True)]) == text.encode()
    assert (same.dropped, same.first_dropped) == (decoder.dropped, decoder.first_dropped)
    for part in encoded:
        part.decode()
    return text, decoder


@given(st.text(), st.lists(st.integers(0, 100)), st.sampled_from(CHARSETS))
def test_valid_text_comes_out_whole(text: str, cuts: list[int], name: str) -> None:
    got, decoder = decode(text.encode(name), cuts, Encoding(name))
    assert got == text
    assert (decoder.dropped, decoder.first_dropped) == (0, None)


byte_soup = st.lists(
    st.one_of(st.binary(max_size=4), st.sampled_from([b"a", "€".encode(), "😀".encode()]))
).map(b"".join)


@given(byte_soup, st.lists(st.integers(0, 100)))
def test_invalid_bytes_are_dropped_wherever_the_chunks_end(data: bytes, cuts: list[int]) -> None:
    got, decoder = decode(data, cuts, Encoding("utf-8"))
    assert got == data.decode("utf-8", "ignore")
    assert decoder.dropped == len(data) - len(got.encode())
    try:
        data.decode()
    except UnicodeDecodeError as error:
        assert decoder.first_dropped == error.start
    else:
        assert decoder.first_dropped is None


def test_offset_counts_the_mark() -> None:
    decoder = TextDecoder(Encoding("utf-8", 3))
    assert decoder.decode(b"ab\xff") == "ab"
    assert decoder.first_dropped == 5
    decoder = TextDecoder(Encoding("utf-8", 3))
    assert decoder.to_utf8(b"ab\xff") == b"ab"
    assert decoder.first_dropped == 5


def test_broken_utf16() -> None:
    data = "a".encode("utf-16-le") + b"\x00\xd8" + "b".encode("utf-16-le") + b"\x00"
    got, decoder = decode(data, [], Encoding("utf-16-le"))
    assert (got, decoder.dropped, decoder.first_dropped) == ("ab", 3, 2)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"", Encoding("utf-8")),
        (b"plain", Encoding("utf-8")),
        (codecs.BOM_UTF8 + b"a", Encoding("utf-8", 3)),
        (codecs.BOM_UTF16_LE + b"a\0", Encoding("utf-16-le", 2)),
        (codecs.BOM_UTF16_BE + b"\0a", Encoding("utf-16-be", 2)),
        (codecs.BOM_UTF32_LE + b"a\0\0\0", Encoding("utf-32-le", 4)),
        (codecs.BOM_UTF32_BE + b"\0\0\0a", Encoding("utf-32-be", 4)),
        ("Ein Wort, zwei Wörter.\n".encode("utf-16-le"), Encoding("utf-16-le")),
        ("Ein Wort, zwei Wörter.\n".encode("utf-16-be"), Encoding("utf-16-be")),
        (bytes(range(16)), Encoding("utf-8")),
        (b"\x01\0\x02\0\x03\0\x04\0", Encoding("utf-8")),
        (bytes(100), Encoding("utf-8")),
    ],
)
def test_sniff(head: bytes, expected: Encoding) -> None:
    assert sniff(head) == expected


@pytest.mark.parametrize(
    ("head", "binary"),
    [
        (b"text\n", False),
        (b"\x7fELF\x02\x01\x01\0\0", True),
        (b"\xff\xfeb\0", False),
        (b"a" * 8192 + b"\0", False),
        (b"caf\xe9", False),
        (codecs.BOM_UTF8 + b"a\0", True),
    ],
)
def test_binary(head: bytes, binary: bool) -> None:
    assert is_binary(head, sniff(head)) is binary


def test_replace_surrogates() -> None:
    assert replace_surrogates("a\ud800b\udfff") == ("a\ufffdb\ufffd", 2)
    assert replace_surrogates("a\ufffd😀") == ("a\ufffd😀", 0)
