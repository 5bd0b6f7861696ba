"""What may be pasted where."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextDocument

from bpe_studio.gui.models.display_breaks import LONG_LINE
from bpe_studio.gui.widgets.text_edits import stays_editable

HALF = LONG_LINE // 2


@pytest.mark.parametrize(
    ("text", "begin", "end", "expected"),
    [
        ("x" * HALF, 0, 0, True),
        ("x" * (HALF + 1), 0, 0, False),
        ("x" * LONG_LINE, 0, HALF, True),
        ("x" * HALF + "\n" + "y" * LONG_LINE, HALF, HALF, True),
        ("x\n" + "y" * LONG_LINE, 0, 1, False),
        ("\ufdd2", 0, 0, False),
    ],
)
def test_lines_stay_short(text: str, begin: int, end: int, expected: bool) -> None:
    document = QTextDocument("a" * HALF + "\nlast")
    assert stays_editable(document, text, begin, end) == expected
