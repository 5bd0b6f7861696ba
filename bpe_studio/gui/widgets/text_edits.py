"""Whether a text can go into a document as it is."""

from __future__ import annotations

from PySide6.QtGui import QTextDocument

from bpe_studio.gui.models import token_layout


def stays_editable(document: QTextDocument, text: str, begin: int, end: int) -> bool:
    """Whether a text can stand between two positions and leave every line short.

    A longer line is broken for display, and such breaks must not become lines of the text.
    """
    if not token_layout.show_text(text).editable:
        return False
    first, last = document.findBlock(begin), document.findBlock(end)
    lines = text.split("\n")
    lines[0] += " " * (begin - first.position())
    lines[-1] += " " * (last.position() + last.length() - 1 - end)
    return max(map(len, lines)) <= token_layout.LONG_LINE
