"""A long text as rows for a view that lays out only what it shows."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_studio.gui.models import token_layout
from bpe_studio.gui.models.document_text import DocumentText

MOST_CHARACTERS = 2_000_000
MOST_LINES = 50_000


def is_long(text: str) -> bool:
    """Whether a text is too much for an editor, which keeps an object for each of its lines."""
    return len(text) > MOST_CHARACTERS or text.count("\n") > MOST_LINES


@dataclass(frozen=True, slots=True)
class LongDocument:
    """A text, and where each row of it begins, in positions of its document (UTF-16 units).

    The document is that of `token_layout.show_text`: the positions of a `TokenLayout` hold in it.
    """

    text: DocumentText
    units: bytes
    starts: NDArray[np.int64]
    breaks: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def length(self) -> int:
        """The length in positions."""
        return len(self.units) // 2

    def span(self, row: int) -> tuple[int, int]:
        """Return where a row begins and where its text ends."""
        last = row + 1 >= len(self.starts)
        return int(self.starts[row]), self.length if last else int(self.starts[row + 1]) - 1

    def row_text(self, row: int) -> str:
        """Return the text of a row, with stand-ins for what cannot be shown."""
        begin, end = self.span(row)
        return self.units[2 * begin : 2 * end].decode("utf-16-le", "surrogatepass")

    def row_at(self, position: int) -> int:
        """Return the row of a position."""
        return max(int(np.searchsorted(self.starts, position, side="right")) - 1, 0)

    def character_at(self, position: int) -> int:
        """Return the character of the text at a position."""
        return self.text.character_at(token_layout.unit_of_position(self.breaks, position))

    def positions_of(self, characters: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the positions of characters of the text."""
        units = self.text.units_at(characters)
        return units + np.searchsorted(self.breaks, units, side="right")


def read_document(text: str) -> Generator[None, None, LongDocument]:
    """Make the document of a text, in a few steps that give other threads a turn."""
    shown = token_layout.show_text(text)
    yield
    units = shown.document.encode("utf-16-le", "surrogatepass")
    yield
    newlines = np.flatnonzero(np.frombuffer(units, np.uint16) == 0x0A)
    starts = np.append(0, newlines + 1)
    yield
    return LongDocument(DocumentText(text), units, starts, shown.breaks)


EMPTY = LongDocument(DocumentText(), b"", np.zeros(1, np.int64), np.empty(0, np.int64))
