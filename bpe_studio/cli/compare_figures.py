"""What `bpe-studio compare` prints for people about a corpus and about parallel files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from bpe_studio.cli.compare_words import clipped
from bpe_studio.cli.output import (
    counted,
    print_rows,
    shown,
    size_words,
    write_out,
)

if TYPE_CHECKING:
    from bpe_studio.analysis.corpus_comparison import CostlyPiece
    from bpe_studio.reports.compare_parts import CorpusPart
    from bpe_studio.reports.compare_subject import CompareSubject

__all__ = ["print_corpus", "print_costs", "print_parallel"]

_MOST_SHOWN: Final = 10
_MOST_CUTS: Final = 6


def print_corpus(subject: CompareSubject) -> None:
    """A row of figures a table, and the corpus by kind of file and by script."""
    from bpe_studio.reports.compare_figures import FIGURES, figure_rows, unknown_notes
    from bpe_studio.reports.compare_parts import kind_parts, script_parts

    corpus, facts = subject.corpus, subject.corpus_facts
    if corpus is None:
        return
    name = f"{shown(facts.name)}: " if facts is not None else ""
    write_out(
        f"\ncorpus {name}{counted(len(corpus.files), 'file')}, "
        f"{counted(corpus.document_count, 'document')}, {size_words(corpus.bytes)}, "
        f"{counted(corpus.characters, 'character')}\n"
    )
    rows = [(row.side, row.name, *row.values) for row in figure_rows(subject)]
    heads = ("", "", *(title for _, title in FIGURES))
    print_rows([heads, *rows], right="  " + ">" * len(FIGURES))
    for note in (*unknown_notes(subject), *corpus.notes):
        write_out(f"  {shown(note)}\n")
    _print_spans(subject)
    _print_parts(subject, "by kind of file", kind_parts(corpus))
    _print_parts(subject, "by script", script_parts(corpus))


def print_costs(subject: CompareSubject) -> None:
    """The files, the numbers and the pieces of the corpus that tell the tables apart."""
    from bpe_studio.reports.compare_parts import file_parts

    corpus = subject.corpus
    if corpus is None:
        return
    worst = [part for part in file_parts(corpus) if part.lost > 0]
    if len(corpus.files) > 1 and worst:
        _print_parts(subject, "files for which B needs most tokens more", worst)
    _print_numbers(subject)
    for side, pieces in (("B", corpus.dearer_b), ("A", corpus.dearer_a)):
        _print_pieces(side, pieces)


def _print_spans(subject: CompareSubject) -> None:
    from bpe_studio.reports.compare_figures import share
    from bpe_studio.reports.compare_words import DIFFERENCE_WORDS
    from bpe_studio.reports.words import percent

    assert subject.corpus is not None
    spans = subject.corpus.spans
    total = sum(spans.values())
    if total and total == spans.get("same", 0):
        write_out("\nboth cut it in the same places\n")
    elif total:
        write_out("\nthe text between places where both cut\n")
        rows = [
            (DIFFERENCE_WORDS[kind], f"{count:,}", percent(share(count, total)))
            for kind, count in spans.items()
        ]
        print_rows(rows, right=" >>")


def _print_parts(subject: CompareSubject, title: str, parts: Sequence[CorpusPart]) -> None:
    """Characters per token of each table, and how many tokens more B needs."""
    from bpe_studio.reports.compare_subject import letter
    from bpe_studio.reports.compare_words import extra_words
    from bpe_studio.reports.words import ratio

    more = f"; the first {_MOST_SHOWN} of {len(parts):,}" if len(parts) > _MOST_SHOWN else ""
    write_out(f"\n{title}, characters per token{more}\n")
    sides = [letter(number) for number in subject.encoding]
    rows = [("", "characters", *sides, "tokens of B")]
    rows += [
        (
            clipped(part.name),
            f"{part.characters:,}",
            *(ratio(part.per_token(number)) for number in range(len(sides))),
            extra_words(*part.tokens[:2]),
        )
        for part in parts[:_MOST_SHOWN]
    ]
    print_rows(rows, right=" >" + ">" * len(sides) + ">")


def _print_numbers(subject: CompareSubject) -> None:
    from bpe_studio.reports.compare_pieces import cut_words
    from bpe_studio.reports.compare_subject import letter

    corpus = subject.corpus
    assert corpus is not None
    if not corpus.numbers:
        return
    write_out(f"\nhow digits are cut, {counted(corpus.numbers, 'number')}\n")
    rows = []
    for number, figures in zip(subject.encoding, corpus.tables, strict=True):
        cuts = [f"{cut_words(one)} ({one.count:,})" for one in figures.number_cuts[:_MOST_CUTS]]
        more = len(figures.number_cuts) - len(cuts)
        rows.append((letter(number), ", ".join([*cuts, *([f"{more:,} more"] if more else [])])))
    print_rows(rows)


def _print_pieces(side: str, pieces: Sequence[CostlyPiece]) -> None:
    from bpe_studio.bpe.decoder import readable

    if not pieces:
        return
    write_out(f"\ndearest under {side}: text, times, tokens A : B, tokens lost\n")
    rows = [
        (
            clipped(readable(piece.data)),
            f"{piece.count:,}",
            f"{piece.tokens_a:,} : {piece.tokens_b:,}",
            f"{abs(piece.lost):,}",
        )
        for piece in pieces[:_MOST_SHOWN]
    ]
    print_rows(rows, right=" >>>")


def print_parallel(subject: CompareSubject) -> None:
    """What each language costs over the first one."""
    from bpe_studio.reports.compare_parts import language_parts
    from bpe_studio.reports.compare_subject import letter
    from bpe_studio.reports.words import ratio

    parallel = subject.parallel
    if parallel is None:
        return
    sides = [letter(number) for number in subject.encoding]
    write_out(f"\nparallel files, tokens over those of {shown(parallel.files[0])}\n")
    rows = [("", "characters", *(f"{side} tokens" for side in sides), *sides)]
    for part, ratios in zip(language_parts(parallel), parallel.ratios.T.tolist(), strict=True):
        tokens = (f"{number:,}" for number in part.tokens)
        rows.append((clipped(part.name), f"{part.characters:,}", *tokens, *map(ratio, ratios)))
    print_rows(rows, right=" " + ">" * (1 + 2 * len(sides)))
