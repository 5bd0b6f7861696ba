"""Half characters: the classes, and what completes them."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis import utf8


def test_single_bytes() -> None:
    kinds = [utf8.classify(bytes([byte])) for byte in range(256)]
    assert [kinds.count(k) for k in ("valid", "never", "ends", "begins", "both")] == [
        128, 13, 51, 64, 0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "valid"),
        ("aé日😀".encode(), "valid"),
        (b"\xe2\x82", "ends"),
        (b" \xf0\x9f\x98", "ends"),
        (b"\x82\xac", "begins"),
        (b"\x82\xac a", "begins"),
        (b"\xac\xe2", "both"),
        (b"\xe2a", "never"),
        (b"\xc0\x80", "never"),
        (b"\xed\xa0", "never"),  # a surrogate
        (b"\xf4\x90", "never"),  # beyond U+10FFFF
        (b"\xf5", "never"),
        (b"\x80\x80\x80\x80", "never"),
        ("\ufffd".encode(), "valid"),
    ],
)
def test_classes(data: bytes, kind: str) -> None:
    assert utf8.classify(data) == kind


@given(st.text(min_size=1, max_size=4), st.data())
def test_a_part_of_a_text_is_never_never(text: str, data: st.DataObject) -> None:
    raw = text.encode()
    start = data.draw(st.integers(0, len(raw) - 1))
    part = raw[start : data.draw(st.integers(start + 1, len(raw)))]
    kind = utf8.classify(part)
    assert kind != "never"
    found = list(islice(utf8.completions(part), 50))
    assert found
    for before, after in found:
        (before + part + after).decode()
    if kind == "valid":
        assert found == [(b"", b"")]


def test_completions_come_in_every_class_of_character() -> None:
    after = {bytes(t) for t in utf8.tails(b"\xcc")}
    assert len(after) == 64
    letters = [(b"\xc3" + tail).decode() for tail in utf8.tails(b"\xc3")][:4]
    assert {char.isupper() for char in letters} == {True, False}
    assert (b"\xf0", b"\x80") in set(utf8.completions(b"\x9f\x98"))


def test_nothing_completes_what_is_never_valid() -> None:
    assert list(utf8.completions(b"\xc0")) == []
