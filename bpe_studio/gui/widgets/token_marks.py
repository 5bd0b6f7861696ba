"""What is marked and pointed at in a view of tokens, be it the editor or that of long texts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip

from bpe_studio.gui.widgets.token_painter import TokenPainter


class TokenMarks:
    """Gives a scrolling widget the marks and tooltips of its tokens; its `_painter` paints them."""

    _painter: TokenPainter
    _tip: Callable[[int], str] | None = None
    _hovered = -1

    def set_tip(self, tip: Callable[[int], str] | None) -> None:
        """Give the function that turns a token's index into its tooltip (escaped rich text)."""
        self._tip = tip

    def set_whitespace_shown(self, shown: bool) -> None:
        """Paint signs for spaces, tabs and line ends."""
        self._painter.whitespace = shown
        self.viewport().update()

    def set_selected_id(self, token_id: int | None) -> None:
        """Outline every token with this id."""
        self._painter.selected_id = token_id
        self.viewport().update()

    def set_current(self, token: int | None) -> None:
        """Outline one token more strongly than its equals."""
        self._painter.current = token
        self.viewport().update()

    def set_marks(self, marked: NDArray[np.int8] | None) -> None:
        """Underline tokens in the manner of a class of difference (`difference_marks`); 0: not."""
        self._painter.marked = marked
        self.viewport().update()

    def set_found(self, spans: NDArray[np.int64] | None, current: int = -1) -> None:
        """Mark places of the document: (n, 2) positions in order, one of them more strongly."""
        self._painter.found, self._painter.found_current = spans, current
        self.viewport().update()

    # The pointer

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(-1)

    def _hover(self, token: int) -> None:
        if token != self._hovered:
            self._hovered = token
            self.tokenHovered.emit(token)
            self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            token = self.token_at(event.pos())
            if token >= 0 and self._tip is not None and self.layout_is_fresh:
                QToolTip.showText(event.globalPos(), self._tip(token), self.viewport())
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)
