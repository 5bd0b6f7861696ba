"""A picture of the window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from bpe_studio import api
from bpe_studio.gui.screenshot import screenshot
from tests.gui.small_tables import small_tokenizer


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "small.json"
    api.save(replace(small_tokenizer(), training=None), path)
    return path


@pytest.mark.parametrize("theme_name", ["light", "dark"])
def test_size_theme_and_content(
    qapp: QApplication, tmp_path: Path, table: Path, theme_name: str
) -> None:
    text = tmp_path / "a.txt"
    text.write_text("the lowest")
    out = screenshot(tmp_path / "a.png", table, text, "merges", (1024, 700), theme_name=theme_name)
    image = QImage(str(out))
    assert (image.width(), image.height()) == (1024, 700)
    assert (image.pixelColor(2, 690).lightness() < 128) is (theme_name == "dark")
    other = screenshot(tmp_path / "b.png", None, text, "text", (1024, 700), theme_name=theme_name)
    assert QImage(str(other)) != image


def test_an_unknown_panel_is_refused_with_the_names(qapp: QApplication, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no panel 'x'.*text, compare, health"):
        screenshot(tmp_path / "a.png", panel="x")


def test_a_place_that_cannot_be_written_is_refused(qapp: QApplication, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"a\.png"):
        screenshot(tmp_path / "none" / "a.png")
