"""The head of Health: what to check on, how far a check is, and the figures of what was found."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.health_check import Checked
from bpe_studio.gui.models.health_words import figures, remarks
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.widgets.basics import Button, lines
from bpe_studio.gui.widgets.clamped_label import ClampedLabel
from bpe_studio.gui.widgets.health_source import HealthSource
from bpe_studio.gui.widgets.notice import NoticeBar
from bpe_studio.gui.widgets.pass_strip import PassStrip
from bpe_studio.gui.widgets.words import plain_tip


class HealthHead(QWidget):
    """One row of controls, below it the progress of a check, and two lines of words.

    Signals
    -------
    checkAsked(), cancelAsked(), retrainAsked()
        A button was pressed.
    """

    checkAsked = Signal()
    cancelAsked = Signal()
    retrainAsked = Signal()

    def __init__(self, corpus: CorpusState) -> None:
        super().__init__()
        self.source = HealthSource(corpus)
        self.check_button = Button("Check", tip="Check this table (F6)")
        self.retrain_button = Button(
            "Retrain without …",
            tip="Train again without the files or the merges that made these tokens",
        )
        self.strip = PassStrip()
        self.figures = ClampedLabel(most=2)
        self.figures.setAccessibleName("Figures of the check")
        self.remarks = ClampedLabel(most=2, role="muted")
        self.notice = NoticeBar()
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(self.source, 1)
        row.addWidget(self.check_button)
        row.addWidget(self.retrain_button)
        words = lines(self.figures, self.remarks, margin=0, gap=2)
        self.setLayout(lines(row, self.strip, words, self.notice, margin=0))
        self.check_button.clicked.connect(lambda _: self.checkAsked.emit())
        self.retrain_button.clicked.connect(lambda _: self.retrainAsked.emit())
        self.strip.cancelAsked.connect(self.cancelAsked)

    def show_checked(self, found: Checked | None) -> None:
        """Write what was found, or nothing."""
        self.notice.hide()
        said = remarks(found) if found is not None else ""
        self.figures.setText(figures(found) if found is not None else "")
        self.remarks.setText(said)
        self.remarks.setToolTip(plain_tip(said) if said else "")
        for words in (self.figures, self.remarks):
            words.setVisible(found is not None)
        self.retrain_button.setVisible(found is not None)

    def begin(self, name: str) -> None:
        """A check of the table of this name begins."""
        self.check_button.setEnabled(False)
        self.strip.begin(name)

    def end(self) -> None:
        """No check runs any more."""
        self.strip.end()
        self.check_button.setEnabled(True)
