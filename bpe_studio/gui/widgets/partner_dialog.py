"""Asks which partner of a table is to be trained, and shows how far that is."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QRadioButton, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.partner_plan import KINDS, PartnerPlan
from bpe_studio.gui.widgets.basics import Button, label, lines
from bpe_studio.gui.widgets.form_fields import spin_box
from bpe_studio.gui.widgets.pass_strip import PassStrip
from bpe_studio.gui.widgets.words import counted, size

WIDTH = 460
INDENT = 24
MOST = 4_000_000


class PartnerDialog(QDialog):
    """Two kinds to choose from, a size, and while it trains the progress in their place.

    Signals
    -------
    chosen(str, int)
        The kind and the vocabulary size to train.
    cancelAsked()
        The training is to end; also when the dialog is closed while it trains.
    """

    chosen = Signal(str, int)
    cancelAsked = Signal()

    def __init__(self, parent: QWidget | None, plan: PartnerPlan) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Train a partner")
        self._plan = plan
        self._training = False
        self._build()
        self.train_button.clicked.connect(lambda _: self._ask())
        self.cancel_button.clicked.connect(self.reject)
        self.strip.cancelAsked.connect(self.cancelAsked)

    @property
    def kind(self) -> str:
        """Which kind is chosen."""
        return next(kind for kind, button in self.kinds.items() if button.isChecked())

    def begin(self) -> None:
        """A training has begun."""
        self._training = True
        self.trouble.hide()
        self.strip.begin(KINDS[self.kind][0])
        self._show()

    def end(self, trouble: str = "") -> None:
        """It has ended without a table, and why."""
        self._training = False
        self.strip.end()
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))
        self._show()

    def reject(self) -> None:
        """Esc and Cancel end the training first, and then the dialog."""
        if self._training:
            self.strip.tell_cancelled()
            self.cancelAsked.emit()
        else:
            super().reject()

    # Construction

    def _build(self) -> None:
        plan = self._plan
        files = counted(len(plan.corpus.files), "file")
        about = (
            "Trains a table of another kind on the corpus of the Corpus panel, "
            f"{plan.corpus_name} ({files}, {size(plan.corpus.total_bytes)}), with the pattern and "
            f"the specials of {plan.table}. It opens as a new table and is compared as B."
        )
        self.about = label(about, wrap=True)
        self.kinds = {kind: QRadioButton(title) for kind, (title, _) in KINDS.items()}
        next(iter(self.kinds.values())).setChecked(True)
        self.size = spin_box(plan.smallest, MOST, plan.vocab_size, name="Vocabulary size")
        self.trouble = label(role="warning", wrap=True)
        self.trouble.hide()
        self.strip = PassStrip("training")
        self.train_button = Button("Train", look="primary")
        self.train_button.setDefault(True)
        self.cancel_button = Button("Close")
        column = lines(self.about, margin=2 * theme.MARGIN)
        for kind, (_, how) in KINDS.items():
            sentence = label(how, role="muted", wrap=True)
            sentence.setContentsMargins(INDENT, 0, 0, 0)
            column.addLayout(lines(self.kinds[kind], sentence, margin=0, gap=2))
        form = QFormLayout()
        form.addRow("&Vocabulary size", self.size)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.GAP)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.train_button)
        column.addLayout(form)
        column.addWidget(self.trouble)
        column.addWidget(self.strip)
        column.addStretch(1)
        column.addLayout(buttons)
        self.setLayout(column)
        self.setMinimumWidth(WIDTH)

    def _ask(self) -> None:
        if not self._training:
            self.chosen.emit(self.kind, self.size.value())

    def _show(self) -> None:
        for part in (*self.kinds.values(), self.size, self.train_button, self.cancel_button):
            part.setEnabled(not self._training)
        self._fit()

    def _fit(self) -> None:
        """Keep room for all lines; by itself, a dialog stays as it is when a label grows."""
        layout = self.layout()
        layout.activate()
        width = max(self.width(), self.minimumWidth())
        self.setMinimumHeight(layout.totalMinimumHeightForWidth(width))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
