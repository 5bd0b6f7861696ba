"""The compression curves of a table: of its training corpus, growing while it trains, of what was
held out, and of the text that is shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compression import Curve, curve, held_out_curve

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.bpe.trainer import MergeBatch
    from bpe_studio.bpe.training_record import TrainingRecord


class LiveCurve:
    """A `Curve` to which merges can be added; point `i` is the table of the first `i` merges."""

    def __init__(self, known: Curve) -> None:
        self._curve = known
        self._kept: dict[str, NDArray[np.float64]] = {}  # what is asked for at every movement

    def __len__(self) -> int:
        return len(self._curve)

    @property
    def known(self) -> Curve:
        """The curve as a value."""
        return self._curve

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
        if "characters" not in self._kept:
            self._kept["characters"] = self._curve.characters_per_token
        return self._kept["characters"]

    @property
    def bytes_per_token(self) -> NDArray[np.float64]:
        """Bytes per token at each size."""
        if "bytes" not in self._kept:
            self._kept["bytes"] = self._curve.bytes_per_token
        return self._kept["bytes"]

    @property
    def exact_from(self) -> int:
        """The first point that is exact, and with it all after it."""
        return self._curve.exact_from

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
        self._kept.clear()
        new_sizes = old.vocab_sizes[-1] + np.arange(1, len(fresh) + 1)
        self._curve = replace(
            old,
            vocab_sizes=np.concatenate([old.vocab_sizes, new_sizes]),
            tokens=np.concatenate([old.tokens, old.tokens[-1] - fresh]),
        )
        return True


@dataclass(frozen=True, slots=True)
class OtherCurve:
    """The curve of a table that is open but not current."""

    name: str
    curve: LiveCurve


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """What is drawn of the current table; point `i` of each is its first `i` merges.

    Attributes
    ----------
    own : LiveCurve
        Of the training corpus; where none is recorded, of the text.
    own_is_text : bool
    held : LiveCurve or None
        Of what was held out of the training; while it runs, a little shorter than `own`.
    text : LiveCurve or None
        Of the text that is shown, where that is not `own`.
    held_nothing : bool
        Whether documents were to be held out and none was.
    text_is_old : bool
        Whether the curve of the text is that of before an edit.
    """

    own: LiveCurve
    own_is_text: bool = False
    held: LiveCurve | None = None
    text: LiveCurve | None = None
    held_nothing: bool = False
    text_is_old: bool = False


def curves_of(
    trained: LiveCurve | None,
    held: LiveCurve | None,
    text: LiveCurve | None,
    record: TrainingRecord | None,
) -> Curves | None:
    """What is to be drawn of a table: None where nothing is known of it.

    Parameters
    ----------
    trained, held : LiveCurve, or None where there is no training record, or nothing was held out
    text : LiveCurve, or None where it is not known; that of another table is passed over
    record : TrainingRecord or None
    """
    if trained is None:
        return None if text is None else Curves(own=text, own_is_text=True)
    return Curves(
        own=trained,
        held=held,
        text=text if text is not None and _belong(text, trained) else None,
        held_nothing=held is None and record is not None and record.held_out is not None,
    )


def shown(text: Curve | None) -> LiveCurve | None:
    """The curve of a text, or None where there is nothing to draw."""
    return None if text is None or len(text) < 2 or not text.tokens[0] else LiveCurve(text)


def _belong(text: LiveCurve, trained: LiveCurve) -> bool:
    """Whether two curves are of one table, as far as their sizes tell."""
    last = min(len(text), len(trained)) - 1
    return bool(text.sizes[0] == trained.sizes[0] and text.sizes[last] == trained.sizes[last])


def curve_of(tokenizer: Tokenizer) -> LiveCurve | None:
    """Return the curve of a table, or None where no training record is kept."""
    known = curve(tokenizer)
    if known is not None and not known.tokens[0]:
        known = _unmerged(tokenizer, known)
    return None if known is None or not known.tokens[0] else LiveCurve(known)


def held_of(tokenizer: Tokenizer) -> LiveCurve | None:
    """Return the curve of what was held out of a training, or None."""
    known = held_out_curve(tokenizer)
    return None if known is None or not known.tokens[0] else LiveCurve(known)


def _unmerged(tokenizer: Tokenizer, known: Curve) -> Curve | None:
    """Return the first point of a training that has only counted, and not yet made its symbols.

    Before any merge a token is a byte, or with a chars base a character.
    """
    if len(known) > 1:
        return None
    symbols = known.bytes if tokenizer.base == "bytes" else known.characters
    return replace(known, tokens=np.array([symbols], np.int64))
