"""The thin bar."""

from __future__ import annotations

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.thin_bar import ThinBar


def test_it_fills_and_says_so(qtbot: QtBot, qapp: QApplication) -> None:
    theme.apply(qapp, "light")
    bar = ThinBar("Progress")
    qtbot.addWidget(bar)
    bar.resize(200, 4)
    bar.show()
    bar.set_share(0.5)
    image = bar.grab().toImage()
    assert image.pixelColor(50, 2) == QColor(theme.LIGHT.accent)
    assert image.pixelColor(150, 2) == QColor(theme.LIGHT.border)
    assert bar.accessibleDescription() == "50%" and bar.accessibleName() == "Progress"
    bar.set_share(7)
    assert bar.share == 1


def test_busy_ends_with_a_share(qtbot: QtBot) -> None:
    bar = ThinBar("Progress")
    qtbot.addWidget(bar)
    bar.set_busy()
    assert bar.busy
    bar.set_share(0)
    assert not bar.busy
