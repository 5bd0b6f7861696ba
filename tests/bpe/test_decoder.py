from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.decoder import decode_bytes, readable


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b" low est", "␠low·est"),
        (b"   ", "␠··"),
        (b"a\nb\tc", "a⏎b⇥c"),
        (b"\r\n", "␍⏎"),
        (b"\x00\x1b\x7f", "␀␛␡"),
        ("a\u200bb".encode(), "a⟨200B⟩b"),
        ("\u00a0x".encode(), "⟨00A0⟩x"),
        ("\u202e".encode(), "⟨202E⟩"),
        ("\ufeff".encode(), "⟨FEFF⟩"),
        ("\u0085".encode(), "⟨0085⟩"),
        ("\u0301a".encode(), "◌\u0301a"),
        ("e\u0301".encode(), "e\u0301"),
        (b"\xe2\x82", "⟨E2 82⟩"),
        (b"a\xff\xfeb", "a⟨FF FE⟩b"),
        ("€".encode(), "€"),
        ("\ufffd".encode(), "\ufffd"),
        (b"", ""),
    ],
)
def test_bytes_made_readable(data: bytes, shown: str) -> None:
    assert readable(data) == shown


def test_spaces_may_stay() -> None:
    assert readable(b" a b\n", spaces=False) == " a b⏎"


@given(st.binary(max_size=20))
def test_every_token_is_one_line_that_is_not_empty(data: bytes) -> None:
    shown = readable(data)
    assert bool(shown) == bool(data)
    assert len(shown.splitlines()) <= 1
    assert shown.isprintable() or "\u0301" in shown or not shown.isascii()


def test_an_unknown_id_is_named_with_its_place() -> None:
    with pytest.raises(ValueError, match=r"id 9 \(position 1\); ids run from 1 to 2"):
        decode_bytes([1, 9], {1: b"a", 2: b"b"})
    with pytest.raises(ValueError, match=r"id 'x' \(position 0\)"):
        decode_bytes(["x"], {1: b"a"})  # type: ignore[list-item]
