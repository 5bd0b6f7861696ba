"""Reading a file for the text pane."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpe_studio.gui.state import text_file
from bpe_studio.gui.state.text_file import TextFile, read_text_file


def read(path: Path) -> TextFile:
    steps = read_text_file(path)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("a\r\né\u2028".encode(), "a\r\né\u2028"),
        (b"\xef\xbb\xbfhi", "hi"),
        ("hi 😀".encode("utf-16"), "hi 😀"),
        (b"", ""),
    ],
)
def test_texts_are_read_exactly(tmp_path: Path, data: bytes, text: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    assert read(path) == TextFile(path, text)


def test_invalid_bytes_are_told_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"ab\xffc")
    file = read(path)
    assert file.text == "ab\ufffdc"
    assert "the first at 2" in file.note


def test_what_is_no_text_or_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"\0\1" * 50)
    with pytest.raises(ValueError, match=r"a\.bin is a binary file"):
        read(path)
    monkeypatch.setattr(text_file, "LARGEST", 10)
    with pytest.raises(ValueError, match="takes up to"):
        read(path)
    with pytest.raises(OSError):
        read(tmp_path / "none")
