"""A combo box whose text ends in … where there is no more room."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter


class ElidedCombo(QComboBox):
    """Draws what is chosen in the width that there is; Qt would cut it within a letter."""

    def shown_text(self) -> str:
        """What is drawn of the text that is chosen."""
        return self._shown(self._option())

    def _option(self) -> QStyleOptionComboBox:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return option

    def _shown(self, option: QStyleOptionComboBox) -> str:
        part = QStyle.SubControl.SC_ComboBoxEditField
        place = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        end = Qt.TextElideMode.ElideRight
        return self.fontMetrics().elidedText(option.currentText, end, place.width() - 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), self._option()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        option.currentText = self._shown(option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
