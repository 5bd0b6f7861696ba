"""The training record → how well the training corpus is compressed at every vocabulary size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.tokenizer import Tokenizer


@dataclass(frozen=True, eq=False)
class Curve:
    """Tokens of the training corpus after 0, 1, 2, … merges; exact.

    Attributes
    ----------
    vocab_sizes : int64 array, shape (merges + 1,)
        The vocabulary size, specials included, when that many merges are kept.
    tokens : int64 array, shape (merges + 1,)
        How many tokens the corpus is then.
    characters, bytes : int
        The size of the corpus.
    """

    vocab_sizes: NDArray[np.int64]
    tokens: NDArray[np.int64]
    characters: int
    bytes: int

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def characters_per_token(self) -> NDArray[np.float64]:
        """Compression; NaN where the corpus is empty."""
        return _per_token(self.characters, self.tokens)

    @property
    def bytes_per_token(self) -> NDArray[np.float64]:
        return _per_token(self.bytes, self.tokens)


def curve(tokenizer: Tokenizer) -> Curve | None:
    """The curve of a tokenizer that was trained; None for one without a training record."""
    training = tokenizer.training
    if training is None or "base_symbols" not in training.totals:
        return None
    totals = training.totals
    made = tokenizer.table.merges[:, 2]
    # A merge that makes a token which another merge makes already adds no id.
    is_new = np.zeros(len(made), dtype=np.int64)
    is_new[np.unique(made, return_index=True)[1]] = 1
    smallest = tokenizer.vocab_size - int(is_new.sum())
    return curve_of(
        training.applied,
        base_symbols=totals["base_symbols"],
        characters=totals["characters"],
        bytes=totals["bytes"],
        smallest=smallest,
        is_new=is_new,
    )


def curve_of(
    applied: NDArray[np.int64],
    *,
    base_symbols: int,
    characters: int,
    bytes: int,
    smallest: int,
    is_new: NDArray[np.int64] | None = None,
) -> Curve:
    """The curve from what is known while a training still runs.

    Parameters
    ----------
    applied : int64 array, shape (merges,)
        How often each merge was applied.
    base_symbols, characters, bytes : int
        The corpus before any merge.
    smallest : int
        The vocabulary size without merges.
    is_new : int64 array, shape (merges,), optional
        1 for a merge whose token is new, 0 for one that makes a token again.
    """
    new = np.ones(len(applied), dtype=np.int64) if is_new is None else is_new
    saved = np.concatenate(([0], np.cumsum(applied, dtype=np.int64)))
    sizes = smallest + np.concatenate(([0], np.cumsum(new, dtype=np.int64)))
    return Curve(sizes.astype(np.int64), (base_symbols - saved).astype(np.int64), characters, bytes)


def _per_token(amount: int, tokens: NDArray[np.int64]) -> NDArray[np.float64]:
    ratio = np.full(len(tokens), np.nan)
    np.divide(amount, tokens, out=ratio, where=tokens > 0)
    return ratio
