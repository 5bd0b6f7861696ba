"""Reading a file for the text pane."""

from __future__ import annotations

import os
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from bpe_studio.bpe.charsets import SAMPLE, is_binary, sniff
from bpe_studio.files import open_regular

LARGEST = 64_000_000
CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text that was read, and what is to be said about the reading (or nothing)."""

    path: Path
    text: str
    note: str = ""


def read_text_file(path: Path) -> Generator[int, None, TextFile]:
    """Read and decode a file; yields the bytes read so far.

    Raises
    ------
    ValueError
        When the file is too large for the pane, or no text.
    OSError
        When it cannot be read.
    """
    with open_regular(path, follow_links=True) as file:
        size = os.fstat(file.fileno()).st_size
        if size > LARGEST:
            raise ValueError(
                f"{path.name} holds {size / 1e6:,.0f} MB; the text pane takes up to "
                f"{LARGEST / 1e6:,.0f} MB. Use it as a corpus, or open a part of it."
            )
        data = bytearray()
        while chunk := file.read(CHUNK):
            data += chunk
            yield len(data)
    return _decoded(path, bytes(data))


def _decoded(path: Path, data: bytes) -> TextFile:
    encoding = sniff(data[:SAMPLE])
    if is_binary(data, encoding):
        raise ValueError(f"{path.name} is a binary file, not text.")
    body = data[encoding.mark :]
    try:
        return TextFile(path, body.decode(encoding.name))
    except UnicodeDecodeError as error:
        note = (
            f"{path.name} holds bytes that are no {encoding.name.upper()} "
            f"(the first at {error.start + encoding.mark:,}); they are shown as U+FFFD."
        )
        return TextFile(path, body.decode(encoding.name, "replace"), note)
