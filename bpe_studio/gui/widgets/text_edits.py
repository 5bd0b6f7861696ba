"""Whether a text can go into a document as it is."""

from __future__ import annotations

from PySide6.QtGui import QTextDocument

from bpe_studio.gui.models import token_layout
from bpe_studio.gui.models.display_breaks import needs_breaks


def stays_editable(document: QTextDocument, text: str, begin: int, end: int) -> bool:
    """Whether a text can stand between two positions and leave every line short.

    A longer line is broken for display, and such breaks must not become lines of the text.
    """
    if not token_layout.show_text(text).editable:
        return False
    first, last = document.findBlock(begin), document.findBlock(end)
    before = first.text()[: begin - first.position()]
    after = last.text()[end - last.position() :]
    read = token_layout.read_document
    return not needs_breaks(read(before) + text + read(after))
