"""A page of a report as one file of HTML that needs nothing else: no script, font or picture.

The style is inline and its digest stands in the policy of the page, which allows nothing else: what
slipped through as markup could load nothing and run nothing.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from bpe_studio.reports.page import (
    Block,
    Cell,
    Column,
    Evidence,
    Facts,
    Figures,
    KindMark,
    Page,
    Plot,
    Section,
    Table,
    Token,
    Words,
)
from bpe_studio.reports.style import STYLE
from bpe_studio.reports.words import safe_words

__all__ = ["HTML_HEAD", "html_chunks"]

_CLASSES: Final = {"words": "w", "number": "n", "name": "t"}
HTML_HEAD: Final = (
    b'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    b'<meta name="generator" content="BPE Studio">'
)
"""What every such file begins with."""
_TALL: Final = 15
"""A table of more rows scrolls by itself, under its head."""


def html_chunks(page: Page) -> Iterator[bytes]:
    """The file, some sections at a time."""
    sections = list(page.sections)
    yield _head(page, sections).encode()
    for section in sections:
        yield "".join(_section(section)).encode()
    yield _FOOT.encode()


def _text(words: str) -> str:
    return escape(safe_words(words))


def _digest() -> str:
    return base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()


def _head(page: Page, sections: Iterable[Section]) -> str:
    links = "".join(
        f'<li><a href="#{escape(section.anchor)}">{_text(section.title)}</a></li>'
        for section in sections
        if section.level == 2
    )
    policy = f"default-src 'none'; style-src 'sha256-{_digest()}'"
    return (
        f"{HTML_HEAD.decode()}\n"
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{_text(page.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<header>\n<h1>{_text(page.title)}</h1>\n<p class="sub">{_text(page.subtitle)}</p>\n'
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>\n</header>\n<main>\n'
    )


_FOOT: Final = "</main>\n<footer>Made by BPE Studio.</footer>\n</body>\n</html>\n"


def _section(section: Section) -> Iterator[str]:
    level = f"h{section.level}"
    title = _text(section.title) if section.mark is None else _mark(section.mark, link=False)
    yield f'<section id="{escape(section.anchor)}">\n<{level}>{title}</{level}>\n'
    for block in section.blocks:
        yield from _block(block)
    yield "</section>\n"


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Words):
        kind = f' class="{block.severity}"' if block.severity else ""
        yield f"<p{kind}>{_text(block.text)}</p>\n"
    elif isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, Facts):
        pairs = (f"<dt>{_text(name)}</dt><dd>{_cell(value)}</dd>" for name, value in block.pairs)
        yield f'<dl class="facts">{"".join(pairs)}</dl>\n'
    elif isinstance(block, Figures):
        pairs = (
            f"<div><dt>{_text(name)}</dt><dd>{_text(value)}</dd></div>"
            for value, name in block.pairs
        )
        yield f'<dl class="figures">{"".join(pairs)}</dl>\n'
    else:
        yield _figure(block)


def _figure(plot: Plot) -> str:
    return (
        f"<figure><h4>{_text(plot.title)}</h4>"
        f'<div class="scroll" tabindex="0" role="group" aria-label="{_text(plot.title)}">'
        f"{plot.svg}</div><figcaption>{_text(plot.text)}</figcaption></figure>\n"
    )


def _table(table: Table) -> Iterator[str]:
    is_wide = table.columns[-1].role != "number"
    kind = ' class="wide"' if is_wide else ""
    tall = " tall" if len(table.rows) > _TALL else ""
    heads = "".join(
        f'<th scope="col"{_class(column, is_head=True)}>{_text(column.title)}</th>'
        for column in table.columns
    )
    label = _text(table.title)
    yield f'<div class="scroll{tall}" tabindex="0" role="group" aria-label="{label}">'
    yield f'<table{kind} aria-label="{label}"><thead><tr>{heads}</tr></thead>\n<tbody>\n'
    for row in table.rows:
        cells = (
            f"<td{_class(column, cell)}>{_cell(cell)}</td>"
            for column, cell in zip(table.columns, row, strict=True)
        )
        yield f"<tr>{''.join(cells)}</tr>\n"
    yield "</tbody></table></div>\n"
    if table.note:
        yield f'<p class="more">{_text(table.note)}</p>\n'


def _class(column: Column, cell: Cell = "", *, is_head: bool = False) -> str:
    if is_head:
        return ' class="n"' if column.role == "number" else ""
    if isinstance(cell, Evidence):
        return ' class="e"'
    if column.role == "words" and (not isinstance(cell, str) or len(cell) < 24):
        return ""
    return f' class="{_CLASSES[column.role]}"'


def _cell(cell: Cell) -> str:
    if isinstance(cell, Token):
        return f'<bdi class="mono">{_text(cell.text)}</bdi>'
    if isinstance(cell, KindMark):
        return _mark(cell)
    return _evidence(cell) if isinstance(cell, Evidence) else _text(cell)


def _mark(mark: KindMark, *, link: bool = True) -> str:
    title = _text(mark.title)
    if link and mark.anchor:
        title = f'<a href="#{escape(mark.anchor)}">{title}</a>'
    return f'<span class="kind {mark.severity}">{title}</span>'


def _evidence(found: Evidence) -> str:
    parts = [f'<span class="said">{_text(found.sentence)}</span>']
    if found.witness:
        witness = f'<bdi class="mono">{_text(found.witness)}</bdi>'
        parts.append(f'<span class="where">Text that shows it: {witness}</span>')
    if found.place:
        parts.append(f'<span class="where"><bdi>{_text(found.place)}</bdi></span>')
    if found.text:
        around = f"{_text(found.before)}<mark>{_text(found.text)}</mark>{_text(found.after)}"
        parts.append(f'<bdi class="around mono">{around}</bdi>')
    return "".join(parts)
