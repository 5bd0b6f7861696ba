"""Both themes: readable for everyone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QFileDialog, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import Button

LEAST_CONTRAST = 4.5
LEAST_DIFFERENCE = 15.0  # in Lab, for neighbours in the order of token colours

# Machado, Oliveira, Fernandes 2009, severity 1.0, for linear RGB
SEEN_BY = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
               [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
               [-0.011820, 0.042940, 0.968881]],
    "all": np.eye(3).tolist(),
}  # fmt: skip


def lab(colour: str, seen_by: str) -> np.ndarray:
    rgb = np.array(QColor(colour).getRgbF()[:3])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.array(SEEN_BY[seen_by]) @ linear, 0, 1)
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt(np.array(to_xyz) @ linear / np.array([0.9505, 1.0, 1.089]) + 1e-9)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("name", ["light", "dark"])
def test_text_can_be_read_on_every_token_colour(name: str) -> None:
    colours = theme.THEMES[name]
    assert len(set(colours.tokens)) == 6
    for background in colours.tokens:
        assert theme.contrast(colours.token_text, background) >= LEAST_CONTRAST


@pytest.mark.parametrize("name", ["light", "dark"])
def test_text_can_be_read_on_the_frame(name: str) -> None:
    colours = theme.THEMES[name]
    for ink in (colours.text, colours.muted, colours.danger, colours.warning, colours.accent):
        for ground in (colours.window, colours.base):
            assert theme.contrast(ink, ground) >= LEAST_CONTRAST, (ink, ground)
    for ground in (colours.selection, colours.hover, colours.notice, colours.raised):
        assert theme.contrast(colours.text, ground) >= LEAST_CONTRAST, ground
    assert theme.contrast(colours.on_accent, colours.accent) >= LEAST_CONTRAST


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("seen_by", list(SEEN_BY))
def test_neighbours_differ_for_colour_blind_eyes(name: str, seen_by: str) -> None:
    seen = [lab(colour, seen_by) for colour in theme.TOKEN_BACKGROUNDS[name]]
    for one, other in zip(seen, seen[1:] + seen[:1], strict=True):
        assert np.linalg.norm(one - other) >= LEAST_DIFFERENCE


def test_contrast_of_black_and_white() -> None:
    assert theme.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert theme.contrast("#777777", "#777777") == 1


def test_apply_dresses_the_application(qtbot: QtBot, qapp: QApplication) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    for name in ("dark", "light"):
        assert theme.apply(qapp, name).name == name
        assert theme.colours(widget).name == name
        assert theme.colours(theme.palette(theme.THEMES[name])).name == name


def test_no_font_is_too_small(qapp: QApplication) -> None:
    fonts = (
        theme.ui_font(), theme.mono_font(), theme.small_font(), theme.table_font(),
        theme.title_font(),
    )  # fmt: skip
    assert all(font.pointSizeF() >= theme.SMALLEST_POINTS for font in fonts)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_arrows_of_the_file_dialog_can_be_seen(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    colours = theme.apply(qapp, name)
    dialog = QFileDialog(None, "Open", str(tmp_path))
    qtbot.addWidget(dialog)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    for button in ("backButton", "forwardButton", "toParentButton", "newFolderButton"):
        icon = dialog.findChild(QToolButton, button).icon()
        ink = icon.pixmap(16, 16).toImage().pixelColor(8, 8).name()
        assert theme.contrast(ink, colours.window) > 3


@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_quiet_button_with_the_keyboard_is_flat(
    qapp: QApplication, qtbot: QtBot, name: str
) -> None:
    theme.apply(qapp, name)
    button = Button("", look="quiet")
    qtbot.addWidget(button)
    button.setCheckable(True)
    button.resize(120, 28)
    button.show()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    picture = button.grab().toImage()
    inside = {picture.pixelColor(x, y).name() for x in range(3, 117) for y in range(3, 25)}
    assert inside == {theme.THEMES[name].hover}
