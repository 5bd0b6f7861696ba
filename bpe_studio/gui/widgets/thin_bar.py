"""A thin bar that fills.

QProgressBar repaints at once, and the whole window with it, whenever its value changes; at thirty
values a second that is a third of the time that the window has.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from bpe_studio.gui import theme

BUSY_MS = 50
BUSY_STEP = 0.02
BUSY_WIDTH = 0.3


class ThinBar(QWidget):
    """Shows a share between 0 and 1, or that something goes on whose length nobody knows."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._share = 0.0
        self._place = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(BUSY_MS)
        self._timer.timeout.connect(self._move)

    @property
    def share(self) -> float:
        """How much of it is full."""
        return self._share

    @property
    def busy(self) -> bool:
        """Whether it only says that something goes on."""
        return self._timer.isActive()

    def set_share(self, share: float) -> None:
        """Fill it so far."""
        self._timer.stop()
        share = min(1.0, max(0.0, share))
        if round(100 * share) != round(100 * self._share):
            self.setAccessibleDescription(f"{share:.0%}")
        self._share = share
        self.update()

    def set_busy(self) -> None:
        """Say that something goes on."""
        self._place = 0.0
        self._timer.start()

    def sizeHint(self) -> QSize:
        return QSize(80, theme.GRID)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme.colours(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        box = QRectF(self.rect())
        radius = box.height() / 2
        painter.setBrush(QColor(colours.border))
        painter.drawRoundedRect(box, radius, radius)
        painter.setBrush(QColor(colours.accent))
        painter.drawRoundedRect(self._filled(box), radius, radius)

    def _filled(self, box: QRectF) -> QRectF:
        if not self.busy:
            return QRectF(box.left(), box.top(), box.width() * self._share, box.height())
        left = box.left() + box.width() * (1 - BUSY_WIDTH) * (1 - abs(1 - self._place))
        return QRectF(left, box.top(), box.width() * BUSY_WIDTH, box.height())

    def _move(self) -> None:
        self._place = (self._place + BUSY_STEP) % 2
        self.update()
