"""Lines of a file: what ends one, and how many there may be."""

from __future__ import annotations

import pytest

from bpe_studio.formats import text_lines
from bpe_studio.formats.source import Source


def source(data: bytes) -> Source:
    return Source(data=data, name="t")


def test_what_ends_a_line() -> None:
    data = "\ufeffa\r\nb\u2028\x85\x1c\rc\n\n".encode()
    assert text_lines.text_lines(source(data)) == ["a", "b\u2028\x85\x1c\rc", "", ""]
    assert text_lines.text_lines(source(b"")) == [""]


def test_what_is_no_text() -> None:
    with pytest.raises(ValueError, match=r"^t: line 2 is not valid UTF-8\.$"):
        text_lines.text_lines(source(b"a\nb\xff\n"))


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_lines, "MAX_MERGES", 3)
    text_lines.check_lines(source(b"\n" * 3))
    with pytest.raises(ValueError, match=r"^t: it has 4 lines, and 3 is the limit\.$"):
        text_lines.check_lines(source(b"\n" * 4))
    monkeypatch.setattr(text_lines, "MAX_FILE_BYTES", 9)
    with pytest.raises(ValueError, match="t: it has 10 bytes, and 256 MiB is the limit"):
        text_lines.check_lines(source(b"0123456789"))
