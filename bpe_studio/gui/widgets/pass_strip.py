"""One line while a pass runs: what, how much, how fast, how long, and a way to end it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.pass_progress import PassPace, PassStep, step_words
from bpe_studio.gui.widgets.basics import Button, lines
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.thin_bar import ThinBar
from bpe_studio.gui.widgets.words import duration, number, plain_tip, size

LEAST_LEFT = 0.5  # seconds


class PassStrip(QWidget):
    """Words over a thin bar, and Cancel.

    Signals
    -------
    cancelAsked()
        The pass is to end.
    """

    cancelAsked = Signal()

    def __init__(self, what: str = "check") -> None:
        """`what` names such a pass: "check", "comparison"."""
        super().__init__()
        self._what = what
        self._name = ""
        self.words = ElidedLabel()
        self.words.setAccessibleName(f"Progress of the {what}, in words")
        self.bar = ThinBar(f"Progress of the {what}")
        self.cancel_button = Button("Cancel", tip=f"End the {what} (Esc)")
        self.cancel_button.clicked.connect(lambda _: self.cancelAsked.emit())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.GAP)
        row.addLayout(lines(self.words, self.bar, margin=0, gap=theme.GRID), 1)
        row.addWidget(self.cancel_button)
        self.hide()

    def begin(self, name: str) -> None:
        """Show that a table is being looked at, which need not be the current one."""
        self._name = name
        self.words.setText(f"{name}: beginning")
        self.cancel_button.setEnabled(True)
        self.bar.set_busy()
        self.show()

    def tell(self, step: PassStep, pace: PassPace) -> None:
        """Show how far it is."""
        told = self._named(_words(step, pace))
        self.words.setToolTip(plain_tip(told))
        if self.words.fontMetrics().horizontalAdvance(told) > self.words.width():
            told = self._named(_words(step, pace, fast=False))  # how long is worth more
        self.words.setText(told)
        if step.total:
            self.bar.set_share(step.done / step.total)
        elif not self.bar.busy:
            self.bar.set_busy()

    def tell_cancelled(self) -> None:
        """Say that it is about to end: a kernel that runs is waited for."""
        self.words.setText(f"{self._name}: ending the {self._what} …")
        self.cancel_button.setEnabled(False)

    def _named(self, words: str) -> str:
        return f"{self._name}: {words[0].lower()}{words[1:]}"

    def end(self) -> None:
        """Nothing runs any more."""
        self.bar.set_share(0.0)
        self.hide()


def _words(step: PassStep, pace: PassPace, *, fast: bool = True) -> str:
    write = size if step.unit == "bytes" else number
    left = pace.seconds_left(step.total) if step.total else None
    return step_words(
        step.phase,
        write(step.done) if step.done or step.total else "",
        write(step.total) if step.total else "",
        rate=size(pace.rate) if fast and step.unit == "bytes" and pace.rate else "",
        left=duration(left) if left is not None and left > LEAST_LEFT else "",
    )
