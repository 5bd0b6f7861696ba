"""Asks what a new training is to be without."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QSpinBox,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from bpe_studio.gui import theme
from bpe_studio.gui.models.leave_out import LeaveOutModel
from bpe_studio.gui.models.retrain_plan import RetrainPlan
from bpe_studio.gui.widgets.basics import (
    Button,
    FilterEdit,
    SectionHeader,
    label,
    lines,
    row_height,
    set_up_table,
)
from bpe_studio.gui.widgets.form_fields import spin_box
from bpe_studio.gui.widgets.words import counted, number, size

WIDTH = 600
ROWS = 6
INDENT = 24
CHOOSE = "Choose a document to leave out, or a rule; otherwise the same table would come again."
NOT_FOUND = "No file of the corpus has this in its name."
NOTHING_FOUND = (
    "Documents in which tokens are concentrated are listed here once Health has checked the table "
    "on its corpus. Any file can be found above."
)
NOTHING_LEFT = "Nothing would be left to learn from: keep some file."


class RetrainDialog(QDialog):
    """Documents to leave out, three rules, and in words what will be done.

    Signals
    -------
    chosen(object)
        The settings of the training to start, a dict; Cancel sends nothing.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None, plan: RetrainPlan) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Retrain without")
        self._plan = plan
        self.documents = LeaveOutModel(plan, self)
        self._build()
        self._wire()
        self._show_nothing()
        self._show()

    def settings(self) -> dict[str, Any]:
        """Those of the table, with what is chosen."""
        rules = {
            "without": self.documents.chosen,
            "whole_characters": self.whole.isChecked(),
            "max_token_bytes": self.longest.value() if self.short.isChecked() else None,
            "min_documents": self.fewest.value() if self.several.isChecked() else 1,
        }
        return {**self._plan.settings, **rules}

    def accept(self) -> None:
        if not self.problem:
            self.chosen.emit(self.settings())
            super().accept()

    @property
    def problem(self) -> str:
        """Why there is nothing to train, a sentence; empty where there is."""
        if self.documents.leaves_nothing:
            return NOTHING_LEFT
        anything = any((self.whole.isChecked(), self.short.isChecked(), self.several.isChecked()))
        return "" if anything or self.documents.chosen else CHOOSE

    # Construction

    def _build(self) -> None:
        plan = self._plan
        about = (
            f"{plan.table} is trained anew on the corpus of the Corpus panel, {plan.corpus_name} "
            f"({counted(len(plan.files), 'file')}, {size(sum(plan.files.values()))}), to "
            f"{number(plan.settings['vocab_size'])} ids, with its other settings as they were. "
            "It opens as a new table; this one stays."
        )
        self.about = label(about, wrap=True)
        self.remarks = label("\n".join(plan.remarks), role="warning", wrap=True)
        self.remarks.setVisible(bool(plan.remarks))
        self.filter_edit = FilterEdit(
            "Find any file of the corpus, or a row: a.jsonl:7", name="Find a file of the corpus"
        )
        self.table = self._table()
        self.trouble = label(role="muted", wrap=True)
        self.train_button = Button("Train", look="primary")
        self.cancel_button = Button("Cancel")
        for button in (self.train_button, self.cancel_button):
            button.setAutoDefault(False)  # Enter in the search must not train
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.GAP)
        buttons.addWidget(self.trouble, 1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.train_button)
        column = lines(
            self.about,
            self.remarks,
            SectionHeader("Leave out"),
            self.filter_edit,
            self.table,
            SectionHeader("Rules for merges"),
            self._rules(),
            buttons,
            margin=2 * theme.MARGIN,
        )
        self.setLayout(column)
        self.setMinimumWidth(WIDTH)
        self.table.setFocus()

    def _table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.documents)
        table.setAccessibleName("Documents to leave out")
        set_up_table(table)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = table.horizontalHeader()
        header.setSortIndicatorShown(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        table.setColumnWidth(1, WIDTH * 2 // 5)
        self.nothing = label(role="muted", wrap=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        table.viewport().setLayout(lines(self.nothing, margin=2 * theme.MARGIN))
        table.setMinimumHeight((ROWS + 1) * row_height(table) + theme.GAP)
        return table

    def _rules(self) -> QWidget:
        """Each with its sentence: what it forbids, and how many tokens it is about."""
        chosen, words = self._plan.chosen, rule_words(self._plan)
        self.whole = QCheckBox("Only &whole characters")
        self.whole.setChecked(bool(chosen.get("whole_characters")))
        self.short = QCheckBox("No &token of more bytes than")
        self.longest = spin_box(2, 99_999, 32, name="Longest token in bytes")
        self.several = QCheckBox("Only pairs that so &many documents have")
        self.fewest = spin_box(2, 99_999_999, 2, name="Fewest documents of a pair")
        for check, spin, value in (
            (self.short, self.longest, chosen.get("max_token_bytes")),
            (self.several, self.fewest, chosen.get("min_documents", 1)),
        ):
            check.setChecked(value is not None and value > 1)
            if check.isChecked():
                spin.setValue(value)
        self.sentences = [label(sentence, role="muted", wrap=True) for sentence in words]
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GRID)
        rows = ((self.whole, None), (self.short, self.longest), (self.several, self.fewest))
        for (check, spin), sentence in zip(rows, self.sentences, strict=True):
            column.addLayout(_row(check, spin))
            sentence.setContentsMargins(INDENT, 0, 0, theme.GRID)
            column.addWidget(sentence)
        rules = QWidget()
        rules.setLayout(column)
        return rules

    def _wire(self) -> None:
        self.train_button.clicked.connect(self.accept)
        self.cancel_button.clicked.connect(self.reject)
        self.filter_edit.filterChanged.connect(self.documents.search)
        self.table.activated.connect(lambda index: self.documents.toggle(index.row()))
        self.documents.chosenChanged.connect(self._show)
        self.documents.modelReset.connect(self._show_nothing)
        for check in (self.whole, self.short, self.several):
            check.toggled.connect(lambda _: self._show())

    def _show(self) -> None:
        problem = self.problem
        self.trouble.setText(problem or self._what())
        self.train_button.setEnabled(not problem)
        self.longest.setEnabled(self.short.isChecked())
        self.fewest.setEnabled(self.several.isChecked())
        self._fit()

    def _show_nothing(self) -> None:
        """Why the list is empty."""
        self.nothing.setText(NOT_FOUND if self.filter_edit.text().strip() else NOTHING_FOUND)
        self.nothing.setVisible(not self.documents.rowCount())

    def _what(self) -> str:
        """What is left out, and how many tokens that is about."""
        chosen, tokens = len(self.documents.chosen), self.documents.tokens
        if not chosen:
            return "Nothing is left out."
        about = f", in which {counted(tokens, 'token')} " if tokens else ""
        about += f"{'is' if tokens == 1 else 'are'} concentrated" if tokens else ""
        return f"Leaves out {counted(chosen, 'document')}{about}."

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Keep room for all lines; by itself, a dialog stays as it is when a label grows."""
        layout = self.layout()
        layout.activate()
        width = max(self.width(), self.minimumWidth())
        self.setMinimumHeight(layout.totalMinimumHeightForWidth(width))


def rule_words(plan: RetrainPlan) -> tuple[str, str, str]:
    """What each rule forbids, and what of it the table has."""
    found = plan.suggestion
    crossing, longer, lonely = found.crossing, found.longer, found.lonely
    return (
        "No merge goes across the border of a character: a character is built from its bytes "
        f"before it is joined with others. {_has(crossing, 'holds', 'hold')} halves across "
        "borders now. Parts of a single character stay.",
        f"Longer ones often come from text that repeats. {_has(longer, 'is', 'are')} over-long "
        "now.",
        "What one document alone repeats is not learned."
        + (f" {_has(lonely, 'is', 'are')} of only one document now." if plan.on_corpus else ""),
    )


def _has(count: int, one: str, many: str) -> str:
    return f"{counted(count, 'token') if count else 'No token'} {one if count < 2 else many}"


def _row(check: QCheckBox, spin: QSpinBox | None) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(theme.GAP)
    row.addWidget(check)
    if spin is not None:
        row.addWidget(spin)
    row.addStretch(1)
    return row
