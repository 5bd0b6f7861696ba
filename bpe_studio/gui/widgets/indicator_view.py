"""Under-trained tokens by the embeddings of a model: from "Open embeddings…" to the candidates.

How to place it: make one, add it to a layout or as a page, and wire

    view = IndicatorView()
    view.set_table(tokenizer, name, found)     # whenever another table becomes current; None: none.
                                               # `found` is what embeddings have said of it before,
                                               # if they have: it is shown, and not emitted again
    view.show_flags(report.flags)              # after a check: the column "Also" knows more then
    view.follow(token)                         # a token was selected elsewhere (None: none is)
    view.tokenChosen.connect(selection.select_token)
    view.found.connect(…)                      # an UnderTrained for the next check, or None
    view.ask_open()                            # for a key or a menu
    view.cancel()                              # for Esc; view.running tells whether there is a job

It reads files only when asked, in a job of its own, and needs no kernels.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QVBoxLayout, QWidget

from bpe_studio.analysis.flags import Flag
from bpe_studio.analysis.undertrained import EmbeddingProgress, UnderTrained
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.gui import theme
from bpe_studio.gui.job import Job, call
from bpe_studio.gui.models.indicator_rows import EmbeddingChoice, IndicatorRows, judge, rows_of
from bpe_studio.gui.widgets.basics import Button, EmptyState, label
from bpe_studio.gui.widgets.embedding_form import EmbeddingForm
from bpe_studio.gui.widgets.fold import Fold
from bpe_studio.gui.widgets.indicator_page import IndicatorPage
from bpe_studio.gui.widgets.notice import NoticeBar
from bpe_studio.gui.widgets.thin_bar import ThinBar
from bpe_studio.gui.widgets.words import percent

BAR_WIDTH = 280
FILES = "Embeddings (*.safetensors *.safetensors.index.json *.index.json);;All files (*)"
HINT = (
    "The embedding matrices of a model show which tokens it hardly learned. Open its "
    "model.safetensors, or the index of its shards; it is read in place and never loaded whole."
)
NO_TABLE = "Open a table first; then the embeddings of its model can be judged here."
ACTION = "Open embeddings…"


class IndicatorView(QWidget):
    """An empty state, then a bar with Cancel, then the page of what was found.

    Signals
    -------
    tokenChosen(int)
        A token was selected here.
    found(object)
        What embeddings say of the current table, an `UnderTrained`; None when it is forgotten.
    runningChanged()
        Embeddings are being read, or no longer.
    """

    runningChanged = Signal()
    tokenChosen = Signal(int)
    found = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokenizer: Tokenizer | None = None
        self._choice: EmbeddingChoice | None = None
        self._rows: IndicatorRows | None = None
        self._flags: tuple[Flag, ...] | None = None
        self._listed: tuple[Flag, ...] | None = None  # those that the rows know
        self._job: Job | None = None
        self.folder = ""  # where the dialog begins
        self.empty = EmptyState(NO_TABLE)
        self.page = IndicatorPage()
        self.notice = NoticeBar()
        self.form = EmbeddingForm()
        self.fold = Fold("Matrices and reference rows", self.form)
        self.fold.hide()
        self.pages = QStackedWidget()
        self._progress_page = self._make_progress()
        for page in (self.empty, self._progress_page, self.page):
            self.pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GAP)
        column.addWidget(self.notice)
        column.addWidget(self.pages, 1)
        column.addWidget(self.fold)
        self.empty.asked.connect(self.ask_open)
        self.page.openAsked.connect(self.ask_open)
        self.form.asked.connect(self._again)
        self.page.tokenChosen.connect(self.tokenChosen)
        self.cancel_button.clicked.connect(self.cancel)

    @property
    def undertrained(self) -> UnderTrained | None:
        """What the embeddings say of the current table."""
        return None if self._rows is None else self._rows.found

    @property
    def tokenizer(self) -> Tokenizer | None:
        """That of the current table."""
        return self._tokenizer

    @property
    def running(self) -> bool:
        """Whether embeddings are being read."""
        return self._job is not None

    # What others tell it

    def set_table(
        self, tokenizer: Tokenizer | None, name: str = "", found: UnderTrained | None = None
    ) -> None:
        """Judge another table from now on; what was found for the old one is forgotten."""
        if tokenizer is self._tokenizer:
            return
        self._end_job()
        self._tokenizer = tokenizer
        self._choice = self._flags = None
        self.form.clear()
        self.notice.hide()
        self._show(None)
        if tokenizer is None:
            self.empty.set_text(NO_TABLE)
        else:
            self.empty.set_text(HINT, action=ACTION)
            self.empty.button.setToolTip(f"Judge the tokens of {name}" if name else "")
        if tokenizer is not None and found is not None:
            self._start_listing(found)

    def show_flags(self, flags: Sequence[Flag] | None) -> None:
        """Say of candidates what a check has found; None where there is no check."""
        self._flags = None if flags is None else tuple(flags)
        if self._rows is not None and self._job is None:
            self._start_listing(self._rows.found)

    def follow(self, token: int | None) -> None:
        """Select a token that was selected elsewhere."""
        self.page.follow(token)

    # What a person asks for

    def ask_open(self) -> None:
        """Let somebody choose a file, and judge the table by it."""
        if self._tokenizer is None:
            return
        name, _ = QFileDialog.getOpenFileName(self, "Open embeddings", self.folder, FILES)
        if name:
            self.folder = str(Path(name).parent)
            self.open(EmbeddingChoice(Path(name)))

    def open(self, choice: EmbeddingChoice) -> None:
        """Judge the table by the embeddings of a file, on a worker thread."""
        if self._tokenizer is None:
            return
        self._end_job()
        if self._choice is None or choice.path != self._choice.path:
            self.form.clear()
        self._choice = choice
        self.notice.hide()
        self._show_progress([EmbeddingProgress(f"Opening {choice.path.name}", 0, 0)])
        self.pages.setCurrentWidget(self._progress_page)
        self.fold.hide()
        self._listed = self._flags
        job = self._start(judge(self._tokenizer, choice, self._flags))
        job.yielded.connect(self._show_progress)
        job.then(self._on_judged)

    def cancel(self) -> None:
        """End reading; what was shown before comes back."""
        if self._job is not None:
            self._job.cancel()

    def _again(self) -> None:
        if self._choice is not None:
            self.open(self.form.choice(self._choice.path))

    # The job

    def _start_listing(self, found: UnderTrained) -> None:
        """Make rows of what is known, beside the flags of a check."""
        self._listed = self._flags
        job = self._start(call(rows_of, self._tokenizer, found, self._flags))
        job.then(self._on_listed)

    def _start(self, steps: Generator[Any, None, Any]) -> Job:
        job = self._job = Job(steps, self)
        job.otherwise(self._on_failed)
        job.ended.connect(job.deleteLater)
        job.ended.connect(self._on_ended)
        self.runningChanged.emit()
        return job

    def _end_job(self) -> None:
        """Let go of a job whose answer nobody wants any more."""
        job, self._job = self._job, None
        if job is not None:
            job.ended.disconnect(self._on_ended)
            job.cancel()
            self.runningChanged.emit()

    def _show_progress(self, steps: list[EmbeddingProgress]) -> None:
        step = steps[-1]
        share = f"  ·  {percent(step.done, step.total)}" if step.total else ""
        self.phase.setText(step.phase + share)
        if step.total:
            self.bar.set_share(step.done / step.total)
        elif not self.bar.busy:
            self.bar.set_busy()

    def _on_judged(self, rows: IndicatorRows) -> None:
        self._on_listed(rows)
        self.found.emit(rows.found)

    def _on_listed(self, rows: IndicatorRows) -> None:
        self._rows = rows
        self.page.show_rows(rows)

    def _on_failed(self, sentence: str) -> None:
        self.notice.tell(sentence)
        self.fold.set_open(True)

    def _on_ended(self) -> None:
        self._job = None
        self.bar.set_share(0.0)
        self._show_page()
        if self._rows is not None and self._flags is not self._listed:
            self._start_listing(self._rows.found)  # they came meanwhile
        self.runningChanged.emit()

    def _show(self, rows: IndicatorRows | None) -> None:
        had = self._rows is not None
        self._rows = rows
        self.page.show_rows(rows)
        self._show_page()
        if had and rows is None:
            self.found.emit(None)

    def _show_page(self) -> None:
        self.pages.setCurrentWidget(self.empty if self._rows is None else self.page)
        self.fold.setVisible(self._choice is not None)

    def _make_progress(self) -> QWidget:
        page = QWidget()
        self.phase = label(role="muted")
        self.phase.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.bar = ThinBar("How much of the embeddings is read")
        self.bar.setFixedWidth(BAR_WIDTH)
        self.cancel_button = Button("Cancel", tip="Stop reading (Esc)")
        column = QVBoxLayout(page)
        column.setSpacing(theme.MARGIN)
        column.addStretch(2)
        for part in (self.phase, self.bar, self.cancel_button):
            column.addWidget(part, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        return page
