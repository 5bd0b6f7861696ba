"""The merges of the current table: live while it learns, sorted, filtered, copied and saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QLocale,
    QModelIndex,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QStackedLayout,
    QWidget,
)

from bpe_studio import files
from bpe_studio.analysis.merge_rows import COLUMNS, MergeRows
from bpe_studio.analysis.row_filter import has_flag, with_flag
from bpe_studio.gui import theme
from bpe_studio.gui.job import Job, call
from bpe_studio.gui.models.merges_model import MergesModel
from bpe_studio.gui.state.findings import FindingsState
from bpe_studio.gui.state.flagged import FlaggedState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.size import SizeState
from bpe_studio.gui.widgets.basics import (
    EmptyState,
    FilterEdit,
    IconButton,
    lines,
    set_role,
)
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.merges_table import MergesTable
from bpe_studio.gui.widgets.words import counted, plain_tip
from bpe_studio.reports.cells import csv_chunks, tsv_text

if TYPE_CHECKING:
    from bpe_studio.bpe.trainer import MergeBatch

BIG_TABLE = 20_000  # merges from which the rows are made on a worker thread
STALE_MS = 500
HINT = (
    "Merges appear here in the order in which they are learned: the two parts, the token they "
    "make, and how often the pair was seen."
)
TRAIN, EXAMPLE = "Train on the standard library", "Open an example"
NO_MERGES = "This table has no merges: every token is a base symbol."
UNCHECKED = "Nobody has checked this table yet: Health finds what flag: shows."
ONLY_FLAGGED = "Only the tokens that Health has flagged (Ctrl+Shift+M)"
QUICK_ROWS = 2000  # that are copied at once; more are put together on a worker thread


class MergesPanel(QWidget):
    """Filter, table, and a line that counts.

    Signals
    -------
    trainAsked()
        The empty state's button: train on something.
    exampleAsked()
        Its quiet button: open a table that comes with the program.
    failed(str)
        Something could not be done; the sentence says what.
    told(str)
        Something was done, for the status bar.
    """

    trainAsked = Signal()
    exampleAsked = Signal()
    failed = Signal(str)
    told = Signal(str)

    title = "Merges"

    def __init__(
        self,
        *,
        tables: OpenTables,
        selection: Selection,
        size: SizeState | None = None,
        flagged: FlaggedState | None = None,
    ) -> None:
        super().__init__()
        self.setObjectName("mergesPanel")
        self.setAccessibleName("Merges")
        self._tables = tables
        self._selection = selection
        self._size = size or SizeState(tables, self)
        self._flagged = flagged or FlaggedState(FindingsState(self), self)
        self._locale = QLocale()
        self._job: Job | None = None
        self._following = False
        self._folder = Path.home()  # where a file was saved last
        self.model = MergesModel(self)
        self._build()
        self._wire()
        self._show_table(tables.current)

    def _build(self) -> None:
        self.filter_edit = FilterEdit("Filter: low   id:300   rank:10-20", name="Filter merges")
        self.filter_edit.setToolTip(
            "Text that a token contains, or fields: rank: id: left: right: count: applied: bytes: "
            "with 5, 5-9, >5 or <5; flag: for what Health has flagged, flag:rare for one kind."
        )
        self.flag_button = IconButton("flag", ONLY_FLAGGED)
        self.flag_button.setCheckable(True)
        self.rank_edit = QLineEdit()
        self.rank_edit.setPlaceholderText("Rank")
        self.rank_edit.setAccessibleName("Jump to rank")
        self.rank_edit.setToolTip("Jump to a rank (Ctrl+J)")
        self.rank_edit.setFixedWidth(76)
        self.table = MergesTable(self.model)
        self.count = ElidedLabel(role="muted")
        self.copy_button = IconButton("copy", "Copy the selected rows (Ctrl+C)")
        self.save_button = IconButton("save", "Save the rows shown as CSV")
        self.empty = EmptyState(HINT, action=TRAIN, other=EXAMPLE)
        top, bottom = QHBoxLayout(), QHBoxLayout()
        top.setSpacing(theme.GAP)
        top.addWidget(self.filter_edit, 1)
        top.addWidget(self.flag_button)
        top.addWidget(self.rank_edit)
        bottom.setSpacing(theme.GRID)
        bottom.addWidget(self.count, 1)
        bottom.addWidget(self.copy_button)
        bottom.addWidget(self.save_button)
        full = QWidget()
        full.setLayout(lines(top, self.table, bottom, margin=0, gap=theme.GAP))
        self.pages = QStackedLayout()
        self.pages.addWidget(self.empty)
        self.pages.addWidget(full)
        column = lines(self.pages, margin=theme.GAP)
        column.setContentsMargins(theme.MARGIN, 0, theme.MARGIN, theme.GRID)
        self.setLayout(column)

    def _wire(self) -> None:
        self._timer = QTimer(self)
        self._timer.setInterval(STALE_MS)
        self._timer.timeout.connect(self._refresh)
        self.filter_edit.filterChanged.connect(self.model.set_filter)
        self.filter_edit.textChanged.connect(self._show_flag_button)
        self.flag_button.clicked.connect(self.show_only_flagged)
        self._flagged.changed.connect(lambda _: self._show_marks())
        self.rank_edit.returnPressed.connect(self._jump)
        self.rank_edit.textEdited.connect(lambda _: self._rank_edited())
        self.copy_button.clicked.connect(self.copy_rows)
        self.save_button.clicked.connect(self.ask_and_save)
        self.empty.asked.connect(self.trainAsked)
        self.empty.otherAsked.connect(self.exampleAsked)
        self.model.filterFailed.connect(self._show_filter_error)
        self.model.rowsReplaced.connect(self._rows_replaced)
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)
        self._tables.currentChanged.connect(self._show_table)
        self._tables.tokenizerChanged.connect(self._catch_up)
        self._tables.growing.connect(self._grow)
        self._size.tokenizerChanged.connect(self._show_size)
        self._selection.tokenSelected.connect(self._follow)
        self._selection.rankSelected.connect(self._follow_rank)
        for keys, done in (
            (QKeySequence.StandardKey.Copy, self.copy_rows),
            (QKeySequence("Ctrl+J"), self.focus_rank),
        ):
            context = Qt.ShortcutContext.WidgetWithChildrenShortcut
            QShortcut(QKeySequence(keys), self, done, context=context)

    def select_rank(self, rank: int) -> bool:
        """Select the row of a rank and scroll to it; False if it is not shown."""
        return self._select_row(self.model.row_of_rank(rank), tell=True)

    def focus_rank(self) -> None:
        """Let the user type a rank to jump to."""
        self.rank_edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.rank_edit.selectAll()

    def show_only_flagged(self, only: bool) -> None:
        """Show only what Health has flagged, or all; the filter box says so."""
        self.filter_edit.setText(with_flag(self.filter_edit.text(), only))
        self.filter_edit.tell()

    def toggle_only_flagged(self) -> None:
        """What the key does."""
        self.show_only_flagged(not has_flag(self.filter_edit.text()))

    def _show_flag_button(self, query: str) -> None:
        self.flag_button.setChecked(has_flag(query))

    def _show_marks(self) -> None:
        self.model.set_marks(self._flagged.of(self._tables.current))
        self._show_count()

    def copy_rows(self) -> None:
        """Put the selected rows on the clipboard as TSV, with the real text of tokens."""
        rows = self.table.selected_rows()
        if not rows:
            return
        cells = self.model.cells(rows)
        if len(rows) < QUICK_ROWS:
            self._copied(tsv_text(cells), len(rows))
            return
        job = Job(call(tsv_text, cells), self)
        job.then(self._copied, len(rows))
        job.ended.connect(job.deleteLater)

    def copy(self) -> None:
        """What Edit › Copy does here."""
        self.copy_rows()

    def _copied(self, text: str, rows: int) -> None:
        QGuiApplication.clipboard().setText(text)
        self.told.emit(f"{counted(rows, 'row')} copied.")

    def ask_and_save(self) -> None:
        """Ask for a file and save the rows that are shown as CSV."""
        name, _ = QFileDialog.getSaveFileName(
            self, "Save merges as CSV", str(self._folder / "merges.csv"), "CSV files (*.csv)"
        )
        if name:
            self._folder = Path(name).parent
            self.save_csv(Path(name))

    def save_csv(self, path: Path) -> Job:
        """Save the rows that are shown as CSV, on a worker thread."""
        rows = self.model.cells(range(self.model.rowCount()), for_file=True)
        job = Job(call(files.write_atomic, path, csv_chunks([*COLUMNS, "token_hex"], rows)), self)
        job.then(self._on_saved, path)
        job.failed.connect(self.failed)
        job.ended.connect(job.deleteLater)
        return job

    def _on_saved(self, _: object, path: Path) -> None:
        self.told.emit(f"Saved {path.name}.")

    # The table

    def _show_table(self, table: OpenTable | None) -> None:
        self._drop_job()
        self._show_size()
        self._show_marks()
        why = why_empty(table)
        self.empty.set_text(why or HINT, **({} if why else {"action": TRAIN, "other": EXAMPLE}))
        self.pages.setCurrentIndex(0 if table is None or why else 1)
        if table is None or len(table.tokenizer.table.merges) < BIG_TABLE:
            self.model.set_tokenizer(table.tokenizer if table is not None else None)
            return
        self.model.set_tokenizer(None)
        self.count.setText("Reading the table …")
        self._job = Job(call(MergeRows, table.tokenizer), self)
        self._job.finished.connect(self._rows_made)
        self._job.failed.connect(self.failed)

    def _rows_made(self, rows: MergeRows) -> None:
        self._drop_job()
        self.model.set_rows(rows)
        self._catch_up(self._tables.current)

    def _drop_job(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job.deleteLater()
            self._job = None

    def _grow(self, batch: MergeBatch) -> None:
        self.model.append(batch)
        self._show_count()
        if self.model.stale and not self._timer.isActive():
            self._timer.start()

    def _catch_up(self, table: OpenTable | None) -> None:
        """Take over merges that were learned while nobody told."""
        rows = self.model.rows
        if table is None or table is not self._tables.current or rows is None:
            return
        learned = len(table.tokenizer.table.merges)
        if learned > len(rows) or (learned and not self.model.rowCount()):
            self._show_table(table)
        self._refresh()

    def _refresh(self) -> None:
        if not self.model.stale:
            self._timer.stop()
            return
        self.model.refresh()
        self._show_count()

    def _rows_replaced(self) -> None:
        self._show_count()
        if self._selection.token is not None:
            self._follow(self._selection.token)
            if self._selection.rank is not None:
                self._follow_rank(self._selection.rank)

    def _show_count(self) -> None:
        shown = self.model.rowCount()
        total = len(self.model.rows) if self.model.rows is not None else 0
        words = counted(total, "merge")
        if self._size.merges is not None and self._size.merges < total:
            words += f"  ·  at this size the first {self._locale.toString(self._size.merges)}"
        if self.model.wants_flags and self.model.marks is None and total:
            self._say(UNCHECKED)
            return
        part = f"{self._locale.toString(shown)} of " if shown != total else ""
        self._say(part + words)

    def _show_size(self) -> None:
        """Merges that the slider leaves out are muted, once it rests."""
        self.model.set_size(self._size.merges, QColor(theme.colours(self).muted))
        self._show_count()

    def _say(self, words: str, *, role: str = "muted") -> None:
        set_role(self.count, "role", role)
        self.count.setText(words)
        self.count.setToolTip(plain_tip(words) if role == "danger" or words == UNCHECKED else "")

    def _show_filter_error(self, sentence: str) -> None:
        set_role(self.filter_edit, "wrong", bool(sentence))
        if sentence:
            self._say(sentence, role="danger")

    # Selecting

    def _row_chosen(self, index: QModelIndex, _: QModelIndex) -> None:
        if index.isValid() and not self._following and not self.table.taking_focus:
            self._selection.select_token(self.model.token_at(index.row()))

    def _follow(self, token_id: int) -> None:
        current = self.table.currentIndex()
        chosen = current.isValid() and self.table.selectionModel().isSelected(current)
        if chosen and self.model.token_at(current.row()) == token_id:
            return
        if not self._select_row(self.model.row_of_token(token_id), tell=False):
            self._following = True  # no row makes this token: a base symbol, a special
            self.table.selectionModel().clear()
            self._following = False

    def _follow_rank(self, rank: int) -> None:
        """Of the merges that make the selected token, show the one that fired."""
        row = self.model.row_of_rank(rank)
        if row >= 0 and self.model.token_at(row) == self._selection.token:
            self._select_row(row, tell=False)

    def _select_row(self, row: int, *, tell: bool) -> bool:
        selection = self.table.selectionModel()
        if row < 0:
            return False
        index = self.model.index(row, COLUMNS.index("token"))
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        across = self.table.horizontalScrollBar().value()
        self._following = not tell
        selection.setCurrentIndex(index, flags | QItemSelectionModel.SelectionFlag.Rows)
        self._following = False
        if not self.table.viewport().rect().contains(self.table.visualRect(index).center()):
            self.table.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        self.table.horizontalScrollBar().setValue(across)
        return True

    def _jump(self) -> None:
        text = self.rank_edit.text().strip().replace(",", "")
        if text.isdecimal() and self.select_rank(int(text)):
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        elif text:
            set_role(self.rank_edit, "wrong", True)
            self._say(self._no_such_rank(text), role="danger")

    def _no_such_rank(self, text: str) -> str:
        last = len(self.model.rows or ()) - 1
        if not text.isdecimal():
            return f"A rank is a whole number, not {text!r}."
        if int(text) <= last:
            return f"The filter hides rank {text}."
        return f"There is no rank {text}; the last is {self._locale.toString(last)}."

    def _rank_edited(self) -> None:
        if self.rank_edit.property("wrong"):
            set_role(self.rank_edit, "wrong", False)
            self._show_count()

    # Qt's events

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_size"):
            self._show_size()


def why_empty(table: OpenTable | None) -> str:
    """Why a table has no merges to show, a sentence; nothing where it has some or will learn."""
    if table is None or len(table.tokenizer.table.merges) or table.session is not None:
        return ""
    outside = table.tokenizer.outside
    if outside is None:
        return NO_MERGES if table.path is not None else ""
    how = {
        "Unigram": "finds the likeliest pieces of a text by their scores",
        "WordPiece": "takes the longest token that fits, again and again",
        "WordLevel": "looks up whole words",
    }.get(outside.kind, f"is run by {outside.library} only")
    article = "An" if outside.kind[:1] in "AEIO" else "A"
    return f"{article} {outside.kind} tokenizer has no merges: it {how}."
