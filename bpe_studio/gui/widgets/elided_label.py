"""A label of one line that ends in … where there is no more room."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.legible import legible, spread
from bpe_studio.gui.widgets.basics import Label
from bpe_studio.gui.widgets.byte_text import draw_readable


class ElidedLabel(Label):
    """Plain text on one line; never asks for more width than it is given."""

    def __init__(
        self,
        text: str = "",
        *,
        role: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._mode = mode
        if role:
            self.setProperty("role", role)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        shown = QFontMetrics(self.font()).elidedText(self.text(), self._mode, self.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), self.alignment() | Qt.TextFlag.TextSingleLine, shown)


class SteadyLabel(ElidedLabel):
    """A line that is as wide as it is given: another text only paints it anew.

    A label of Qt lets its panel be laid out and painted whenever its text changes, which is too
    much for one that changes with every frame.
    """

    def text(self) -> str:
        return self._shown

    def setText(self, text: str) -> None:
        self._shown = legible(text)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(24, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class ReadableLabel(ElidedLabel):
    """Readable bytes on one line, with marks drawn as in tables and chips."""

    def __init__(self, text: str = "", *, parent: QWidget | None = None) -> None:
        super().__init__(text, parent=parent)
        self.setFont(theme.mono_font())

    def setText(self, text: str) -> None:
        QLabel.setText(self, spread(text))  # its signs are drawn

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme.colours(self)
        draw_readable(
            QPainter(self),
            QRectF(self.contentsRect()),
            self.text(),
            self.font(),
            ink=colours.text,
            quiet=colours.muted,
        )
