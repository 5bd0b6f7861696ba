"""The scrolled part of Explain: one story after another, each at the place of the last if asked."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget

from bpe_studio.gui import theme


class StoryScroll(QScrollArea):
    """Shows a column as wide as there is room, and scrolls it up and down only."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Explanation")
        self._place = 0
        self.verticalScrollBar().rangeChanged.connect(self._on_range)

    def show_story(self, story: QWidget, *, stay: bool) -> None:
        """Show another story, which is made out of sight; `stay` keeps the place in it."""
        bar = self.verticalScrollBar()
        at = bar.value() if stay else 0
        story.resize(self.viewport().width(), story.height())
        story.layout().activate()
        old = self.takeWidget()
        self.setWidget(story)
        if old is not None:
            old.deleteLater()
        self._place = at
        bar.setValue(at)

    def reveal(self, part: QWidget) -> None:
        """Bring a part of the story to the top."""
        self.widget().layout().activate()
        top = part.mapTo(self.widget(), part.rect().topLeft()).y() - theme.GAP
        self._place = top
        self.verticalScrollBar().setValue(top)

    def _on_range(self, _: int, last: int) -> None:
        """A new story gets its height a moment after it is made; only then can it be scrolled."""
        if self._place > 0:
            self.verticalScrollBar().setValue(min(self._place, last))
        if self._place <= last:
            self._place = 0
