"""What `bpe-studio compare` prints for people about two tables or more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bpe_studio.cli.compare_words import clipped, token_words
from bpe_studio.cli.output import counted, print_rows, shown, write_out

if TYPE_CHECKING:
    from bpe_studio.analysis.table_comparison import Parts, TableComparison
    from bpe_studio.reports.compare_subject import CompareSubject

__all__ = ["MOST_SHOWN", "print_compared"]

MOST_SHOWN: Final = 10
_MOST_SPECIALS: Final = 12


def print_compared(subject: CompareSubject) -> None:
    """Figures of all that was compared first, then the first of what differs."""
    from bpe_studio.cli.compare_figures import print_corpus, print_costs, print_parallel
    from bpe_studio.cli.compare_text_listing import print_differences, print_texts

    _print_tables(subject)
    print_texts(subject)
    print_corpus(subject)
    print_parallel(subject)
    _print_tokens(subject)
    print_differences(subject)
    print_costs(subject)


def _print_tables(subject: CompareSubject) -> None:
    """Sizes, what differs in a few lines, and the rules that differ."""
    from bpe_studio.reports.compare_subject import letter
    from bpe_studio.reports.compare_words import (
        merge_words,
        moved_words,
        overlap_words,
        shared_words,
    )
    from bpe_studio.reports.words import ratio

    tables = subject.tables
    rows = [("", "name", "ids", "merges", "pattern", "base")]
    for number, (name, one) in enumerate(zip(subject.names, subject.tokenizers, strict=True)):
        sizes = (f"{one.vocab_size:,}", f"{len(one.table.merges):,}")
        rows.append((letter(number), name, *sizes, one.pattern.name, one.base))
    print_rows(rows, right="  >>", indent=0)
    lines = [subject.outcome] if tables.same_but_ids else []
    lines += [shared_words(tables), moved_words(tables)]
    if tables.rank_correlation == tables.rank_correlation:
        lines.append(f"rank correlation of shared tokens {ratio(tables.rank_correlation)}")
    if not tables.same_but_ids and overlap_words(tables.overlap()):
        lines.append(overlap_words(tables.overlap()))
    for side, names in (("A", tables.specials_only_a), ("B", tables.specials_only_b)):
        if names:
            more = len(names) - _MOST_SPECIALS
            rest = f", and {more:,} more (--json lists all)" if more > 0 else ""
            lines.append(f"specials only in {side}: {', '.join(names[:_MOST_SPECIALS])}{rest}")
    lines.append(merge_words(tables.first_difference))
    write_out("\n" + "".join(f"{shown(line)}\n" for line in lines))
    _print_rules(subject)


def _print_tokens(subject: CompareSubject) -> None:
    """The first of the tokens that are made otherwise, and of those that one table lacks."""
    tables = subject.tables
    _print_otherwise(tables)
    for side, ids, others in (
        ("A", tables.id_a, tables.id_b),
        ("B", tables.id_b, tables.id_a),
    ):
        _print_only(side, tables, ids, others)


def _print_rules(subject: CompareSubject) -> None:
    from bpe_studio.reports.compare_subject import letter

    differ = [rule for rule in subject.rules if not rule.same]
    if not differ:
        write_out("\nrules: all the same\n")
        return
    heads = tuple(letter(number) for number in range(len(subject.names)))
    rows = [(rule.name, *map(clipped, rule.values)) for rule in differ]
    write_out("\n")
    print_rows([("rules that differ", *heads), *rows], indent=0)


def _print_otherwise(tables: TableComparison) -> None:
    rows = np.flatnonzero(tables.other_merge)
    if not len(rows):
        return
    first = rows[np.argsort(tables.rank_a[rows], kind="stable")[:MOST_SHOWN]].tolist()
    more = "; the first of them" if len(rows) > MOST_SHOWN else ""
    write_out(f"\nmade of other parts: {counted(len(rows), 'token')}{more}\n")
    print_rows(
        [
            (
                token_words(tables.token(row)),
                f"A {_merge(tables.parts_a(row))}",
                f"B {_merge(tables.parts_b(row))}",
            )
            for row in first
        ]
    )


def _print_only(side: str, tables: TableComparison, ids: Any, others: Any) -> None:
    rows = ((others < 0) & (ids >= 0)).nonzero()[0]
    if not len(rows):
        return
    more = "; the first of them" if len(rows) > MOST_SHOWN else ""
    write_out(f"\nonly in {side}: {counted(len(rows), 'token')}{more}\n")
    print_rows([(ids[row], token_words(tables.token(row))) for row in rows[:MOST_SHOWN]], right=">")


def _merge(parts: Parts | None) -> str:
    return "–" if parts is None else " + ".join(map(token_words, parts))
