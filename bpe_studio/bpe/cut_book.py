"""The distinct pieces of one pattern that one thread has met, by number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.patterns import Pattern
from bpe_studio.bpe.scanner import rules_of
from bpe_studio.bpe.word_table import BATCH, WordTable

if TYPE_CHECKING:
    from bpe_studio.kernels.scan import Rules

__all__ = ["CutBook", "Numbered"]


class Numbered(NamedTuple):
    """The pieces of texts: text i has ``numbers[borders[i] : borders[i + 1]]``."""

    texts: NDArray[np.int64]
    numbers: NDArray[np.int32]
    borders: NDArray[np.int64]


class CutBook:
    """Numbers pieces in the order in which they are met."""

    def __init__(self, pattern: Pattern) -> None:
        from bpe_studio.kernels import cuts

        rules = rules_of(pattern)
        assert rules is not None
        self._kernel: Any = cuts
        self._rules: Rules = rules
        self.words = WordTable()
        self._ends = np.empty(BATCH, dtype=np.int64)

    def number(self, data: NDArray[np.uint8], texts: NDArray[np.int64]) -> Numbered:
        """The pieces of texts that end at `texts` in padded data."""
        size = int(texts[-1]) if len(texts) else 0
        numbers = np.empty(size, dtype=np.int32)
        borders = np.zeros(len(texts) + 1, dtype=np.int64)
        state = np.zeros(3, dtype=np.int64)
        while self._kernel.number_texts(
            data, texts, state, self._rules, self._ends,
            self.words.table, self.words.scratch, numbers, borders,
        ) != self._kernel.DONE:  # fmt: skip
            self.words.grow()
        return Numbered(texts, numbers, borders)
