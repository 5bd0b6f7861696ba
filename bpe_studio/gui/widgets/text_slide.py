"""The vocabulary slider of the text pane: the same text under the first merges, as one drags.

One traced encode knows the text at every size, so a frame only looks up what is to be seen. Where
the slider rests, the panel encodes the text as it always does.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal

from bpe_studio.analysis.compression import vocab_sizes
from bpe_studio.gui.models.size_tracer import SizeTracer
from bpe_studio.gui.models.text_at_sizes import TextAtSizes
from bpe_studio.gui.state.open_tables import OpenTables
from bpe_studio.gui.state.size import SizeState
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets.long_text_view import LongTextView
from bpe_studio.gui.widgets.size_bar import SizeBar
from bpe_studio.gui.widgets.token_text import TokenText

WHOLE = 200_000  # characters of a text that is laid out whole for every frame
IDLE_MS = 1500
MOST_IDLE = 1_000_000  # characters of a text that is traced before anybody slides
MOST = 4_000_000  # characters of a text that is traced; it takes up to 80 times as many bytes
NEARLY = 10  # an edit changes at most so small a part of the length of a text: one tenth
TRACING = "Tracing the text for every size …"
LARGE = "a text of over 4 million characters is cut when the slider rests"
TOO_LONG = "A text of more than 4,000,000 characters is not traced, so it has no curve."
ON_DEMAND = (
    "A text of more than 1,000,000 characters is traced when the vocabulary slider is first moved "
    "(Ctrl+K)."
)
NOT_EXACT = (
    "This table finds tokens in a text before it merges that its own merges make, so what smaller "
    "sizes make of the text is not known from one trace."
)
NO_TABLE = "The size of the vocabulary can be chosen once a table is open."
NO_MERGES = "This table has no merges, so it has one size only."
VIEW_ONLY = "This table is only for viewing, so a text has no tokens at any size."
OUTSIDE = "A library cuts the text here, and not merges in an order: there is one size only."


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What is shown while the slider moves: how many tokens there are, and the first ids."""

    tokens: int
    ids: NDArray[np.int32]


class TextSlide(QObject):
    """Follows `SizeState` with the tokens of a pane, at once or not at all.

    Signals
    -------
    moved(object)
        The pane shows another size now, or is about to: a `Frame`, or None while nothing is known.
    """

    moved = Signal(object)

    def __init__(
        self,
        *,
        pane: TokenText | LongTextView,
        text: TextState,
        tables: OpenTables,
        size: SizeState,
        ready: threading.Event | None = None,
        most_ids: int = 400,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._pane, self._text, self._tables, self._size = pane, text, tables, size
        self._most_ids = most_ids
        self._part = False
        self.bar = SizeBar()
        self.tracer = SizeTracer(ready=ready, parent=self)
        self._frame_timer = self._timer(0, self._frame)
        self._idle_timer = self._timer(IDLE_MS, self.trace)
        self.bar.mergesChosen.connect(size.set_merges)
        size.changed.connect(self._on_size)
        text.textChanged.connect(lambda _: self._renew(edited=True))
        tables.currentChanged.connect(lambda _: self._on_table())
        tables.tokenizerChanged.connect(
            lambda table: self._on_table() if table is tables.current else None
        )
        self.set_pane(pane)
        self.tracer.traced.connect(self._on_traced)
        self.tracer.failed.connect(lambda why: size.set_curve(None, why=why))
        self._on_table()

    def set_pane(self, pane: TokenText | LongTextView) -> None:
        """Show the tokens in another view of the text."""
        if pane is not self._pane:
            self._pane.verticalScrollBar().valueChanged.disconnect(self._on_scrolled)
            self._pane = pane
        pane.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    @property
    def moving(self) -> bool:
        """Whether the slider has moved, and does not rest yet."""
        return not self._size.rests

    def figure(self) -> str:
        """What size is shown, in words; nothing where it is all of the table."""
        if self._size.merges is None:
            return ""
        shown, whole = (self.bar.size_of(k) for k in (self._size.merges, None))
        return f"size {shown:,} of {whole:,}"

    def why_nothing(self) -> str:
        """What is waited for while nothing is known of a size."""
        return LARGE if len(self._text.text) > MOST else TRACING

    # What moves it

    def _on_size(self) -> None:
        self.bar.show_merges(self._size.merges)
        if not self._frame_timer.isActive():
            self._frame_timer.start()

    def _on_table(self) -> None:
        self.bar.set_sizes(self._sizes(), why=self._why_no_sizes())
        self.bar.show_merges(self._size.merges)
        self._renew()

    def _renew(self, *, edited: bool = False) -> None:
        """Another text or table: what is known of the old one is of no use.

        But for the curve of a text that was edited: until there is a new one it is nearly so.
        """
        why = self._why_no_curve()
        if edited and (why == TRACING or (why == ON_DEMAND and self._is_nearly_known())):
            self._size.age_curve(why)
        else:
            self._size.set_curve(None, why=why)
        self.tracer.forget()
        self._part = False
        self._idle_timer.start()

    def _on_scrolled(self) -> None:
        if self._part and not self._frame_timer.isActive():
            self._frame_timer.start()

    def _on_traced(self, found: TextAtSizes) -> None:
        current = self._tables.current
        if current is None or self.tracer.answer(current.tokenizer, self._text.text) is None:
            return
        if found.exact_from == 0:
            self._size.set_curve(found.curve)
        else:
            self._size.set_curve(None, why=NOT_EXACT)
        if self.moving:
            self._frame()

    # A frame

    def _frame(self) -> None:
        current = self._tables.current
        if current is None or not self.bar.merges or not self._text.text:
            return
        merges = self.bar.merges if self._size.merges is None else self._size.merges
        known = self.tracer.answer(current.tokenizer, self._text.text)
        if known is None:
            if len(self._text.text) <= MOST:
                self.tracer.request(current.tokenizer, self._text.text)
                if self._size.curve is None:
                    self._size.set_curve(None, why=TRACING)
            self.moved.emit(None)
        elif merges >= known.exact_from:
            self._show(known, merges)

    def _show(self, known: TextAtSizes, merges: int) -> None:
        self._part = len(known.text) > WHOLE
        if self._part:
            layout = known.lay_out_part(merges, *self._pane.visible_positions())
        else:
            layout = known.lay_out(merges)
        self._pane.set_layout(layout, whole=not self._part)
        self.moved.emit(Frame(int(known.counts[merges]), known.ids(merges, self._most_ids)))

    def rest(self) -> None:
        """The pane shows all tokens again."""
        self._part = False

    def trace(self) -> None:
        """Trace the text now: the first move is live then, and the curve of the text is known."""
        current = self._tables.current
        if current is None or not self.bar.merges or not self._text.text:
            return
        known = self.tracer.answer(current.tokenizer, self._text.text)
        if known is None and len(self._text.text) <= MOST_IDLE:
            self.tracer.request(current.tokenizer, self._text.text)

    # What the table can be

    def _sizes(self) -> NDArray[np.int64] | None:
        current = self._tables.current
        if current is None or self._why_no_sizes():
            return None
        return vocab_sizes(current.tokenizer)

    def _is_nearly_known(self) -> bool:
        """Whether the curve that is known is of about as long a text."""
        curve, length = self._size.curve, len(self._text.text)
        return curve is not None and abs(curve.characters - length) <= length // NEARLY

    def _why_no_curve(self) -> str:
        """Why no curve of the text is known yet, or ever will be."""
        length = len(self._text.text)
        if self._tables.current is None or not length:
            return ""
        if why := self._why_no_sizes():
            return why
        if length > MOST:
            return TOO_LONG
        return ON_DEMAND if length > MOST_IDLE else TRACING

    def _why_no_sizes(self) -> str:
        current = self._tables.current
        if current is None:
            return NO_TABLE
        tokenizer = current.tokenizer
        if tokenizer.outside is not None:
            return OUTSIDE
        if tokenizer.view_only:
            return VIEW_ONLY
        return "" if len(tokenizer.table.merges) else NO_MERGES

    def _timer(self, milliseconds: int, done: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(done)
        return timer
