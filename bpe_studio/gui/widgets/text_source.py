"""Chooses the text that stands under both tables: that of the window, or one of the probe texts."""

from __future__ import annotations

from PySide6.QtCore import Signal

from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets.elided_combo import ElidedCombo
from bpe_studio.probe import probe_corpus

OWN = "Text pane"


class TextSource(ElidedCombo):
    """The text pane is left as it is, whatever is chosen here.

    Signals
    -------
    textChanged()
        Another text is chosen, or the text pane's was edited while it is.
    """

    textChanged = Signal()

    def __init__(self, text: TextState) -> None:
        super().__init__()
        self._state = text
        self._probe = probe_corpus().files
        self._read: dict[int, str] = {}
        self.setAccessibleName("Text to compare on")
        self.setToolTip("The text of the Text pane, or a small probe text that comes with the "
                        "program; the Text pane stays as it is")  # fmt: skip
        self.addItem(OWN)
        self.insertSeparator(1)
        for file in self._probe:
            self.addItem(f"Probe: {file.path.stem}")
        self.setMinimumContentsLength(14)
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.currentIndexChanged.connect(lambda _: self.textChanged.emit())
        text.textChanged.connect(self._on_edited)

    @property
    def text(self) -> str:
        """The text that is chosen."""
        place = self.currentIndex() - 2
        if place < 0:
            return self._state.text
        if place not in self._read:  # a few kilobytes each
            self._read[place] = self._probe[place].path.read_text("utf-8")
        return self._read[place]

    @property
    def title(self) -> str:
        """What the text is called, in a report."""
        place = self.currentIndex() - 2
        return self._probe[place].label if place >= 0 else self._state.name or "text"

    def choose_probe(self, label: str) -> None:
        """Choose a probe text by the label of its file."""
        labels = [file.label for file in self._probe]
        self.setCurrentIndex(2 + labels.index(label))

    def next_text(self) -> None:
        """Choose the next text, round the end."""
        place = self.currentIndex() + 1
        place += place == 1  # the line between
        self.setCurrentIndex(place % self.count())

    def _on_edited(self) -> None:
        if self.currentIndex() == 0:
            self.textChanged.emit()
