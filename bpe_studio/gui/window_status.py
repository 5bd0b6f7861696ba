"""The right of the status bar: what is opened, what is compiled, which table is shown."""

from __future__ import annotations

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QMainWindow, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.state.kernels import KernelState
from bpe_studio.gui.state.open_tables import OpenTables
from bpe_studio.gui.state.opening import Opening
from bpe_studio.gui.widgets.basics import Button, label
from bpe_studio.gui.widgets.notes_bar import NotesBar
from bpe_studio.gui.widgets.opening_view import OpeningView
from bpe_studio.gui.widgets.words import counted, duration


class WindowStatus:
    """Puts its parts into the status bar of a window and keeps them up to date."""

    def __init__(
        self,
        window: QMainWindow,
        *,
        tables: OpenTables,
        kernels: KernelState,
        opening: Opening,
        notes: NotesBar,
    ) -> None:
        self._tables, self._kernels, self._notes = tables, kernels, notes
        self.opening_view = OpeningView(opening)
        self.kernel_words, self.table_words = label(role="muted"), label(role="muted")
        self.notes_button = Button(look="quiet", tip="Show the notes on this table again")
        self.notes_button.setProperty("compact", True)
        self.notes_button.clicked.connect(notes.reopen)
        parts: tuple[QWidget, ...] = (
            self.kernel_words,
            self.notes_button,
            self.table_words,
            self.opening_view,  # at the end: its button stays in its place whatever the others say
        )
        bar = window.statusBar()
        bar.setSizeGripEnabled(False)
        # The margins of a label alone are not always kept free at the end of the bar.
        bar.setContentsMargins(0, 0, theme.GAP, 0)
        for part in parts:
            bar.addPermanentWidget(part)
        for words in (self.kernel_words, self.table_words):
            words.setContentsMargins(theme.GAP, 0, theme.GAP, 0)
        changes = (tables.changed, tables.currentChanged, notes.closed)
        for signal in (*changes, kernels.changed, kernels.ticked):
            signal.connect(lambda *_: self.show())
        self.show()

    def show(self) -> None:
        """Say what is so now."""
        compiling = ""
        if self._kernels.compiling:
            so_far = f" · {duration(self._kernels.seconds)}" if self._kernels.seconds else ""
            compiling = f"Compiling kernels in the background …{so_far}"
        self.kernel_words.setText(compiling)
        self.kernel_words.setVisible(bool(compiling))
        hidden = self._notes.hidden_notes
        self.notes_button.setText(counted(hidden, "note"))
        self.notes_button.setAccessibleName(self.notes_button.text())
        self.notes_button.setVisible(bool(hidden))
        self.table_words.setText(self._about_table())

    def _about_table(self) -> str:
        table = self._tables.current
        if table is None:
            return ""
        made = table.tokenizer
        size = QLocale().toString(made.vocab_size)
        kind = made.base if made.outside is None else made.outside.kind
        cut = made.pattern.name if made.outside is None else f"cut by {made.outside.library}"
        return f"{table.name} · {size} tokens · {cut} · {kind}"
