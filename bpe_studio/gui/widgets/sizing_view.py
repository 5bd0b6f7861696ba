"""Which size? The model that is asked about, and what it has of every vocabulary size."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QWidget

from bpe_studio.analysis.compression import Curve
from bpe_studio.analysis.sizing import Measured, ModelShape, Sizing, measured, sizing
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.gui import theme
from bpe_studio.gui.job import Job
from bpe_studio.gui.models.sizing_rows import SOURCES, RareTokens, rows_of
from bpe_studio.gui.widgets.basics import label, lines
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.form_fields import spin_box
from bpe_studio.gui.widgets.sizing_lines import SizingLines
from bpe_studio.gui.widgets.words import counted, number

WAIT_MS = 150
FIELD_WIDTH = 78
LEAST_WITH_LABELS = 440
LEAST_WITH_NOTE = 190  # lower, the lines need the room
NOTHING = "Nothing is known of a document's tokens."


class SizingView(QWidget):
    """Fields for the model, and a line for each measure over the vocabulary sizes.

    Signals
    -------
    pointChosen(int)
        A number of merges was clicked, or Enter was pressed on it.
    """

    pointChosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._tokenizer: Tokenizer | None = None
        self._text: Curve | None = None
        self._known: Measured | None = None
        self._sizing: Sizing | None = None
        self._sizing_of: ModelShape | None = None
        self._is_known = False  # whether `_known` is of this table and text
        self._rare: Any = None
        self._rare_of: tuple[Tokenizer | None, int] = (None, 0)
        self._counter = RareTokens()
        self._job: Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WAIT_MS)
        self._timer.timeout.connect(self._count_rare)
        self._build()

    @property
    def busy(self) -> bool:
        """Whether rare tokens are being counted."""
        return self._job is not None or self._timer.isActive()

    def _build(self) -> None:
        self.width_box = spin_box(1, 1_000_000, 4096, step=256, name="Width of the model")
        self.tied = QCheckBox("Tied")
        self.tied.setAccessibleName("Input and output share their embedding")
        self.context = spin_box(1, 100_000_000, 8192, step=1024, name="Context length in tokens")
        self.rare = spin_box(1, 1_000_000, 10, name="A token is rare that is used less often")
        self.width_box.setToolTip("The width of the model: the numbers that an embedding has")
        self.tied.setToolTip("Whether the input and the output share their embedding")
        self.context.setToolTip("How many tokens the model reads at a time")
        self.rare.setToolTip("Rare is a token that the training corpus uses less often than this")
        self.labels: list[QLabel] = []
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        for words, field in (
            ("Width", self.width_box),
            ("", self.tied),
            ("Context", self.context),
            ("Rare <", self.rare),
        ):
            if words:
                self.labels.append(label(words, role="muted"))
                row.addWidget(self.labels[-1])
                field.setMinimumWidth(FIELD_WIDTH)
                field.valueChanged.connect(self._show)
            row.addWidget(field)
        row.addStretch(1)
        self.tied.toggled.connect(self._show)
        self.note = ElidedLabel(role="muted")
        self.nothing = label(NOTHING, role="muted", wrap=True)
        self.lines = SizingLines()
        self.lines.pointed.connect(lambda _: self._tell())
        self.lines.pointChosen.connect(self.pointChosen)
        column = lines(row, self.note, self.nothing, margin=0, gap=theme.GRID)
        column.addWidget(self.lines, 1)
        self.setLayout(column)

    def set_table(
        self, tokenizer: Tokenizer | None, text: Curve | None, *, anew: bool, why: str = ""
    ) -> None:
        """Tell of this table, `anew` where it is not the one of before that has learned more.

        `text` is the curve of the text, where that is all there is; `why` says why there is none.
        """
        self.nothing.setText(f"{NOTHING} {why}".strip())
        if tokenizer is self._tokenizer and text is self._text:
            return
        self._tokenizer, self._text = tokenizer, text
        self._known, self._is_known = None, False
        if anew:
            self._rare = None
        self._show()

    def set_mark(self, merges: int | None) -> None:
        """The slider stands here: its values are told where nobody points."""
        self.lines.set_mark(merges)
        self._tell()

    def set_log(self, log: bool) -> None:
        """Lay sizes out by their logarithms."""
        self.lines.set_log(log)

    @property
    def model(self) -> ModelShape:
        """The model that is asked about."""
        return ModelShape(
            width=self.width_box.value(),
            tied=self.tied.isChecked(),
            context=self.context.value(),
        )

    def state(self) -> dict[str, Any]:
        """The fields, as JSON can hold them."""
        model = self.model
        return {
            "width": model.width,
            "tied": model.tied,
            "context": model.context,
            "rare": self.rare.value(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take over what `state` gave, as far as it makes sense."""
        for name, field in (
            ("width", self.width_box),
            ("context", self.context),
            ("rare", self.rare),
        ):
            if isinstance(state.get(name), int):
                field.setValue(state[name])
        self.tied.setChecked(state.get("tied") is True)

    # What is shown

    def _show(self) -> None:
        tokenizer = self._tokenizer
        if not self.isVisible():
            return  # it is shown when it comes into sight
        if not self._is_known:
            self._known = None if tokenizer is None else measured(tokenizer, self._text)
            self._is_known, self._sizing = True, None
        known, below = self._known, self.rare.value()
        self.lines.setVisible(known is not None)
        self._fit_note()
        if tokenizer is None or known is None:
            return
        if self._sizing is None or self._sizing_of != self.model:
            self._sizing, self._sizing_of = sizing(known, self.model), self.model
        found = self._sizing
        # What was rare in a little smaller table will do until that of this one is counted.
        rows = rows_of(found, self._rare, below=below, recorded=tokenizer.training is not None)
        self.lines.set_rows(found.vocab_sizes, rows)
        self._tell()
        if not self._is_counted() and not self.busy:
            self._timer.start()

    def _is_counted(self) -> bool:
        tokenizer, below = self._rare_of
        return tokenizer is self._tokenizer and below == self.rare.value()

    def _tell(self) -> None:
        known = self._known
        if known is None:
            return
        sizes = known.curve.vocab_sizes
        at = number(sizes[self.lines.point])
        of = counted(known.documents, "document")
        self.note.setText(
            f"at {at} tokens  ·  {of} of {SOURCES[known.source]}  ·  "
            f"attention: relative to {number(sizes[-1])}"
        )

    def _count_rare(self) -> None:
        """Count on a worker thread."""
        tokenizer, below = self._tokenizer, self.rare.value()
        if tokenizer is None or self._job is not None:
            return
        self._rare_of = (tokenizer, below)
        self._job = Job(self._counter.count(tokenizer, below), self)
        self._job.then(self._take, tokenizer)
        self._job.ended.connect(self._on_ended)

    def _take(self, rare: Any, tokenizer: Tokenizer) -> None:
        if tokenizer is self._tokenizer:
            self._rare = rare

    def _on_ended(self) -> None:
        if self._job is not None:
            self._job.deleteLater()
        self._job = None
        self._show()

    # Qt's questions

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for words in self.labels:
            words.setVisible(self.width() >= LEAST_WITH_LABELS)
        self._fit_note()

    def _fit_note(self) -> None:
        self.note.setVisible(self._known is not None and self.height() >= LEAST_WITH_NOTE)
        self.nothing.setVisible(self._known is None)
