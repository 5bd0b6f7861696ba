"""What is found is marked, and the one where one is more strongly."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_studio.gui import theme
from bpe_studio.gui.models.token_layout import lay_out
from bpe_studio.gui.widgets.token_text import TokenText
from tests.gui.small_tables import small_tokenizer

TEXT = "low newer low wider low"
SPANS = np.array([[0, 3], [10, 13], [20, 23]])


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_one_where_one_is_has_a_frame_of_its_own(
    qapp: QApplication, qtbot: QtBot, name: str
) -> None:
    colours = theme.apply(qapp, name)
    pane = TokenText()
    qtbot.addWidget(pane)
    pane.resize(500, 80)
    pane.show()
    pane.set_text(TEXT)
    pane.set_layout(lay_out(small_tokenizer(), TEXT))

    def edges() -> list[str]:
        """The colours under the first letters of the spans, at the lower edges of the marks."""
        picture = pane.viewport().grab().toImage()
        found = []
        for start, _ in SPANS.tolist():
            cursor = pane.textCursor()
            cursor.setPosition(start)
            at = pane.cursorRect(cursor)
            found.append(picture.pixelColor(at.left() + 6, at.bottom() - 1).name())
        return found

    before = edges()
    pane.set_found(SPANS, 1)
    after = edges()
    assert after[1] == colours.text
    assert all(after[i] not in (before[i], colours.text) for i in (0, 2))
