"""What is marked in a view of tokens: the same in the editor and in the view of long texts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bpe_studio.gui.widgets.token_painter import TokenPainter


class TokenMarks:
    """Gives a scrolling widget the marks of its tokens; it has a `_painter` that paints them."""

    _painter: TokenPainter
    _tip: Callable[[int], str] | None = None

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

    def set_marks(self, marked: NDArray[np.bool_] | None) -> None:
        """Underline the tokens where this array holds."""
        self._painter.marked = marked
        self.viewport().update()

    def set_found(self, spans: NDArray[np.int64] | None, current: int = -1) -> None:
        """Mark places of the document: (n, 2) positions in order, one of them more strongly."""
        self._painter.found, self._painter.found_current = spans, current
        self.viewport().update()
