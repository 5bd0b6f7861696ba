"""A document in blocks, for peers that take an iterator of texts and would hang on a whole one.

Blocks end before a space that stands between two ASCII letters. All patterns of the benchmark cut
there, so pieces, and with them merges and ids, are those of the whole document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

BLOCK: Final = 1 << 20
_CUT: Final = re.compile(rb"[A-Za-z](?= [A-Za-z])")
_TEXT_CUT: Final = re.compile(r"[A-Za-z](?= [A-Za-z])|\n(?=[^\W\d_])")
_NEAR: Final = 1 << 12


def last_cut(data: bytes) -> int:
    """The last place where a block may end, or 0.

    >>> last_cut(b"It is so."), last_cut(b"nothing")
    (5, 0)
    """
    near = _NEAR
    while True:
        start = max(0, len(data) - near)
        ends = [match.end() for match in _CUT.finditer(data, start)]
        if ends or start == 0:
            return ends[-1] if ends else 0
        near *= 8


def blocks(path: Path, size: int = BLOCK) -> Iterator[str]:
    """The text of a UTF-8 file in blocks of about `size` bytes."""
    waiting = b""
    with path.open("rb") as file:
        while data := file.read(size):
            waiting += data
            cut = last_cut(waiting)
            if cut:
                yield waiting[:cut].decode()
                waiting = waiting[cut:]
    if waiting:
        yield waiting.decode()


def head(path: Path, size: int) -> bytes:
    """The first `size` bytes, a little less so that they end at a cut; all of a shorter file."""
    with path.open("rb") as file:
        data = file.read(size + 1)
    return data if len(data) <= size else data[: last_cut(data[:size])]


def text_blocks(text: str, size: int) -> Iterator[str]:
    """A text in blocks of about `size` characters that keep the ids of cl100k.

    Under that pattern a newline before a letter ends a piece, too.

    >>> list(text_blocks("It is so,\\nthat it is.", 12))
    ['It is so,\\n', 'that it is.']
    """
    start = 0
    while len(text) - start > size:
        ends = [match.end() for match in _TEXT_CUT.finditer(text, start + size // 2, start + size)]
        later = None if ends else _TEXT_CUT.search(text, start + size // 2)
        if later is None and not ends:
            break
        end = ends[-1] if later is None else later.end()
        yield text[start:end]
        start = end
    yield text[start:]
