"""Texts under all tables, and where the first two cut them differently, as a section."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpe_studio.bpe.decoder import readable
from bpe_studio.reports.compare_figures import share
from bpe_studio.reports.compare_subject import (
    ComparedTexts,
    CompareSubject,
    FrequentDifference,
    letter,
)
from bpe_studio.reports.compare_words import DIFFERENCE_WORDS, extra_words
from bpe_studio.reports.page import (
    NOTHING,
    Block,
    Cell,
    Column,
    Evidence,
    Section,
    Table,
    Token,
    Words,
)
from bpe_studio.reports.words import cut, plural, ratio, short, shown, whole

__all__ = ["MOST_SPANS", "texts_section"]

MOST_SPANS: Final = 200
"""Differences that a report lists; its JSON has all."""
_MOST_DOCUMENTS: Final = 50


def texts_section(subject: CompareSubject) -> Iterator[Section]:
    """Nothing without a text."""
    texts = subject.text
    if texts is None:
        return
    counts = [count for count in texts.differences.values() if count]
    said = ", ".join(
        f"{count:,} times {DIFFERENCE_WORDS[kind]}"
        for kind, count in texts.differences.items()
        if count
    )
    head = f"{plural(len(texts.documents), 'document')}, {plural(texts.characters, 'character')}. "
    told = f"Cut differently: {said}." if counts else "A and B cut it in the same places."
    blocks: list[Block] = [Words(head + told), _tables(subject, texts)]
    if len(texts.documents) > 1:
        blocks.append(_documents(texts))
    if texts.spans:
        blocks.append(_spans(texts))
    if texts.lines:
        blocks.append(_lines(texts))
    yield Section("In the text", "text", tuple(blocks))


def _tables(subject: CompareSubject, texts: ComparedTexts) -> Table:
    rows: list[tuple[Cell, ...]] = []
    first = texts.tokens(0)
    for number, name in enumerate(subject.names):
        tokens = texts.tokens(number)
        per_token = NOTHING if tokens is None else ratio(share(texts.characters, tokens))
        against = (
            "" if not number or None in (first, tokens) else extra_words(first or 0, tokens or 0)
        )
        rows.append((letter(number), Token(short(name)), whole(tokens), against, per_token))
    columns = (
        Column(""),
        Column("Table", "name"),
        Column("Tokens", "number"),
        Column("Against A", "number"),
        Column("Characters per token", "number"),
    )
    return Table("Figures of each table on the text", columns, rows)


def _documents(texts: ComparedTexts) -> Table:
    """Those first for which B needs most tokens more."""
    ordered = sorted(texts.documents, key=lambda one: (one.tokens[0] or 0) - (one.tokens[1] or 0))
    rows: list[tuple[Cell, ...]] = [
        (
            Token(shown(one.name)),
            whole(one.characters),
            *map(whole, one.tokens),
            extra_words(one.tokens[0] or 0, one.tokens[1] or 0),
        )
        for one in ordered[:_MOST_DOCUMENTS]
    ]
    columns = (
        Column("Document", "name"),
        Column("Characters", "number"),
        *(Column(f"{letter(number)}: tokens", "number") for number in range(texts.tables)),
        Column("B against A", "number"),
    )
    more = len(ordered) - len(rows)
    note = f"and {plural(more, 'more document')}; JSON has all" if more else ""
    return Table("Document by document", columns, rows, note)


def _spans(texts: ComparedTexts) -> Table:
    columns = (
        Column("Times", "number"),
        Column("What differs"),
        Column("A : B", "number"),
        Column("Text, and why"),
    )
    rows = [_row(texts, group) for group in texts.frequent[:MOST_SPANS]]
    more = len(texts.frequent) - len(rows)
    note = f"and {plural(more, 'more text')} cut differently; JSON has all places" if more else ""
    return Table("Where A and B cut differently", columns, rows, note)


def _row(texts: ComparedTexts, group: FrequentDifference) -> tuple[Cell, ...]:
    found = group.first
    span = found.span
    place = f"characters {span.start:,} to {span.end:,}"
    if len(texts.documents) > 1:
        place = f"{shown(texts.documents[found.document].name)}, {place}"
    if group.times > 1:
        place = f"first in {place}" if len(texts.documents) > 1 else f"first at {place}"
    text = cut(readable(found.text.encode("utf-8", "surrogatepass")))
    return (
        whole(group.times),
        DIFFERENCE_WORDS[span.kind],
        f"{span.tokens_a} : {span.tokens_b}",
        Evidence(found.sentence, place=place, text=text),
    )


def _lines(texts: ComparedTexts) -> Table:
    several = len(texts.documents) > 1
    columns = (
        *(Column("Document", "name") for _ in range(several)),
        Column("Line", "number"),
        Column("A : B", "number"),
        Column("Lines for which B needs most tokens more", "name"),
    )
    rows: list[tuple[Cell, ...]] = []
    for line in texts.lines:
        document = (Token(shown(texts.documents[line.document].name)),) if several else ()
        numbers = (whole(line.number), f"{line.tokens_a} : {line.tokens_b}")
        text = cut(readable(line.text.encode("utf-8", "surrogatepass"), spaces=False))
        rows.append((*document, *numbers, Token(text)))
    return Table("Lines that B cuts dearest", columns, rows)
