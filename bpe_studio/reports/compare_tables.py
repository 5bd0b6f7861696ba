"""The tables side by side, as a section of a report: what they are, and what they do by rule."""

from __future__ import annotations

from collections.abc import Iterator

from bpe_studio.reports.compare_subject import CompareSubject, letter
from bpe_studio.reports.page import Block, Cell, Column, Facts, Section, Table, Token, Words
from bpe_studio.reports.words import cut, shown

__all__ = ["tables_section"]

_LONGEST = 300


def tables_section(subject: CompareSubject) -> Section:
    """Which tables, and their rules: those that differ first."""
    pairs = ((letter(number), Token(shown(name))) for number, name in enumerate(subject.names))
    return Section("The tables", "tables", (Facts(tuple(pairs)), *_rules(subject)))


def _rules(subject: CompareSubject) -> Iterator[Block]:
    differ = [rule for rule in subject.rules if not rule.same]
    alike = [rule for rule in subject.rules if rule.same]
    if differ:
        sides = (Column(letter(number), "name") for number in range(len(subject.names)))
        rows = [_row(rule.name, *rule.values) for rule in differ]
        yield Table("Rules that differ", (Column("What differs"), *sides), rows)
    else:
        yield Words("All that the tables do by rule is the same.")
    if alike:
        rows = [_row(rule.name, rule.values[0]) for rule in alike]
        columns = (Column("What is the same"), Column("All tables", "name"))
        yield Table("Rules that are the same", columns, rows)


def _row(name: str, *values: str) -> tuple[Cell, ...]:
    return name, *(Token(shown(cut(value, _LONGEST))) for value in values)
