"""What the reader of a file wants the user to know of the current table, as long as it is shown."""

from __future__ import annotations

from weakref import WeakSet

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.widgets.basics import Button, IconButton, label, lines
from bpe_studio.gui.widgets.words import counted

MOST_HEIGHT = 128


class NotesBar(QWidget):
    """The first sentence, and the others when they are asked for.

    Closed, it stays closed for that table until `reopen`.

    Signals
    -------
    closed()
        The user has seen enough, or `reopen` was called: ask `hidden_notes` again.
    """

    closed = Signal()

    def __init__(self, tables: OpenTables) -> None:
        super().__init__()
        self.setObjectName("notesBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setAccessibleName("Notes on this table")
        self._tables = tables
        self._seen: WeakSet[OpenTable] = WeakSet()
        self._shown: tuple[str, ...] = ()
        self.first = label(wrap=True)
        self.first.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.more_button = Button(look="quiet", tip="Show all notes on this table")
        self.more_button.setProperty("compact", True)
        self.more_button.setCheckable(True)
        self.more_button.toggled.connect(self._unfold)
        self.close_button = IconButton("close", "Close these notes")
        self.close_button.clicked.connect(self._close)
        self.others = label(wrap=True)
        self.others.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.others.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.scroll = QScrollArea()
        self.scroll.setWidgetResizable(True)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setWidget(self.others)
        self.scroll.setMaximumHeight(MOST_HEIGHT)
        self.scroll.hide()
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(self.first, 1)
        row.addWidget(self.more_button, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        column = lines(row, self.scroll, margin=0, gap=theme.GRID)
        outside = theme.MARGIN
        across = outside + theme.MARGIN
        column.setContentsMargins(across, outside // 2 + theme.GAP, outside + theme.GRID, theme.GAP)
        self.setStyleSheet(f"#notesBar {{ margin: {outside // 2}px {outside}px 0 {outside}px; }}")
        self.setLayout(column)
        tables.currentChanged.connect(lambda _: self._show())
        tables.changed.connect(self._show)
        self._show()

    @property
    def hidden_notes(self) -> int:
        """How many notes the current table has that are not in sight."""
        return len(_notes(self._tables.current)) if self.isHidden() else 0

    def reopen(self) -> None:
        """Show the notes of the current table again."""
        if self._tables.current is not None:
            self._seen.discard(self._tables.current)
        self._show()
        self.closed.emit()

    def _close(self) -> None:
        if self._tables.current is not None:
            self._seen.add(self._tables.current)
        self._show()
        self.closed.emit()

    def _show(self) -> None:
        current = self._tables.current
        notes = _notes(current)
        self.setVisible(bool(notes) and current not in self._seen)
        if notes == self._shown or not notes:
            return
        self._shown = notes
        self.first.setText(notes[0])
        self.others.setText("\n".join(notes[1:]))
        self.more_button.setChecked(False)
        self.more_button.setVisible(len(notes) > 1)
        self._unfold(False)

    def _unfold(self, opened: bool) -> None:
        more = counted(len(self._shown) - 1, "more note")
        self.more_button.setText("Only the first" if opened else more)
        self.more_button.setAccessibleName(self.more_button.text())
        self.scroll.setVisible(opened)


def _notes(table: OpenTable | None) -> tuple[str, ...]:
    """Why it cannot encode comes first."""
    if table is None:
        return ()
    tokenizer = table.tokenizer
    return (*([tokenizer.view_only] if tokenizer.view_only else []), *tokenizer.notes)
