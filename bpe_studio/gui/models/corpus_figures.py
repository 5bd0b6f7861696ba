"""The figures of tables on a corpus: what each means, what it is, and how it reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QLocale

from bpe_studio.analysis.corpus_comparison import CorpusComparison, TableFigures
from bpe_studio.gui.models.numbers import grouped

NONE: Final = "–"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of one table: its title, its short title, what it means, its value, its digits.

    `digits` are those after the point; a `share` is written in per cent. `spare` tells which of
    them a narrow table can do without.
    """

    title: str
    short: str
    meaning: str
    value: Callable[[CorpusComparison, TableFigures], float]
    digits: int = 0
    share: bool = False
    spare: int = 0

    def written(self, value: float) -> str:
        """A value as it reads."""
        if value != value:
            return NONE
        if self.share:
            return f"{decimal(100 * value, 1)} %"
        return decimal(value, self.digits) if self.digits else grouped(round(value))


def decimal(value: float, digits: int) -> str:
    """3.14159, 2 -> 3.14, in the locale's way; NaN is a dash."""
    return NONE if value != value else QLocale().toString(float(value), "f", digits)


def ratio(part: float, whole: float) -> float:
    """One number over another; NaN where there is nothing."""
    return part / whole if whole else float("nan")


def extra(a: float, b: float) -> float:
    """How many per cent more b is than a; NaN where there is no a."""
    return 100 * (ratio(b, a) - 1)


def signed(percent: float) -> str:
    """3.21 -> +3.2 %, with a true minus; a difference that rounds to none has no sign.

    >>> signed(-12.34), signed(0.01), signed(float("nan"))
    ('−12.3 %', '0.0 %', '–')
    """
    if percent != percent:
        return NONE
    size = decimal(abs(percent), 1)
    sign = "" if round(abs(percent), 1) == 0 else "+" if percent > 0 else "−"
    return f"{sign}{size} %"


FIGURES: Final = (
    Figure("Vocabulary size", "Vocabulary", "Distinct token ids, specials included.",
           lambda found, table: table.vocab_size, spare=1),
    Figure("Tokens", "Tokens", "How many tokens the corpus becomes.",
           lambda found, table: table.tokens),
    Figure("Characters per token", "Chars/token", "Compression: more is better.",
           lambda found, table: ratio(found.characters, table.tokens), digits=2),
    Figure("Bytes per token", "Bytes/token", "Compression in bytes of UTF-8.",
           lambda found, table: ratio(found.bytes, table.tokens), digits=2, spare=6),
    Figure("Tokens per word", "Tokens/word",
           "Fertility: tokens that a run of letters touches, on average. Scripts that put no "
           "spaces between words are left out.",
           lambda found, table: ratio(table.word_tokens, found.words), digits=2, spare=2),
    Figure("Words kept whole", "Whole words", "Share of words that no token border cuts.",
           lambda found, table: ratio(table.whole_words, found.words), share=True, spare=3),
    Figure("Rényi efficiency (α = 2.5)", "Rényi",
           "How evenly the tokens are used, from 0 to 1: Rényi entropy of order 2.5 over the "
           "logarithm of the vocabulary size.",
           lambda found, table: table.renyi_efficiency, digits=3, spare=4),
    Figure("Tokens in use", "Used", "Different tokens that the corpus uses at all.",
           lambda found, table: table.used, spare=5),
)  # fmt: skip
TOKENS: Final = FIGURES[1]


def headline(
    found: CorpusComparison, title: str, names: tuple[str, ...], *, equal: bool = False
) -> str:
    """Which of the first two serves this corpus better, as they are or at equal size."""
    a, b = found.tables[:2]
    at = ""
    if equal and found.equal is not None:
        a, b, at = found.equal.a, found.equal.b, f", both at {grouped(found.equal.vocab_size)} ids"
    per = [decimal(ratio(found.characters, table.tokens), 2) for table in (a, b)]
    if a.tokens == b.tokens:
        said = f"{names[1]} needs as many tokens as {names[0]}"
        per = per[:1]
    else:
        more = extra(a.tokens, b.tokens)
        amount = f"{decimal(abs(more), 1 if abs(more) >= 0.1 else 2)} %"
        said = f"{names[1]} needs {amount} {'more' if more > 0 else 'fewer'} tokens than {names[0]}"
    return f"{said} on {title}{at}: {' against '.join(reversed(per))} characters per token."
