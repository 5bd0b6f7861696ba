"""Icons: every file can be drawn, in both themes."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QApplication

from bpe_studio.gui import icons, theme

NAMES = sorted(path.stem for path in theme.resource("icons").glob("*.svg"))


@pytest.mark.parametrize("name", NAMES)
def test_every_icon_shows_something_at_every_scale(qapp: QApplication, name: str) -> None:
    icon = icons.icon(name, theme.LIGHT)
    for side in (16, 32, 48):
        image = icon.pixmap(side, side, QIcon.Mode.Normal).toImage()
        assert any(
            image.pixelColor(x, y).alpha()
            for x in range(image.width())
            for y in range(image.height())
        )


def test_the_ink_is_the_one_that_was_asked_for(qapp: QApplication) -> None:
    image = icons.icon("stop", theme.DARK, colour="#ff0000").pixmap(16, 16).toImage()
    assert image.pixelColor(8, 8) == QColor("#ff0000")


def test_the_mark_has_the_usual_sizes(qapp: QApplication) -> None:
    sizes = {size.width() for size in icons.program_icon().availableSizes()}
    assert {16, 32, 48, 256} <= sizes
