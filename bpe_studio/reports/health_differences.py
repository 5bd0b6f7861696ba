"""Two reports side by side, as a section of the later one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpe_studio.analysis.health_change import HealthChange
from bpe_studio.bpe.decoder import readable
from bpe_studio.reports.health_subject import HealthSubject
from bpe_studio.reports.health_summary import kind_mark
from bpe_studio.reports.page import NOTHING, Block, Cell, Column, Section, Table, Token, Words
from bpe_studio.reports.words import cut, figure, plural, short, shown, signed, whole

__all__ = ["MOST_NAMED", "change_section"]

MOST_NAMED: Final = 24
"""Tokens that went or came, of each kind, that a report names."""


def change_section(subject: HealthSubject) -> Iterator[Section]:
    """Nothing without an earlier report."""
    change = subject.change
    if change is None:
        return
    sides = (
        Column(f"Before: {short(subject.before_name)}", "number"),
        Column(f"After: {short(subject.name)}", "number"),
    )
    counts = (*sides, *(Column(name, "number") for name in ("Difference", "Went", "Came")))
    blocks: list[Block] = [
        Words(
            f"{plural(change.gone, 'flag')} went and {change.come:,} came, from "
            f"{shown(subject.before_name)} to {shown(subject.name)}. Tokens are the same when "
            "their bytes are, whatever their ids."
        ),
        Table("Figures before and after", (Column("Figure"), *sides), _figure_rows(change)),
        Table("Kinds before and after", (Column("Kind"), *counts), _kind_rows(change)),
    ]
    named = list(_named_rows(change))
    if named:
        columns = (
            Column("Kind"),
            Column("What happened"),
            Column("Tokens", "number"),
            Column("The first of them", "name"),
        )
        blocks.append(Table("Tokens that went and came", columns, named))
    yield Section("Before and after", "change", tuple(blocks))


def _figure_rows(change: HealthChange) -> list[tuple[Cell, ...]]:
    return [
        (one.title, figure(one.before, one.unit), figure(one.after, one.unit))
        for one in change.told_figures
    ]


def _kind_rows(change: HealthChange) -> list[tuple[Cell, ...]]:
    return [
        (
            kind_mark(kind.kind, linked=bool(kind.after)),
            whole(kind.before),
            whole(kind.after),
            signed(kind.difference),
            NOTHING if kind.difference is None else whole(len(kind.gone)),
            NOTHING if kind.difference is None else whole(len(kind.come)),
        )
        for kind in change.kinds
        if kind.before or kind.after
    ]


def _named_rows(change: HealthChange) -> Iterator[tuple[Cell, ...]]:
    for kind in change.kinds:
        mark = kind_mark(kind.kind, linked=bool(kind.after))
        if kind.gone:
            left = f"; {kind.left:,} of them are no tokens any more" if kind.left else ""
            yield mark, f"went{left}", whole(len(kind.gone)), _named(kind.gone)
        if kind.come:
            new = f"; {kind.new:,} of them are new tokens" if kind.new else ""
            yield mark, f"came{new}", whole(len(kind.come)), _named(kind.come)


def _named(tokens: tuple[bytes, ...]) -> Token:
    names = [cut(readable(data), 40) for data in tokens[:MOST_NAMED]]
    more = len(tokens) - len(names)
    return Token("  ".join(names) + (f"  and {more:,} more" if more else ""))
