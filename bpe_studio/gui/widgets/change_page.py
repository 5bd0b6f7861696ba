"""Two checked tables side by side: what went, and what came."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QStackedWidget, QWidget

from bpe_studio.analysis.health_change import HealthChange, KindChange, iter_compare_health
from bpe_studio.gui import theme
from bpe_studio.gui.models.array_table import ArrayTable
from bpe_studio.gui.models.change_rows import (
    change_columns,
    figure_words,
    ordered,
    tokens_words,
)
from bpe_studio.gui.models.health_check import Checked
from bpe_studio.gui.models.legible import legible
from bpe_studio.gui.models.newest import Newest
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import EmptyState, label, lines
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.table_chooser import TableChooser

NO_OTHER = (
    "Sets this table beside another that is open: flags of each category before and after, and "
    "which tokens are gone and which are new. Open a second table, or retrain this one."
)
TOKEN_ROWS = 4


class ChangePage(QWidget):
    """Chooses the table before; the current one is the table after.

    Signals
    -------
    beforeChosen(object)
        The `OpenTable` to compare with, or None.
    """

    beforeChosen = Signal(object)

    def __init__(self, tables: OpenTables) -> None:
        super().__init__()
        self._change: HealthChange | None = None
        self._kinds: tuple[KindChange, ...] = ()
        self._newest = Newest(parent=self)
        self._newest.answered.connect(self._show)
        self._newest.failed.connect(lambda _, sentence: self.figures.setText(sentence))
        self.chooser = TableChooser(tables=tables, name="Compare with", follows_current=False)
        self.after = ElidedLabel()
        self.figures = label(role="muted", wrap=True)
        self.model = ArrayTable(mono_font=theme.table_font(), parent=self)
        self.view = ArrayView(self.model, name="Flags before and after")
        self.view.setAlternatingRowColors(False)
        self.tokens = QPlainTextEdit()
        self.tokens.setReadOnly(True)
        self.tokens.setTabChangesFocus(True)
        self.tokens.setFont(theme.table_font())
        self.tokens.setAccessibleName("Tokens that are gone, and new ones")
        self.tokens.setFixedHeight(TOKEN_ROWS * self.tokens.fontMetrics().lineSpacing() + 16)
        self.empty = EmptyState(NO_OTHER)
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(label("Before", role="muted"))
        row.addWidget(self.chooser, 1)
        row.addWidget(self.after, 1)
        shown = QWidget()
        column = lines(row, self.figures, margin=0)
        column.addWidget(self.view, 1)
        column.addWidget(self.tokens)
        shown.setLayout(column)
        self.views = QStackedWidget()
        self.views.addWidget(self.empty)
        self.views.addWidget(shown)
        self.setLayout(lines(self.views, margin=0))
        self.chooser.tableChosen.connect(self.beforeChosen)
        self.view.selectionModel().currentRowChanged.connect(self._on_row)

    @property
    def change(self) -> HealthChange | None:
        """What differs, once it is known."""
        return self._change

    def tell(self, after: OpenTable | None, now: Checked | None, was: Checked | None) -> None:
        """Compare what was found in the chosen table with what is found in the current one."""
        before = self.chooser.chosen
        other = before is not None and before is not after
        self._change = None
        self._newest.forget()
        self.views.setCurrentIndex(1 if after is not None and self.chooser.count() > 1 else 0)
        self.after.setText(f"After: {after.name}" if after is not None else "")
        self.model.set_data((), 0)
        self.tokens.hide()
        if not other or now is None:
            self.figures.setText("Choose another table to compare with.")
        elif was is None:
            self.figures.setText(f"{before.name} is being judged by its table alone …")
        else:
            pair = (was.rows.tokenizer, now.rows.tokenizer)
            self._newest.ask(pair, iter_compare_health(was.report, now.report, pair))

    def _show(self, _: object, change: HealthChange) -> None:
        self._change = change
        self.figures.setText(figure_words(change))
        self._kinds = ordered(change)
        self.model.set_data(change_columns(self._kinds), len(self._kinds))
        self.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def _on_row(self, index: QModelIndex, _: QModelIndex) -> None:
        if index.isValid() and self._change is not None:
            chosen = self._kinds[self.model.source_row(index.row())]
            self.tokens.setPlainText(legible("\n".join(tokens_words(chosen))))
            self.tokens.show()
