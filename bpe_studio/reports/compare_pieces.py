"""What costs most under one table against the other, and how digits are cut, as sections."""

from __future__ import annotations

from collections.abc import Iterator

from bpe_studio.analysis.corpus_comparison import CostlyPiece, NumberCut
from bpe_studio.bpe.decoder import readable
from bpe_studio.reports.compare_subject import CompareSubject, letter
from bpe_studio.reports.page import Cell, Column, Section, Table, Token, Words
from bpe_studio.reports.words import cut, short, whole

__all__ = ["cut_words", "piece_sections"]

_MOST_CUTS = 12


def piece_sections(subject: CompareSubject) -> Iterator[Section]:
    """The dearest pieces of both sides, then the digits."""
    corpus = subject.corpus
    if corpus is None:
        return
    if subject.detailed:
        sides = (("B", "A", corpus.dearer_b), ("A", "B", corpus.dearer_a))
        for dear, cheap, pieces in sides:
            if pieces:
                yield _dearer(dear, cheap, pieces)
    if corpus.numbers:
        yield _numbers(subject)


def _dearer(dear: str, cheap: str, pieces: tuple[CostlyPiece, ...]) -> Section:
    columns = (
        Column("Text", "name"),
        Column("Times", "number"),
        Column("A: tokens", "number"),
        Column("B: tokens", "number"),
        Column("Tokens lost", "number"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            Token(cut(readable(piece.data))),
            *map(whole, (piece.count, piece.tokens_a, piece.tokens_b, abs(piece.lost))),
        )
        for piece in pieces
    ]
    words = Words(f"What takes most tokens more under {dear} than under {cheap}, added up.")
    title = f"Dearer under {dear}"
    anchor = f"dearer-{dear.lower()}"
    return Section(title, anchor, (words, Table(title, columns, rows)), level=3)


def cut_words(found: NumberCut) -> str:
    """``3+1`` for four digits as three and one."""
    return "+".join(map(str, found.digits))


def _numbers(subject: CompareSubject) -> Section:
    corpus = subject.corpus
    assert corpus is not None
    longer = f", and {corpus.long_numbers:,} longer ones" if corpus.long_numbers else ""
    rows: list[tuple[Cell, ...]] = []
    for number in subject.encoding:
        figures = subject.figures(number)
        assert figures is not None
        first = figures.number_cuts[:_MOST_CUTS]
        more = len(figures.number_cuts) - len(first)
        told = ", ".join(f"{cut_words(one)} ({one.count:,})" for one in first)
        rest = f" and {more:,} more ways" if more else ""
        rows.append((letter(number), Token(short(subject.names[number])), Token(told + rest)))
    words = Words(
        f"The corpus has {corpus.numbers:,} runs of at most 12 digits{longer}; 3+1 is four digits "
        "as a token of three and one of one."
    )
    columns = (Column(""), Column("Table", "name"), Column("Digits together", "name"))
    return Section("Digits", "digits", (words, Table("How digits are cut", columns, rows)), level=3)
