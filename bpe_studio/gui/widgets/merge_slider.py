"""A slider over merges: any of hundreds of thousands can be reached, by mouse and by keyboard."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QWidget

CTRL_STEP = 100
SHARE_OF_PAGE = 50


class MergeSlider(QSlider):
    """Goes where it is pressed and follows the pointer; with Ctrl, by one merge a pixel.

    Arrow keys go by one merge, with Ctrl by a hundred, Page Up and Page Down by a fiftieth of all,
    Home and End to none and all.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._last: QPoint | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setTracking(True)

    def set_merges(self, merges: int) -> None:
        """Run over the numbers 0 to `merges`."""
        self.setRange(0, merges)
        self.setSingleStep(1)
        self.setPageStep(max(1, merges // SHARE_OF_PAGE))

    def value_at(self, x: int) -> int:
        """The number under a place of the groove."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        style, control = self.style(), QStyle.ComplexControl.CC_Slider
        parts = QStyle.SubControl
        groove = style.subControlRect(control, option, parts.SC_SliderGroove, self)
        handle = style.subControlRect(control, option, parts.SC_SliderHandle, self)
        room = groove.width() - handle.width()
        place = x - groove.x() - handle.width() // 2
        return QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), place, room)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        event.accept()
        self.setSliderDown(True)
        self._follow(event, started=True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._last is not None:
            event.accept()
            self._follow(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._last is not None and event.button() == Qt.MouseButton.LeftButton:
            self._last = None
            self.setSliderDown(False)
        event.accept()

    def _follow(self, event: QMouseEvent, *, started: bool = False) -> None:
        place = event.position().toPoint()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if self._last is not None and not started:
                self.setValue(self.value() + place.x() - self._last.x())
        else:
            self.setValue(self.value_at(place.x()))
        self._last = place

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Down: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: 1,
        }
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.key() in steps:
            self.setValue(self.value() + CTRL_STEP * steps[event.key()])
            event.accept()
            return
        super().keyPressEvent(event)
