"""How well a corpus or a text is compressed at every vocabulary size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.trace import Trace
from bpe_studio.bpe.traced_text import TracedText
from bpe_studio.bpe.words import WordCounts


@dataclass(frozen=True, eq=False)
class Curve:
    """Tokens of a corpus or a text after 0, 1, 2, … merges.

    Attributes
    ----------
    vocab_sizes : int64 array, shape (merges + 1,)
        The vocabulary size, specials included, when that many merges are kept.
    tokens : int64 array, shape (merges + 1,)
        How many tokens the corpus is then.
    characters, bytes : int
        The size of the corpus.
    exact_from : int
        From so many merges on all is exact: 0, but for trainings that have continued a table whose
        merges may use what only a later one makes. How often each is applied tells then what the
        first k do only where all of those are among them.
    """

    vocab_sizes: NDArray[np.int64]
    tokens: NDArray[np.int64]
    characters: int
    bytes: int
    exact_from: int = 0

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
    return _recorded(tokenizer, training.applied, training.totals)


def held_out_curve(tokenizer: Tokenizer) -> Curve | None:
    """The curve of what was held out of the training; None where nothing was."""
    training = tokenizer.training
    if training is None or training.held_out is None or not training.held_out_totals["bytes"]:
        return None
    return _recorded(tokenizer, training.held_out, training.held_out_totals)


def text_curve(traced: TracedText, text: str) -> Curve:
    """The curve of a text that was traced."""
    return Curve(
        vocab_sizes(traced.tokenizer),
        traced.counts(),
        characters=len(text),
        bytes=len(text.encode()),
        exact_from=traced.exact_from,
    )


def words_curve(tokenizer: Tokenizer, trace: Trace, words: WordCounts) -> Curve:
    """The curve of counted documents whose distinct pieces were traced."""
    return Curve(
        vocab_sizes(tokenizer),
        trace.counts(words.counts),
        characters=words.characters,
        bytes=words.bytes,
    )


def _recorded(tokenizer: Tokenizer, applied: NDArray[np.int64], totals: Mapping[str, int]) -> Curve:
    sizes = vocab_sizes(tokenizer)
    found = curve_of(
        applied,
        base_symbols=totals["base_symbols"],
        characters=totals["characters"],
        bytes=totals["bytes"],
        smallest=int(sizes[0]),
        is_new=np.diff(sizes),
    )
    return replace(found, exact_from=last_disorder(tokenizer.table))


def last_disorder(table: MergeTable) -> int:
    """How many first merges hold all that make what a merge of lower rank uses; 0 for none.

    Only imported tables have such merges. Under so many merges or more, a merge happens as often
    as under all of them, as far as it is among them.
    """
    merges = table.dense_merges
    last_made = np.zeros(len(table), dtype=np.int64)
    ranks = np.arange(1, len(merges) + 1)
    last_made[merges[:, 2]] = ranks  # of several writes the last one stays
    needed = last_made[merges[:, :2]]
    return int(needed[needed > ranks[:, np.newaxis]].max(initial=0))


def vocab_sizes(tokenizer: Tokenizer) -> NDArray[np.int64]:
    """int64 (merges + 1,): the vocabulary size under the first 0, 1, 2, … merges.

    Specials are included, and distinct tokens counted: a merge that makes a token which an earlier
    one makes already adds none.
    """
    new = np.bincount(tokenizer.table.made_at, minlength=len(tokenizer.table.merges) + 1)
    return np.cumsum(new, dtype=np.int64) + len(tokenizer.special_ids)


def merges_of_size(tokenizer: Tokenizer, vocab_size: int) -> int:
    """How many first merges make a vocabulary of this size; the most, where several do.

    Raises
    ------
    ValueError
        The table never has that size.
    """
    sizes = vocab_sizes(tokenizer)
    if len(sizes) == 1:
        raise ValueError("The table has no merges, so it can have no other vocabulary size.")
    if not sizes[0] <= vocab_size <= sizes[-1]:
        raise ValueError(
            f"The first merges of the table make vocabularies of {sizes[0]:,} to {sizes[-1]:,} "
            f"tokens, not of {vocab_size:,}."
        )
    return int(np.searchsorted(sizes, vocab_size, side="right")) - 1


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
