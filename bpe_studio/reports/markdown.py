"""A page of a report as Markdown with the tables of GitHub.

All text is escaped, so that a token is shown as it is, whatever it spells.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from bpe_studio.reports.page import (
    Block,
    Cell,
    Evidence,
    Facts,
    Figures,
    KindMark,
    Page,
    Section,
    Table,
    Token,
    Words,
)
from bpe_studio.reports.words import safe_words

__all__ = ["code", "escaped", "markdown_chunks"]

# What may begin or end a mark of Markdown, or a cell, anywhere in a line.
_MARKS: Final = str.maketrans({char: f"\\{char}" for char in "\\`*_[]|~$#@"})
_ENTITIES: Final = str.maketrans(
    {char: f"&#{ord(char)};" for char in map(chr, range(0x21, 0x7F)) if not char.isalnum()}
)
_SIGNS: Final = {"error": "■", "warning": "▲", "info": "○"}


def markdown_chunks(page: Page) -> Iterator[bytes]:
    """The file, a section at a time."""
    yield f"# {escaped(page.title)}\n\n{escaped(page.subtitle)}\n".encode()
    for section in page.sections:
        yield "".join(_section(section)).encode()


def escaped(text: str) -> str:
    """Text as Markdown that shows that text, on one line, and makes no links of it.

    >>> escaped("a*b | http://c")
    'a\\\\*b \\\\| http&#58;//c'
    """
    words = escape(safe_words(text), quote=False).translate(_MARKS)
    return words.replace("://", "&#58;//").replace("www.", "www&#46;")


def code(text: str) -> str:
    """Text in the face of code; what a code span of a cell cannot hold as it is, as entities.

    >>> code("low"), code("|")
    ('`low`', '<code>&#124;</code>')
    """
    shown = safe_words(text)
    if not shown:
        return ""
    if any(char in shown for char in "`|\\") or shown != shown.strip():
        return f"<code>{shown.translate(_ENTITIES)}</code>"
    return f"`{shown}`"


def _section(section: Section) -> Iterator[str]:
    sign = "" if section.mark is None else f"{_SIGNS[section.mark.severity]} "
    yield f"\n{'#' * section.level} {sign}{escaped(section.title)}\n"
    for block in section.blocks:
        yield "\n"
        yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Words):
        yield f"{escaped(block.text)}\n"
    elif isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, Facts):
        yield from (f"- {escaped(name)}: {_cell(value)}\n" for name, value in block.pairs)
    elif isinstance(block, Figures):
        yield from (f"- **{escaped(value)}** {escaped(name)}\n" for value, name in block.pairs)
    else:
        yield f"{escaped(block.title)}: {escaped(block.text)}\n"


def _table(table: Table) -> Iterator[str]:
    yield f"| {' | '.join(escaped(column.title) for column in table.columns)} |\n"
    rules = ("---:" if column.role == "number" else "---" for column in table.columns)
    yield f"| {' | '.join(rules)} |\n"
    for row in table.rows:
        yield f"| {' | '.join(map(_cell, row))} |\n"
    if table.note:
        yield f"\n{escaped(table.note)}\n"


def _cell(cell: Cell) -> str:
    if isinstance(cell, Token):
        return code(cell.text)
    if isinstance(cell, KindMark):
        return f"{_SIGNS[cell.severity]} {escaped(cell.title)}"
    return _evidence(cell) if isinstance(cell, Evidence) else escaped(cell)


def _evidence(found: Evidence) -> str:
    parts = [escaped(found.sentence)]
    if found.witness:
        parts.append(f"Text that shows it: {code(found.witness)}")
    if found.place:
        parts.append(escaped(found.place))
    if found.text:
        parts.append(f"{code(found.before)}<b>{code(found.text)}</b>{code(found.after)}")
    return "<br>".join(parts)
