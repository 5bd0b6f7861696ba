"""The curves of the current table, kept up with its training."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bpe_studio.analysis.compression import Curve
from bpe_studio.gui.models.curve_data import Curves, LiveCurve, curve_of, curves_of, held_of, shown

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.bpe.trainer import MergeBatch


class GrowingCurves:
    """Takes batches of merges as they are learned, and now and then a tokenizer that has them."""

    def __init__(self) -> None:
        self._tokenizer: Tokenizer | None = None
        self._trained: LiveCurve | None = None
        self._held: LiveCurve | None = None
        self._text: LiveCurve | None = None
        self._text_of: Curve | None = None
        self._waiting: list[MergeBatch] = []  # learned, and not yet part of the curve

    @property
    def trained(self) -> LiveCurve | None:
        """The curve of the training, with all that was learned."""
        self._take_waiting()
        return self._trained

    def load(self, tokenizer: Tokenizer | None) -> None:
        """Begin with another table, or with none."""
        self._waiting.clear()
        self._tokenizer = tokenizer
        self._trained = None if tokenizer is None else curve_of(tokenizer)
        self._held = None if tokenizer is None else held_of(tokenizer)

    def renew(self, tokenizer: Tokenizer) -> None:
        """Take a newer tokenizer, which holds what was learned, and perhaps more."""
        fresh, known = curve_of(tokenizer), self.trained
        if fresh is None or known is None:
            self.load(tokenizer)
            return
        self._tokenizer = tokenizer
        if len(fresh) >= len(known):
            self._trained = fresh
        self._held = held_of(tokenizer)

    def grow(self, batch: MergeBatch) -> None:
        """Take merges that were just learned."""
        self._waiting.append(batch)

    def together(self, text: Curve | None, *, text_is_old: bool = False) -> Curves | None:
        """All that is drawn, with the curve of a text; None where nothing is known."""
        trained = self.trained
        if text is not self._text_of:
            self._text, self._text_of = shown(text), text
        record = None if self._tokenizer is None else self._tokenizer.training
        if self._tokenizer is None:
            return None
        found = curves_of(trained, self._held, self._text, record)
        return None if found is None else replace(found, text_is_old=text_is_old)

    def _take_waiting(self) -> None:
        """Add what was learned to the curve; what does not follow it is told by a tokenizer."""
        batches, self._waiting = self._waiting, []
        for batch in batches:
            if self._trained is None and self._tokenizer is not None:
                self._trained = curve_of(self._tokenizer)
            if self._trained is not None:
                self._trained.append(batch)
