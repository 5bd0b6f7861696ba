"""The pieces that cost most tokens under one table against the other."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from bpe_studio.analysis.corpus_comparison import CostlyPiece
from bpe_studio.gui import theme
from bpe_studio.gui.models.array_table import ArrayTable
from bpe_studio.gui.models.corpus_question import ComparedCorpus
from bpe_studio.gui.models.costly_rows import costly_columns, text_of
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import label, lines
from bpe_studio.gui.widgets.byte_text import ByteDelegate
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.page_switch import PageSwitch
from bpe_studio.gui.widgets.words import counted, plain_tip

SIDES = (
    ("Dearer under A", "Pieces that A cuts into more tokens than B does"),
    ("Dearer under B", "Pieces that B cuts into more tokens than A does"),
)
NONE = "No piece needs more tokens under {} than under {}."


class CostlyPage(QWidget):
    """A switch between the two ways round, and a table of at most 100 pieces.

    Signals
    -------
    textChosen(str, int)
        A piece was chosen, and the side that it costs more: it can be asked about there, as a text.
    """

    textChosen = Signal(str, int)

    def __init__(self) -> None:
        super().__init__()
        self._compared: ComparedCorpus | None = None
        self.switch = PageSwitch(SIDES)
        self.count = ElidedLabel(role="muted")
        self.none = label(role="muted", wrap=True)
        self.model = ArrayTable(mono_font=theme.table_font(), parent=self)
        self.view = PieceView(self.model, name="Pieces that cost most")
        self.view.setItemDelegateForColumn(0, ByteDelegate(self.view))
        self.view.copyAsked.connect(self.copy)
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(self.switch)
        row.addWidget(self.count, 1)
        column = lines(row, self.none, margin=0)
        column.addWidget(self.view, 1)
        column.addStretch(0)
        self.setLayout(column)
        self.switch.pageChosen.connect(lambda _: self._show())
        self.view.selectionModel().currentRowChanged.connect(self._on_row)
        self._show()

    @property
    def pieces(self) -> tuple[CostlyPiece, ...]:
        """What is listed."""
        if self._compared is None:
            return ()
        found = self._compared.comparison
        return (found.dearer_a, found.dearer_b)[self.switch.page]

    def show_compared(self, compared: ComparedCorpus | None) -> None:
        """Show the pieces of another comparison."""
        self._compared = compared
        self._show()

    def copy(self) -> None:
        """Put the chosen pieces on the clipboard as they are, one a line."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        chosen = [self.pieces[self.model.source_row(row)] for row in rows]
        if chosen:
            QGuiApplication.clipboard().setText("\n".join(map(text_of, chosen)))

    def _show(self) -> None:
        pieces, sides = self.pieces, "AB" if self.switch.page == 0 else "BA"
        self.none.setText(NONE.format(*sides))
        self.none.setVisible(self._compared is not None and not pieces)
        self.view.setVisible(bool(pieces))
        lost = sum(abs(piece.lost) for piece in pieces)
        words = f"{counted(len(pieces), 'piece')}, {counted(lost, 'token')} lost" if pieces else ""
        self.count.setText(words)
        self.count.setToolTip(plain_tip(words))
        self.model.set_data(costly_columns(pieces, sides[0]), len(pieces))
        self.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def _on_row(self, index: QModelIndex, _: QModelIndex) -> None:
        if index.isValid():
            piece = self.pieces[self.model.source_row(index.row())]
            self.textChosen.emit(text_of(piece), self.switch.page)


class PieceView(ArrayView):
    """Rows that can be copied, by key or menu.

    Signals
    -------
    copyAsked()
        What is selected is to be copied.
    """

    copyAsked = Signal()

    def __init__(self, model: ArrayTable, *, name: str) -> None:
        super().__init__(model, name=name)
        self.setAlternatingRowColors(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)

    def copy(self) -> None:
        """What the menu of the window calls."""
        self.copyAsked.emit()

    def _open_menu(self, place: QPoint) -> None:
        if self.selectionModel().hasSelection():
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction("&Copy", self.copy)
            menu.popup(self.viewport().mapToGlobal(place))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        super().keyPressEvent(event)
