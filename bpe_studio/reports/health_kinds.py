"""The tokens of each kind of flag, with what is known of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpe_studio.analysis.flags import KINDS
from bpe_studio.bpe.decoder import readable
from bpe_studio.reports.health_subject import HealthSubject, TokenRow, token_rows
from bpe_studio.reports.health_summary import SEVERITY_WORDS, kind_mark, vocabulary_share
from bpe_studio.reports.page import NOTHING, Cell, Column, Evidence, Section, Table, Token, Words
from bpe_studio.reports.words import cut, percent, plural, shown, whole

__all__ = ["MOST_ROWS", "kind_sections"]

MOST_ROWS: Final = 200
"""Tokens of a kind that a report lists; its CSV has all."""


def kind_sections(subject: HealthSubject) -> Iterator[Section]:
    """A section for each kind that was found, the most serious first."""
    for kind, count in subject.report.counts.items():
        if count and subject.lists(kind):
            yield _section(subject, kind, count)


def _section(subject: HealthSubject, kind: str, count: int) -> Section:
    words = KINDS[kind]
    mark = kind_mark(kind, severity=subject.report.severity_of(kind))
    flags = subject.report.of_kind(kind)[:MOST_ROWS]
    columns = [Column("Token", "name"), Column("Id", "number"), Column("Rank", "number")]
    if subject.use is not None:
        columns += [Column(name, "number") for name in ("F1", "DF", "Share")]
    rows = [_row(row, with_use=subject.use is not None) for row in token_rows(subject, flags)]
    more = count - len(rows)
    note = f"and {plural(more, 'more flag')}; the report as CSV or JSON has all" if more else ""
    share = percent(vocabulary_share(subject.report, count))
    severity = SEVERITY_WORDS[mark.severity].capitalize()
    head = f"{severity}, {plural(count, 'flag')}, {share} of all tokens."
    return Section(
        words.title,
        mark.anchor,
        (
            Words(f"{head} {words.meaning} {words.advice}"),
            Table(f"Tokens: {words.title}", (*columns, Column("Evidence")), rows, note),
        ),
        level=3,
        mark=mark,
    )


def _row(row: TokenRow, *, with_use: bool) -> tuple[Cell, ...]:
    cells: list[Cell] = [Token(cut(readable(row.data))), whole(row.flag.id), whole(row.rank)]
    if with_use and row.use is None:
        cells += [NOTHING] * 3
    elif with_use and row.use is not None:
        cells += [whole(row.use.final), whole(row.use.documents), percent(row.use.share)]
    return (*cells, _evidence(row))


def _evidence(row: TokenRow) -> Evidence:
    sentence = row.flag.evidence
    witness = cut(readable(row.flag.witness.encode())) if row.flag.witness else ""
    context, use = row.context, row.use
    if context is not None:
        place = f"{shown(str(context.place))}, line {context.line:,}"
        around = (shown(context.before), shown(context.text), shown(context.after))
        return Evidence(sentence, witness, place, *around)
    place = shown(str(use.place)) if use is not None and use.place is not None else ""
    return Evidence(sentence, witness, place)
