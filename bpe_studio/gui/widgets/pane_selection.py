"""What is pointed at, clicked and selected in the text, told to those who show it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_studio.gui.models.token_details import describe, tooltip
from bpe_studio.gui.state.selection import Selection, Span
from bpe_studio.gui.widgets.text_views import TextViews
from bpe_studio.gui.widgets.token_readout import TokenReadout

if TYPE_CHECKING:
    from bpe_studio.analysis.flag_marks import FlagMarks
    from bpe_studio.bpe.tokenizer import Tokenizer

SPAN_MS = 120


class PaneSelection(QObject):
    """Leads from the views of a text to the selection, and back.

    `tokenizer` is the one whose tokens are shown.

    Signals
    -------
    aboutToTell()
        A span will be told of: the others must know the text that it is of.
    """

    aboutToTell = Signal()

    def __init__(
        self,
        *,
        views: TextViews,
        selection: Selection,
        readout: TokenReadout,
        marks: Callable[[], FlagMarks | None] = lambda: None,
        parent: QObject,
    ) -> None:
        """`marks` gives what Health has flagged in the table that is shown."""
        super().__init__(parent)
        self.tokenizer: Tokenizer | None = None
        self._marks = marks
        self._views, self._selection, self._readout = views, selection, readout
        self._span = Span("", 0, 0)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SPAN_MS)
        self._timer.timeout.connect(self._tell_span)
        views.tokenClicked.connect(self.click)
        views.tokenHovered.connect(self._hover)
        views.spanChosen.connect(self._choose)
        selection.tokenSelected.connect(views.set_selected_id)
        selection.cleared.connect(self._clear)
        readout.chosen.connect(selection.select_token)

    def click(self, token: int) -> None:
        """Select a token of the text, and its place."""
        pane = self._views.current
        layout = pane.token_layout()
        if layout is None or not pane.layout_is_fresh:
            return
        start, end = layout.characters[token].tolist()
        self._selection.select_span(layout.text, start, end)
        self._selection.select_token(int(layout.ids[token]))
        self._hover(token)

    def reach(self, start: int, end: int) -> None:
        """Select characters that were looked for."""
        if start < end:
            self._selection.select_span(self._views.current.text(), start, end)

    def drop(self) -> None:
        """Forget a span that was not told of yet: its text is another one."""
        self._timer.stop()

    def tip(self, token: int) -> str:
        """What the tooltip of a token says."""
        layout = self._views.current.token_layout()
        if layout is None or self.tokenizer is None:
            return ""
        details = describe(self.tokenizer, int(layout.ids[token]))
        begin, end = layout.bytes[token].tolist()
        kinds = self._flagged(details.id)
        return tooltip(details, span=(begin, end), rows=[("flagged", kinds)] if kinds else ())

    def _flagged(self, token: int) -> str:
        """What Health has flagged in a token, in words."""
        marks = self._marks()
        return "" if marks is None else marks.titles(token)

    def _hover(self, token: int) -> None:
        pane = self._views.current
        layout = pane.token_layout()
        if token >= 0 and layout is not None and self.tokenizer and pane.layout_is_fresh:
            flagged = self._flagged(int(layout.ids[token]))
            self._readout.show_token(self.tokenizer, layout, token, flagged=flagged)

    def _choose(self, start: int, end: int) -> None:
        self._span = Span(self._views.current.text(), start, end)
        self._timer.start()

    def _tell_span(self) -> None:
        self.aboutToTell.emit()
        span = self._span
        if span.start < span.end <= len(span.text) and span.text == self._views.current.text():
            self._selection.select_span(span.text, span.start, span.end)

    def _clear(self) -> None:
        self._views.set_selected_id(None)
        self._views.current.set_current(None)
