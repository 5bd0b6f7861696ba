"""What a model would have of every vocabulary size, as lines with their words."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLocale

from bpe_studio.analysis.sizing import Sizing
from bpe_studio.analysis.token_uses import TokenUses, rare_tokens, uses_in_training
from bpe_studio.gui.models.numbers import grouped

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

SOURCES = {
    "held-out": "what was held out",
    "training": "the training corpus",
    "text": "the text",
}
SHORT = {"held-out": "held out", "training": "training", "text": "this text"}


@dataclass(frozen=True, eq=False)
class SizingRow:
    """One line: a value at every number of merges.

    Attributes
    ----------
    name, tip : str
    values : float64 array, or None where they are not known
    words : callable
        From a value to how it is written.
    unknown : str
        What to say where they are not known.
    """

    name: str
    tip: str
    values: NDArray[np.float64] | None
    words: Callable[[float], str]
    unknown: str = ""

    @cached_property
    def largest(self) -> float:
        """The largest value that is a number; 0 for none."""
        if self.values is None:
            return 0.0
        return float(np.max(self.values, initial=0.0, where=np.isfinite(self.values)))


def rows_of(
    sizing: Sizing, rare: NDArray[np.int64] | None, *, below: int, recorded: bool
) -> list[SizingRow]:
    """The lines of a model; `recorded` is whether there is a training record, which has uses."""
    source = SOURCES[sizing.measured.source]
    return [
        SizingRow(
            "Embedding",
            "Parameters of the embeddings: the vocabulary times the width, twice where input and "
            "output have one each.",
            sizing.embedding_parameters.astype(np.float64),
            parameters,
        ),
        SizingRow(
            f"Tokens, {SHORT[sizing.measured.source]}",
            f"Tokens a document: the mean over the documents of {source}.",
            sizing.tokens_per_document,
            lambda value: grouped(round(value)),
        ),
        SizingRow(
            "Attention",
            "The pairs of tokens that full attention compares in such a document, relative to the "
            "largest size. A document is read in windows of the context and a "
            "rest: within one the work grows with the square of the tokens, beyond in proportion.",
            sizing.attention_work,
            lambda value: f"× {decimal(value, 2)}",
        ),
        SizingRow(
            "Fit the context",
            "How many such documents the context holds.",
            sizing.documents_in_context,
            short,
        ),
        SizingRow(
            "Rare tokens",
            f"Tokens of the vocabulary that merges have made and that the training corpus uses "
            f"fewer than {grouped(below)} times at that size.",
            None if rare is None else rare.astype(np.float64),
            lambda value: grouped(round(value)),
            "…" if recorded else "not recorded",
        ),
    ]


def parameters(value: float) -> str:
    """65_536_000 -> 65.5 M."""
    for unit, size in (("B", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{decimal(value / size, 1)} {unit}"
    return grouped(round(value))


def short(value: float) -> str:
    """Three digits: 0.00218, 2.48, 1,230."""
    if value >= 100:
        return grouped(round(value))
    places = 2 - int(np.floor(np.log10(value))) if value > 0 else 0
    return decimal(value, min(max(places, 0), 6))


def decimal(value: float, places: int) -> str:
    return QLocale().toString(float(value), "f", places)


class RareTokens:
    """How many tokens are rare at every size, kept as long as the question is the same."""

    def __init__(self) -> None:
        self._tokenizer: Tokenizer | None = None
        self._uses: TokenUses | None = None

    def count(
        self, tokenizer: Tokenizer, below: int
    ) -> Generator[None, None, NDArray[np.int64] | None]:
        """Count, for a Job; None where no training is recorded."""
        if tokenizer is not self._tokenizer:
            self._tokenizer, self._uses = tokenizer, uses_in_training(tokenizer)
        yield
        return None if self._uses is None else rare_tokens(self._uses, below)
