"""The rules for merges as fields of a form."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from bpe_studio.gui.widgets.form_fields import combo_box, spin_box

ANY_LENGTH: Final = 1  # no merge makes so short a token: the field says "any length" there
LONGEST: Final = 1 << 20
CHARACTERS = {"any": "may be cut", "whole": "kept whole"}
TIPS = {
    "characters": "Kept whole: bytes are merged to a character before it is merged with a "
    "neighbour, so that no token holds halves of two characters.",
    "longest": "No merge makes a token of more bytes.",
    "documents": "A pair that fewer documents have is not merged: what one document repeats, such "
    "as a name, gets no token. A document is a file, or a row of .jsonl and .parquet.",
}


class RuleFields(QObject):
    """Whole characters, the longest token, the fewest documents.

    Signals
    -------
    changed()
        A rule is another one.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.characters = combo_box(CHARACTERS, name="Whether tokens may cut characters")
        self.longest = spin_box(ANY_LENGTH, LONGEST, ANY_LENGTH, name="Longest token in bytes")
        self.longest.setSpecialValueText("any length")
        self.longest.setSuffix(" bytes")
        self.documents = spin_box(1, 1_000_000_000, 1, name="Fewest documents of a pair")
        self.characters.currentIndexChanged.connect(lambda _: self.changed.emit())
        for spin in (self.longest, self.documents):
            spin.valueChanged.connect(lambda _: self.changed.emit())
        for name, tip in TIPS.items():
            getattr(self, name).setToolTip(tip)

    def rows(self) -> tuple[tuple[str, QWidget], ...]:
        """Labels and fields, in their order."""
        return (
            ("Characters", self.characters),
            ("Token ≤", self.longest),
            ("Documents ≥", self.documents),
        )

    def values(self) -> dict[str, Any]:
        """The keyword arguments of `api.Settings`."""
        longest = self.longest.value()
        return {
            "whole_characters": self.characters.currentData() == "whole",
            "max_token_bytes": None if longest == ANY_LENGTH else longest,
            "min_documents": self.documents.value(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take over what `values` gave, as far as it makes sense."""
        if isinstance(state.get("whole_characters"), bool):
            wanted = "whole" if state["whole_characters"] else "any"
            self.characters.setCurrentIndex(self.characters.findData(wanted))
        if "max_token_bytes" in state:
            longest = state["max_token_bytes"]
            self.longest.setValue(longest if _is_number(longest) else ANY_LENGTH)
        if _is_number(state.get("min_documents")):
            self.documents.setValue(state["min_documents"])


def _is_number(value: object) -> bool:
    """Whether a spin box can take it: Qt knows no larger numbers."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 31
