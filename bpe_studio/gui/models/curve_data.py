"""The compression curve of a table, exact from its training record, growing while it trains."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.bpe.trainer import MergeBatch


class LiveCurve:
    """Tokens of the training corpus at every vocabulary size.

    Point `i` is the table of the first `i` merges: `sizes[i]` ids and `tokens[i]` tokens; the
    corpus holds `characters` and `bytes` at every size.
    """

    def __init__(
        self, *, first_size: int, characters: int, size_bytes: int, tokens: NDArray[np.int64]
    ) -> None:
        self._first = first_size
        self._tokens = tokens
        self.characters = characters
        self.bytes = size_bytes

    def __len__(self) -> int:
        return len(self._tokens)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Vocabulary sizes, ascending by one."""
        return self._first + np.arange(len(self._tokens), dtype=np.int64)

    @property
    def tokens(self) -> NDArray[np.int64]:
        """Tokens in all at each size."""
        return self._tokens

    @property
    def characters_per_token(self) -> NDArray[np.float64]:
        """Characters per token at each size."""
        return self.characters / np.maximum(self._tokens, 1)

    @property
    def bytes_per_token(self) -> NDArray[np.float64]:
        """Bytes per token at each size."""
        return self.bytes / np.maximum(self._tokens, 1)

    def point_at_size(self, size: float) -> int:
        """Return the point nearest to a vocabulary size."""
        return int(min(max(round(size) - self._first, 0), len(self._tokens) - 1))

    def rank_at(self, point: int) -> int | None:
        """Return the rank of the merge that led to a point; the first point has none."""
        return point - 1 if point > 0 else None

    def append(self, batch: MergeBatch) -> bool:
        """Take merges that were just learned; False if they do not follow the last one."""
        known = len(self._tokens) - 1
        fresh = batch.applied[max(known - batch.first_rank, 0) :]
        if batch.first_rank > known:
            return False
        more = self._tokens[-1] - np.cumsum(fresh, dtype=np.int64)
        self._tokens = np.concatenate([self._tokens, more])
        return True

    def csv(self) -> bytes:
        """Return the curve as a table for a spreadsheet."""
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["vocab_size", "tokens", "characters_per_token", "bytes_per_token"])
        columns = (self.sizes, self.tokens, self.characters_per_token, self.bytes_per_token)
        for size, tokens, characters, size_bytes in zip(*map(_list, columns), strict=True):
            writer.writerow([size, tokens, f"{characters:.6f}", f"{size_bytes:.6f}"])
        return lines.getvalue().encode()


def curve_of(tokenizer: Tokenizer) -> LiveCurve | None:
    """Return the curve of a table, or None where no training record is kept."""
    record = tokenizer.training
    if record is None or not record.totals.get("base_symbols"):
        return None
    totals = record.totals
    tokens = np.empty(len(record.applied) + 1, np.int64)
    tokens[0] = totals["base_symbols"]
    tokens[1:] = totals["base_symbols"] - np.cumsum(record.applied, dtype=np.int64)
    return LiveCurve(
        first_size=tokenizer.vocab_size - len(record.applied),
        characters=totals["characters"],
        size_bytes=totals["bytes"],
        tokens=tokens,
    )


def _list(values: NDArray[np.generic]) -> list[float]:
    return values.tolist()
