"""What an empty text pane says."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import EmptyState

EMPTY_SHORT = "Type or paste here."
EMPTY = (
    "Type or paste here, and see every token as you type; or begin with a text that has prose, "
    "code, numbers, emoji and many scripts."
)


class TextHint(EmptyState):
    """Lies over a viewport, as high as there is room for what it says."""

    def __init__(self, viewport: QWidget) -> None:
        super().__init__(EMPTY, action="Show the sample text", other="Open an example")
        self._viewport = viewport
        self._with_example = True
        self.setParent(viewport)
        self.setFont(theme.ui_font())
        viewport.installEventFilter(self)

    def offer(self, *, shown: bool, with_example: bool) -> None:
        """Show or hide it; `with_example` offers to open one."""
        self._with_example = with_example
        self.setVisible(shown)
        self._place()

    def _place(self) -> None:
        """A low pane shows less of the hint, and all that it shows whole."""
        area, layout = self._viewport.rect(), self.layout()
        self.sentence.setText(EMPTY)
        self.other_button.setVisible(self._with_example)
        for leave_out in (self.other_button.hide, lambda: self.sentence.setText(EMPTY_SHORT)):
            layout.invalidate()
            if layout.heightForWidth(area.width()) <= area.height():
                break
            leave_out()
        over = max(0, area.height() - layout.heightForWidth(area.width()))
        self.setGeometry(area.adjusted(0, min(over, area.height() // 8), 0, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)
