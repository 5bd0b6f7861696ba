"""What every test of the window shares."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from bpe_studio.gui import theme


@pytest.fixture(autouse=True)
def _english_and_light(qapp: QApplication) -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English))
    if qapp.property("themeName") != "light":
        theme.apply(qapp, "light")
    yield
    QLocale.setDefault(before)
