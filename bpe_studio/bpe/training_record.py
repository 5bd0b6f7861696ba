"""What a training saw and did: the part of a tokenizer that tells its history."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.table import read_only

__all__ = ["TrainingRecord"]


@dataclass(frozen=True)
class TrainingRecord:
    """What training saw and did.

    Attributes
    ----------
    counts, applied : int64 arrays, shape (merges,)
        By rank: the count of the pair when it was chosen, and how often the merge was applied
        (fewer where the pair overlaps itself, as in ``aaa``).
    settings : dict
        Every setting, as it is written in the file.
    totals : dict
        documents, characters, bytes, pieces, distinct_pieces, base_symbols, tokens.
    corpus : dict
        files (path relative to the root that was given, size), fingerprint, problems.
    """

    counts: NDArray[np.int64]
    applied: NDArray[np.int64]
    settings: dict[str, Any] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    corpus: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", read_only(self.counts))
        object.__setattr__(self, "applied", read_only(self.applied))

    def prefix(self, merges: int, *, vocab_size: int) -> TrainingRecord:
        """The record of a training to `vocab_size`, which ended after `merges` merges."""
        applied = self.applied[:merges]
        totals = {**self.totals, "tokens": self.totals["base_symbols"] - int(applied.sum())}
        settings = {**self.settings, "vocab_size": vocab_size}
        if "continued_from" in settings:
            settings["continued_from"] = min(settings["continued_from"], merges)
        return replace(
            self, counts=self.counts[:merges], applied=applied, settings=settings, totals=totals
        )
