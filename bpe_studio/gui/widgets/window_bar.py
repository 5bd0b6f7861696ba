"""Which part of a long piece is told, and the way to the parts before and after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.telling_text import window_words
from bpe_studio.gui.widgets.basics import IconButton, label

if TYPE_CHECKING:
    from bpe_studio.analysis.explain import PieceStory


class WindowBar(QWidget):
    """A line with two buttons.

    Signals
    -------
    asked(int)
        The window around this character of the text is wanted.
    """

    asked = Signal(int)

    def __init__(self, story: PieceStory, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._story = story
        self.label = label(window_words(story), role="muted", wrap=True)
        self.before = IconButton("arrow-left", "Show the symbols before these")
        self.after = IconButton("arrow-right", "Show the symbols after these")
        self.before.setEnabled(story.window_start > story.start)
        self.after.setEnabled(story.window_end < story.end)
        self.before.clicked.connect(lambda: self.go(-1))
        self.after.clicked.connect(lambda: self.go(1))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.GRID)
        row.addWidget(self.label, 1)
        row.addWidget(self.before)
        row.addWidget(self.after)

    def go(self, step: int) -> None:
        """Ask for the window before (-1) or after (1), if there is one.

        A window lies around the character that is asked for, so that one is not quite half a
        window away: the two overlap a little.
        """
        story = self._story
        half = max(1, (story.window_end - story.window_start) * 2 // 5)
        if step < 0 and story.window_start > story.start:
            self.asked.emit(max(story.start, story.window_start - half))
        elif step > 0 and story.window_end < story.end:
            self.asked.emit(min(story.end - 1, story.window_end + half))
