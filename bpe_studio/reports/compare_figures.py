"""What tables make of a corpus, as rows: the same figures in reports and on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bpe_studio.analysis.corpus_comparison import CorpusComparison, TableFigures
from bpe_studio.analysis.unknown_tokens import UNKNOWN_NAMES
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.reports.compare_subject import CompareSubject, letter
from bpe_studio.reports.compare_words import extra_words
from bpe_studio.reports.words import percent, ratio, short, whole

__all__ = ["FIGURES", "FigureRow", "figure_rows", "share", "unknown_notes", "unknown_tokens"]

FIGURES: Final = (
    ("ids", "ids"),
    ("tokens", "tokens"),
    ("against A", "against A"),
    ("characters per token", "chars/token"),
    ("bytes per token", "bytes/token"),
    ("words kept whole", "whole words"),
    ("tokens per word", "tokens/word"),
    ("Rényi efficiency", "Rényi"),
    ("ids in use", "in use"),
)
"""The figures of a row by their titles, and in short."""


def share(part: float, total: float) -> float:
    """A part of a total; NaN of nothing."""
    return part / total if total else float("nan")


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A table, perhaps cut to a size, and its figures in words, as in `FIGURES`."""

    side: str
    name: str
    values: tuple[str, ...]
    figures: TableFigures


def figure_rows(subject: CompareSubject) -> Iterator[FigureRow]:
    """A row a table that can encode; then both of the first two at one size, where they can be."""
    corpus = subject.corpus
    if corpus is None:
        return
    first = corpus.tables[0]
    for number in subject.encoding:
        figures = subject.figures(number)
        assert figures is not None
        name = short(subject.names[number])
        yield FigureRow(letter(number), name, _values(corpus, figures, first), figures)
    equal = corpus.equal
    if equal is not None and subject.detailed:
        for side, figures in (("A", equal.a), ("B", equal.b)):
            name = f"at {equal.vocab_size:,} ids"
            yield FigureRow(side, name, _values(corpus, figures, equal.a), figures)


def _values(
    corpus: CorpusComparison, figures: TableFigures, first: TableFigures
) -> tuple[str, ...]:
    against = "" if figures is first else extra_words(first.tokens, figures.tokens)
    return (
        whole(figures.vocab_size),
        whole(figures.tokens),
        against,
        ratio(share(corpus.characters, figures.tokens)),
        ratio(share(corpus.bytes, figures.tokens)),
        percent(share(figures.whole_words, corpus.words)),
        ratio(share(figures.word_tokens, corpus.words)),
        ratio(figures.renyi_efficiency),
        whole(figures.used),
    )


def unknown_tokens(tokenizer: Tokenizer, figures: TableFigures) -> int | None:
    """How many of the tokens stand for text that the table cannot spell, with other specials that
    it cuts among them; None for a table without an unknown token.
    """
    if tokenizer.rules.unknown is None and tokenizer.outside is None:
        return None
    count = figures.tokens - int(figures.final.sum())
    # A model of another library may have it among its ordinary tokens.
    for token, uses in zip(figures.ids.tolist(), figures.final.tolist(), strict=True):
        if uses and tokenizer.outside is not None and tokenizer.token_bytes(token) in UNKNOWN_NAMES:
            count += uses
    return count


def unknown_notes(subject: CompareSubject) -> Iterator[str]:
    """A sentence for each table that writes unknown tokens.

    Text that it cannot spell takes few tokens, and nothing is left of it: a figure that looks good
    and is not.
    """
    for number in subject.encoding:
        figures = subject.figures(number)
        count = figures and unknown_tokens(subject.tokenizers[number], figures)
        if figures is not None and count:
            part = percent(share(count, figures.tokens))
            yield (
                f"{letter(number)} has its unknown token, or another special, {count:,} times "
                f"({part} of its tokens): nothing is left of text that it cannot spell, and its "
                "figures look better than they are."
            )
