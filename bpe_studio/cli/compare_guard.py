"""`--fail-if-worse`: how many per cent more tokens B may need."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from bpe_studio.cli.output import shown

if TYPE_CHECKING:
    from bpe_studio.analysis.parallel import Parallel
    from bpe_studio.reports.compare_subject import CompareSubject

__all__ = ["Guarded", "guard_words", "guarded_texts", "parse_percent"]

_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Guarded:
    """A text that was given, and its tokens under A and B."""

    name: str
    tokens_a: int
    tokens_b: int


def parse_percent(text: str | Fraction) -> Fraction:
    """`2`, `0.5` and `2%` → that many per cent; ValueError in one sentence for anything else.

    >>> parse_percent("0.5 %")
    Fraction(1, 2)
    """
    number = str(text).strip()
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9}) ?%?", number)
    if match is None:
        raise ValueError(f"{number[:20]!r} is no percentage; write it as 2 or 0.5, 0 or more")
    return Fraction(match[1])


def guarded_texts(subject: CompareSubject, parallel: Parallel | None) -> Iterator[Guarded]:
    """Everything that was given, text by text.

    Parameters
    ----------
    parallel : files that are no part of the corpus
    """
    for document in subject.text.documents if subject.text is not None else ():
        a, b = document.tokens[:2]
        if a is not None and b is not None:
            yield Guarded(document.name, a, b)
    if subject.corpus is not None and subject.detailed:
        a_tokens, b_tokens = (table.file_tokens for table in subject.corpus.tables[:2])
        yield from map(Guarded, subject.corpus.files, a_tokens.tolist(), b_tokens.tolist())
    if parallel is not None:
        yield from map(Guarded, parallel.files, *parallel.tokens[:2].tolist())


def guard_words(texts: Sequence[Guarded], percent: Fraction) -> str:
    """Why the guard fails, in a sentence; empty where it does not.

    It fails when B needs more tokens than A, by so many per cent of A's or more: 0 allows none.

    Raises
    ------
    ValueError
        There are no tokens to judge by.
    """
    a, b = sum(text.tokens_a for text in texts), sum(text.tokens_b for text in texts)
    if not a:
        raise ValueError("A makes no token of the texts, so --fail-if-worse cannot judge by them.")
    if b <= a or 100 * (b - a) < percent * a:
        return ""
    limit = f"{float(percent):g} % or more fails" if percent else "any more fails"
    words = f"B needs {_percent(a, b)} more tokens than A ({b:,} against {a:,}), and {limit}"
    worst = sorted(texts, key=lambda text: text.tokens_a - text.tokens_b)[:_MOST_NAMED]
    told = [
        f"{shown(text.name)} {_percent(text.tokens_a, text.tokens_b)} "
        f"({text.tokens_b:,} against {text.tokens_a:,})"
        for text in worst
        if text.tokens_b > text.tokens_a
    ]
    return f"{words}; worst: {', '.join(told)}." if len(texts) > 1 else f"{words}."


def _percent(a: int, b: int) -> str:
    return f"{100 * (b - a) / a:.2f} %" if a else f"{b:,}"
