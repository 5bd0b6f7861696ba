"""The Health panel: tokens that will hurt a model, each with its evidence."""

from __future__ import annotations

import threading

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from bpe_studio.analysis.flags import SEVERITIES
from bpe_studio.analysis.health import KINDS, HealthReport
from bpe_studio.bpe.decoder import readable
from bpe_studio.bpe.words import WordCounts
from bpe_studio.gui import theme
from bpe_studio.gui.job import Job, once_ready
from bpe_studio.gui.models.array_table import ArrayTable
from bpe_studio.gui.models.health_rows import COMPILING, HealthRows, HealthStep, check_rows
from bpe_studio.gui.models.health_words import remarks, summary
from bpe_studio.gui.state.findings import Findings, FindingsState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.training import TrainingState
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import Button, EmptyState, FilterEdit, label
from bpe_studio.gui.widgets.byte_text import ByteDelegate
from bpe_studio.gui.widgets.kind_list import KindEntry, KindList
from bpe_studio.gui.widgets.notice import NoticeBar
from bpe_studio.gui.widgets.thin_bar import ThinBar
from bpe_studio.gui.widgets.words import counted, number

BAR_WIDTH = 280
KINDS_WIDTH = 196
HINT = (
    "Finds tokens that no text produces, halves of characters, look-alikes of specials, and tokens "
    "that the training corpus never or rarely uses, each with its evidence."
)
NO_TABLE = "Open or train a table, and check its tokens here. " + HINT


class HealthPanel(QWidget):
    """Checks the current table when asked; what was found can be sorted, filtered and followed.

    Signals
    -------
    retrainAsked()
        The current table is to be trained again, without what makes the tokens that were found.
    """

    retrainAsked = Signal()
    title = "Health"

    def __init__(
        self,
        *,
        tables: OpenTables,
        selection: Selection,
        training: TrainingState,
        findings: FindingsState,
        ready: threading.Event | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("healthPanel")
        self._tables = tables
        self._selection = selection
        self._training = training
        self._findings = findings
        self._kernels_ready = ready
        self._job: Job | None = None
        self._still_asked = True
        self._rows: HealthRows | None = None
        self._build()
        self._wire()
        self._on_table(tables.current)

    @property
    def rows(self) -> HealthRows | None:
        """What was found."""
        return self._rows

    def check(self) -> None:
        """Check the current table on a worker thread."""
        current = self._tables.current
        if current is None or self._job is not None:
            return
        words = self._words(current)
        self._show_progress([HealthStep("Looking at tokens", 0, 0)])
        self.pages.setCurrentWidget(self.progress_page)
        steps = check_rows(current.tokenizer, words)
        self._job = Job(once_ready(self._kernels_ready, steps, meanwhile=COMPILING), self)
        self._job.yielded.connect(self._show_progress)
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)
        self._job.ended.connect(self._on_ended)

    def cancel(self) -> None:
        """End a running check; what was shown before comes back."""
        if self._job is not None:
            self._job.cancel()

    def _words(self, table: OpenTable) -> WordCounts | None:
        if table.session is not None:
            return table.session.words
        return self._training.words if self._training.table is table else None

    # Construction

    def _build(self) -> None:
        self.empty = EmptyState(HINT, action="Check this table")
        self.progress_page = self._progress_page()
        self.result_page = self._result_page()
        self.pages = QStackedWidget()
        for page in (self.empty, self.progress_page, self.result_page):
            self.pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.pages)

    def _progress_page(self) -> QWidget:
        page = QWidget()
        self.phase = label(role="muted")
        self.phase.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.bar = ThinBar("Progress of the check")
        self.bar.setFixedWidth(BAR_WIDTH)
        self.cancel_button = Button("Cancel")
        column = QVBoxLayout(page)
        column.setSpacing(theme.MARGIN)
        column.addStretch(2)
        for widget in (self.phase, self.bar, self.cancel_button):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        return page

    def _result_page(self) -> QWidget:
        page = QWidget()
        self.summary = label()
        self.corpus = label(role="muted", wrap=True)
        self.again_button = Button("Check again")
        self.retrain_button = Button("Retrain without …")
        self.notice = NoticeBar()
        self.kinds = KindList()
        self.filter_edit = FilterEdit("Filter by token, id or evidence", name="Filter flags")
        self.model = ArrayTable(mono_font=theme.table_font(), parent=self)
        self.table = ArrayView(self.model, name="Flags")
        self._bytes = ByteDelegate(self.table)
        self.table.setAlternatingRowColors(False)
        self.shown = label(role="muted")
        self.detail = label(wrap=True)
        self.detail.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.detail.setAccessibleName("Evidence of the selected flag")
        top = QHBoxLayout()
        words = QVBoxLayout()
        words.setSpacing(theme.GRID)
        words.addWidget(self.summary)
        words.addWidget(self.corpus)
        top.addLayout(words, 1)
        for button in (self.retrain_button, self.again_button):
            top.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(page)
        column.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
        column.setSpacing(theme.GAP)
        column.addLayout(top)
        column.addWidget(self.notice)
        column.addWidget(self._split(), 1)
        return page

    def _split(self) -> QSplitter:
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GAP)
        column.addWidget(self.filter_edit)
        column.addWidget(self.table, 1)
        column.addWidget(self.detail)
        column.addWidget(self.shown)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self.kinds)
        split.addWidget(right)
        split.setStretchFactor(1, 1)
        split.setSizes([KINDS_WIDTH, 2 * KINDS_WIDTH])
        return split

    def _wire(self) -> None:
        self.empty.asked.connect(self.check)
        self.again_button.clicked.connect(self.check)
        self.retrain_button.clicked.connect(lambda _: self.retrainAsked.emit())
        self.cancel_button.clicked.connect(self.cancel)
        self.kinds.kindChosen.connect(lambda _: self._filter())
        self.filter_edit.filterChanged.connect(lambda _: self._filter())
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self._tables.currentChanged.connect(self._on_table)
        self._tables.tokenizerChanged.connect(self._on_tokenizer)

    # The check

    def _show_progress(self, steps: list[HealthStep]) -> None:
        step = steps[-1]
        share = f"  ·  {number(step.done)} of {number(step.total)}" if step.total else ""
        self.phase.setText(step.phase + share)
        if step.total:
            self.bar.set_share(step.done / step.total)
        elif not self.bar.busy:
            self.bar.set_busy()

    def _on_finished(self, rows: HealthRows) -> None:
        current = self._tables.current
        if current is None or not self._still_asked:
            return
        self._rows = rows
        self._findings.keep(current, Findings(rows.report))
        self._show_rows(rows)

    def _on_failed(self, sentence: str) -> None:
        self.empty.set_text(f"The check failed. {sentence}", action="Check this table")
        self._rows = None

    def _on_ended(self) -> None:
        if self._job is not None:
            self._job.deleteLater()
        self._job = None
        self.bar.set_share(0.0)
        self._still_asked = True
        self.pages.setCurrentWidget(self.result_page if self._rows else self.empty)

    def _show_rows(self, rows: HealthRows) -> None:
        report = rows.report
        self.notice.hide()
        self.summary.setText(summary(report))
        self.corpus.setText(remarks(report))
        self.filter_edit.blockSignals(True)
        self.filter_edit.clear()
        self.filter_edit.blockSignals(False)
        self.model.set_data(rows.columns(), len(rows.ids))
        last = len(self.model.columns) - 1
        for column in range(last + 1):
            drawn = self._bytes if column in (0, last) else None
            self.table.setItemDelegateForColumn(column, drawn)
        header = self.table.horizontalHeader()
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.detail.hide()
        self.kinds.set_entries(_entries(report))
        self._filter()

    def _filter(self) -> None:
        if self._rows is None:
            return
        kind, text = self.kinds.chosen(), self.filter_edit.text()
        everything = kind is None and not text
        mask = None if everything else self._rows.mask(kind=kind, text=text)
        self.model.set_filter(mask)
        self.table.set_unneeded(*(["Kind"] if kind is not None else []))
        shown, total = self.model.rowCount(), len(self._rows.ids)
        part = f"{number(shown)} of " if shown != total else ""
        self.shown.setText(f"{part}{counted(total, 'flag')}")

    def _on_row(self, index: QModelIndex, _: QModelIndex) -> None:
        if index.isValid() and self._rows is not None:
            row = self.model.source_row(index.row())
            flag = self._rows.flags[row]
            shown = (
                f"\nText that shows it: {readable(flag.witness.encode())}" if flag.witness else ""
            )
            self.detail.setText(flag.evidence + shown)
            self.detail.show()
            self._selection.select_token(flag.id)

    # Tables

    def _on_table(self, table: OpenTable | None) -> None:
        """Another table: what was found belongs to the old one."""
        self._still_asked = self._job is None
        self.cancel()
        self._rows = None
        self.model.set_data((), 0)
        if table is None:
            self.empty.set_text(NO_TABLE)
        else:
            self.empty.set_text(HINT, action=f"Check {table.name}")
        self.pages.setCurrentWidget(self.empty)

    def _on_tokenizer(self, table: OpenTable) -> None:
        rows = self._rows if table is self._tables.current else None
        if rows is not None and table.tokenizer.vocab_size != rows.tokenizer.vocab_size:
            self.notice.tell("The table has grown since this check; check it again.")


def _entries(report: HealthReport) -> list[KindEntry]:
    entries = [KindEntry(None, "All flags", len(report.flags))]
    for kind, words in KINDS.items():
        if kind in report.counts:
            severity = SEVERITIES.get(kind, "info")
            count = report.counts[kind]
            entries.append(KindEntry(kind, words.title, count, words.meaning, severity))
    return entries
