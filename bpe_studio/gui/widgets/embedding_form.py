"""What a person may say about a file of weights: the names of its matrices, and reference rows."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLineEdit, QWidget

from bpe_studio.gui.models.indicator_rows import EmbeddingChoice
from bpe_studio.gui.widgets.basics import Button, label
from bpe_studio.gui.widgets.form_fields import put_on_grid

USUAL = "by its usual name"


class EmbeddingForm(QWidget):
    """Three lines, which are empty where the usual ones are meant.

    Signals
    -------
    asked()
        Judge by what it says now.
    """

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.input_edit = _line("Input tensor", USUAL)
        self.output_edit = _line("Output tensor", USUAL)
        self.reference_edit = _line("Reference rows", "found by themselves; or 5, 128000-128255")
        self.button = Button("Judge again", tip="Judge by these matrices and rows")
        self.button.clicked.connect(self.asked)
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        put_on_grid(form)
        for edit in (self.input_edit, self.output_edit, self.reference_edit):
            form.addRow(label(edit.accessibleName()), edit)
            edit.returnPressed.connect(self.asked)
        row = QHBoxLayout()
        row.addWidget(self.button)
        row.addStretch(1)
        form.addRow("", row)

    def choice(self, path: Path) -> EmbeddingChoice:
        """What it says, of a file."""
        edits = (self.input_edit, self.output_edit, self.reference_edit)
        return EmbeddingChoice(path, *(edit.text().strip() for edit in edits))

    def clear(self) -> None:
        """Mean the usual ones."""
        for edit in (self.input_edit, self.output_edit, self.reference_edit):
            edit.clear()


def _line(name: str, placeholder: str) -> QLineEdit:
    edit = QLineEdit()
    edit.setAccessibleName(name)
    edit.setPlaceholderText(placeholder)
    return edit
