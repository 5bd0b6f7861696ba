"""What a training saw and did: the part of a tokenizer that tells its history."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.arrays import read_only

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
    held_out : int64 array, shape (merges,), or None
        By rank: how often the merge is applied on the documents that were held out; None where
        none were to be.
    held_out_totals : dict
        The totals of these documents, which are no part of `totals`; zeros where the hold-out took
        none, empty where there was no hold-out.
    """

    counts: NDArray[np.int64]
    applied: NDArray[np.int64]
    settings: dict[str, Any] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    corpus: dict[str, Any] = field(default_factory=dict)
    held_out: NDArray[np.int64] | None = None
    held_out_totals: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", read_only(self.counts))
        object.__setattr__(self, "applied", read_only(self.applied))
        if self.held_out is not None:
            object.__setattr__(self, "held_out", read_only(self.held_out))

    @property
    def hold_out(self) -> float:
        """The share of the documents that was to be held out; 0 for none."""
        return float(self.settings.get("hold_out", 0.0))

    @property
    def without(self) -> tuple[str, ...]:
        """The names of files and rows of the corpus that were not read."""
        return tuple(self.settings.get("without", ()))

    def prefix(self, merges: int, *, vocab_size: int) -> TrainingRecord:
        """The record of a training to `vocab_size`, which ended after `merges` merges."""
        settings = {**self.settings, "vocab_size": vocab_size}
        if "continued_from" in settings:
            settings["continued_from"] = min(settings["continued_from"], merges)
        held_out = None if self.held_out is None else self.held_out[:merges]
        return replace(
            self,
            counts=self.counts[:merges],
            applied=self.applied[:merges],
            settings=settings,
            totals=_after(self.totals, self.applied[:merges]),
            held_out=held_out,
            held_out_totals={} if held_out is None else _after(self.held_out_totals, held_out),
        )


def _after(totals: dict[str, int], applied: NDArray[np.int64]) -> dict[str, int]:
    """The totals of a corpus after these merges."""
    return {**totals, "tokens": totals["base_symbols"] - int(applied.sum())}
