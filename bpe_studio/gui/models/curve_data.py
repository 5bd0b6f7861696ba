"""The compression curve of a table, exact from its training record, growing while it trains."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compression import Curve, curve

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.bpe.trainer import MergeBatch


class LiveCurve:
    """A `Curve` to which merges can be added; point `i` is the table of the first `i` merges."""

    def __init__(self, known: Curve) -> None:
        self._curve = known

    def __len__(self) -> int:
        return len(self._curve)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Vocabulary sizes, ascending."""
        return self._curve.vocab_sizes

    @property
    def tokens(self) -> NDArray[np.int64]:
        """Tokens of the corpus at each size."""
        return self._curve.tokens

    @property
    def characters_per_token(self) -> NDArray[np.float64]:
        """Characters per token at each size."""
        return self._curve.characters_per_token

    @property
    def bytes_per_token(self) -> NDArray[np.float64]:
        """Bytes per token at each size."""
        return self._curve.bytes_per_token

    def point_at_size(self, size: float) -> int:
        """Return the point nearest to a vocabulary size."""
        sizes = self.sizes
        after = int(np.searchsorted(sizes, size))
        near = [place for place in (after - 1, after) if 0 <= place < len(sizes)]
        return min(near, key=lambda place: abs(float(sizes[place]) - size))

    def rank_at(self, point: int) -> int | None:
        """Return the rank of the merge that led to a point; the first point has none."""
        return point - 1 if point > 0 else None

    def append(self, batch: MergeBatch) -> bool:
        """Take merges that were just learned; False if they do not follow the last one."""
        known = len(self) - 1
        if batch.first_rank > known:
            return False
        fresh = np.cumsum(batch.applied[known - batch.first_rank :], dtype=np.int64)
        old = self._curve
        new_sizes = old.vocab_sizes[-1] + np.arange(1, len(fresh) + 1)
        self._curve = Curve(
            np.concatenate([old.vocab_sizes, new_sizes]),
            np.concatenate([old.tokens, old.tokens[-1] - fresh]),
            old.characters,
            old.bytes,
        )
        return True

    def csv(self) -> bytes:
        """Return the curve as a table for a spreadsheet."""
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["vocab_size", "tokens", "characters_per_token", "bytes_per_token"])
        columns = (self.sizes, self.tokens, self.characters_per_token, self.bytes_per_token)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for size, tokens, characters, size_bytes in rows:
            writer.writerow([size, tokens, f"{characters:.6f}", f"{size_bytes:.6f}"])
        return lines.getvalue().encode()


@dataclass(frozen=True, slots=True)
class OtherCurve:
    """The curve of a table that is open but not current."""

    name: str
    curve: LiveCurve


def curve_of(tokenizer: Tokenizer) -> LiveCurve | None:
    """Return the curve of a table, or None where no training record is kept."""
    known = curve(tokenizer)
    if known is not None and not known.tokens[0]:
        known = _unmerged(tokenizer, known)
    return None if known is None or not known.tokens[0] else LiveCurve(known)


def _unmerged(tokenizer: Tokenizer, known: Curve) -> Curve | None:
    """Return the first point of a training that has only counted, and not yet made its symbols.

    Before any merge a token is a byte, or with a chars base a character.
    """
    if len(known) > 1:
        return None
    symbols = known.bytes if tokenizer.base == "bytes" else known.characters
    return replace(known, tokens=np.array([symbols], np.int64))
