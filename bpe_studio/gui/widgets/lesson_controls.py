"""What moves a lesson: back, merge, play, reset, to the end, and how fast it plays."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.state.lesson_run import FIRST_SPEED, SPEEDS_MS
from bpe_studio.gui.widgets.basics import Button, IconButton, label

SLIDER_WIDTH = 84
ROOMY = 460  # pixels from which a caption has room


class LessonControls(QWidget):
    """Buttons in a row.

    Signals
    -------
    mergeAsked(), backAsked(), playAsked(), resetAsked(), endAsked()
        A button was pressed.
    speedChosen(int)
        A place in `SPEEDS_MS`.
    """

    mergeAsked = Signal()
    backAsked = Signal()
    playAsked = Signal()
    resetAsked = Signal()
    endAsked = Signal()
    speedChosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.reset_button = IconButton("reset", "Back to the first state (Home)")
        self.back_button = Button("Back", icon="arrow-left", tip="Undo the last merge (Left)")
        self.merge_button = Button(
            "Merge", icon="step", look="primary", tip="Merge the marked pair (Space or Right)"
        )
        self.play_button = Button("Play", icon="play", tip="Merge by itself (P)")
        self.end_button = IconButton("arrow-right", "Merge all that is left (End)")
        self.speed = QSlider(Qt.Orientation.Horizontal)
        self.speed.setRange(0, len(SPEEDS_MS) - 1)
        self.speed.setValue(FIRST_SPEED)
        self.speed.setPageStep(1)
        self.speed.setMaximumWidth(SLIDER_WIDTH)
        self.speed.setMinimumWidth(SLIDER_WIDTH // 2)
        self.speed.setAccessibleName("Speed of playing")
        self.speed.setToolTip("How fast it plays (+ and -)")
        for button, signal in (
            (self.reset_button, self.resetAsked),
            (self.back_button, self.backAsked),
            (self.merge_button, self.mergeAsked),
            (self.play_button, self.playAsked),
            (self.end_button, self.endAsked),
        ):
            # The keys stay with the rows: Space goes on merging after a click.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(signal)
        self.speed.valueChanged.connect(self.speedChosen)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.GRID)
        for part in (self.back_button, self.merge_button, self.play_button):
            row.addWidget(part)
        row.addWidget(self.reset_button)
        row.addWidget(self.end_button)
        row.addStretch(1)
        self._caption = label("Speed", role="muted")
        row.addWidget(self._caption)
        row.addWidget(self.speed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._caption.setVisible(event.size().width() >= ROOMY)

    def show_place(self, *, place: int, at_end: bool, playing: bool, possible: bool) -> None:
        """Offer what can be done where the lesson stands."""
        self.back_button.setEnabled(possible and place > 0)
        self.reset_button.setEnabled(possible and place > 0)
        self.merge_button.setEnabled(possible and not at_end)
        self.end_button.setEnabled(possible and not at_end)
        self.play_button.setEnabled(possible and (place > 0 or not at_end))
        words, icon = ("Pause", "pause") if playing else ("Play", "play")
        if self.play_button.text() != words:
            self.play_button.setText(words)
            self.play_button.setAccessibleName(words)
            self.play_button.set_icon(icon)
