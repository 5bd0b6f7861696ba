"""A page of a report as plain values: sections with words, tables and plots, in no format yet.

All text in it is data: each format escapes what it writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from bpe_studio.analysis.flags import Severity

__all__ = [
    "NOTHING",
    "Block",
    "Cell",
    "Column",
    "Evidence",
    "Facts",
    "Figures",
    "KindMark",
    "Page",
    "Plot",
    "Section",
    "Table",
    "Token",
    "Words",
]

NOTHING: Final = "–"
"""Stands for what is not known, or has no value."""

Role = Literal["words", "number", "name"]
"""How a column is set: sentences, numbers at the right, names that break anywhere."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token, or other text of a corpus, in readable form."""

    text: str


@dataclass(frozen=True, slots=True)
class KindMark:
    """A kind of flag by its title, with its severity; `anchor` is the section about it, if any."""

    title: str
    severity: Severity
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence, and where known a text that shows it: a place, and the token in its context."""

    sentence: str
    witness: str = ""
    place: str = ""
    before: str = ""
    text: str = ""
    after: str = ""


Cell = str | Token | KindMark | Evidence


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    role: Role = "words"


@dataclass(frozen=True)
class Table:
    """Rows of cells under columns; `title` names it for those who do not see it."""

    title: str
    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Cell]]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph; a loud one has a severity."""

    text: str
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and values, one a line."""

    pairs: tuple[tuple[str, str | Token], ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """A few large numbers with what they count."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture in SVG (an element, `svg`), and the same in words."""

    title: str
    text: str
    svg: str


Block = Words | Table | Facts | Figures | Plot


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what is under it; `level` 2 is a chapter, 3 a part of one."""

    title: str
    anchor: str
    blocks: tuple[Block, ...]
    level: int = 2
    mark: KindMark | None = None


@dataclass(frozen=True)
class Page:
    """A title, a line under it, and sections as they come."""

    title: str
    subtitle: str
    sections: Iterator[Section]
