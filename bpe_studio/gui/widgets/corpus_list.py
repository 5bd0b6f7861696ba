"""The files and folders to train on: added, counted, taken out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from bpe_studio.gui import icons, theme
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.widgets.basics import Button, IconButton, label, lines, row_height, set_role
from bpe_studio.gui.widgets.words import counted, plain_tip, size

if TYPE_CHECKING:
    from bpe_studio.bpe.corpus import Corpus

SAMPLE = "This Python's standard library"
ROWS_SHOWN = 6


class CorpusList(QWidget):
    """A list with what was found in it; when empty, a place to drop files and the sample.

    Signals
    -------
    sampleAsked()
        The user wants to train on the standard library at once.
    """

    sampleAsked = Signal()

    def __init__(self, corpus: CorpusState) -> None:
        super().__init__()
        self._corpus = corpus
        self.folder = ""  # where the dialogs begin
        self.setAcceptDrops(True)
        self._build_empty()
        self._build_list()
        self.summary = label(role="muted", wrap=True)
        self.setLayout(lines(self.empty, self.full, self.summary, margin=0, gap=theme.GRID))
        corpus.changed.connect(self._show)
        corpus.looking.connect(self._show_looking)
        self._show()

    def _build_empty(self) -> None:
        self.empty = QWidget()
        self.empty.setObjectName("dropHint")
        self.empty.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        hint = label("Drop text files or folders here", role="muted")
        hint.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.sample_button = Button(
            "Use this Python's standard library",
            look="primary",
            tip="Some twelve megabytes of real code that are on every machine; training starts at "
            "once",
        )
        self.sample_button.setProperty("compact", True)
        self.sample_button.clicked.connect(self.sampleAsked)
        self.empty.setLayout(
            lines(hint, self._add_buttons(), self.sample_button, margin=theme.GRID)
        )

    def _build_list(self) -> None:
        self.list = QListWidget()
        self.list.setAccessibleName("Files and folders to train on")
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.itemSelectionChanged.connect(self._show_buttons)
        self.remove_button = IconButton("remove", "Take the selected ones out (Del)")
        self.remove_button.clicked.connect(self.remove_selected)
        context = Qt.ShortcutContext.WidgetShortcut
        QShortcut(QKeySequence.StandardKey.Delete, self.list, self.remove_selected, context=context)
        buttons = self._add_buttons(sample=True)
        buttons.addStretch(1)
        buttons.addWidget(self.remove_button)
        self.full = QWidget()
        self.full.setLayout(lines(self.list, buttons, margin=0, gap=theme.GRID))

    def _add_buttons(self, *, sample: bool = False) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.GRID if sample else theme.GAP)
        look = "quiet" if sample else ""
        for text, tip, ask in (
            ("Files", "Add text files, JSONL, or compressed ones", self.ask_files),
            ("Folder", "Add a folder with all that is in it", self.ask_folder),
        ):
            button = Button(text, icon="add", look=look, tip=tip)
            button.setAccessibleName(f"Add {text.lower()}")
            button.clicked.connect(ask)
            row.addWidget(button)
        return row

    def ask_files(self) -> None:
        """Let the user choose files to add."""
        names, _ = QFileDialog.getOpenFileNames(self, "Add files to the corpus", self.folder)
        if names:
            self.folder = str(Path(names[0]).parent)
        self._corpus.add(Path(name) for name in names)

    def ask_folder(self) -> None:
        """Let the user choose a folder to add."""
        name = QFileDialog.getExistingDirectory(self, "Add a folder to the corpus", self.folder)
        if name:
            self.folder = str(Path(name).parent)
            self._corpus.add([Path(name)])

    def remove_selected(self) -> None:
        """Take the selected files and folders out."""
        chosen = [item.data(Qt.ItemDataRole.UserRole) for item in self.list.selectedItems()]
        if None in chosen:
            self._corpus.use_standard_library(False)
        self._corpus.remove(Path(path) for path in chosen if path is not None)

    def reveal_place(self, _text: str, place: str, *_: int) -> None:
        """Reveal the file that a text is of; `place` may name a row of it."""
        self.reveal(place.partition(", row ")[0])

    def reveal(self, label: str) -> bool:
        """Select what a file came in with, and say which file; False where it has none such."""
        found = self._corpus.corpus
        file = next((f for f in found.files if f.label == label), None) if found else None
        if file is None:
            return False
        self.list.clearSelection()
        root = next(
            (r for r in self._corpus.roots if r == file.path or r in file.path.parents), None
        )
        for row in range(self.list.count()):
            item = self.list.item(row)
            if item.data(Qt.ItemDataRole.UserRole) == (None if root is None else str(root)):
                self.list.setCurrentItem(item)
        self.summary.setText(f"{self._figures(found)}\n{file.label} · {size(file.size)}")
        self.summary.setToolTip(plain_tip(str(file.path)))
        return True

    @staticmethod
    def _figures(found: Corpus) -> str:
        return f"{counted(len(found.files), 'file')} · {size(found.total_bytes)}"

    def _show(self) -> None:
        corpus = self._corpus
        self.empty.setVisible(corpus.is_empty)
        self.full.setVisible(not corpus.is_empty)
        self.list.clear()
        if corpus.has_standard_library:
            self._add_item(SAMPLE, "folder", None)
        for path in corpus.roots:
            self._add_item(path.name or str(path), "file" if path.is_file() else "folder", path)
        rows = min(max(self.list.count(), 2), ROWS_SHOWN)
        self.list.setFixedHeight(rows * row_height(self.list) + theme.GRID)
        self._show_buttons()
        self.summary.setVisible(not corpus.is_empty)
        self.summary.setToolTip("")
        found = corpus.corpus
        if found is not None:
            self.summary.setText(self._figures(found))
        else:
            self.summary.setText("Looking …")

    def _add_item(self, text: str, icon: str, path: Path | None) -> None:
        colours = theme.colours(self)
        item = QListWidgetItem(icons.icon(icon, colours, colour=colours.muted), text)
        item.setData(Qt.ItemDataRole.UserRole, None if path is None else str(path))
        item.setToolTip("" if path is None else plain_tip(str(path)))
        self.list.addItem(item)

    def _show_looking(self, files: int, found: int) -> None:
        self.summary.setText(f"Looking … {counted(files, 'file')} · {size(found)}")

    def _show_buttons(self) -> None:
        self.remove_button.setEnabled(bool(self.list.selectedItems()))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()
            set_role(self.empty, "over", True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        set_role(self.empty, "over", False)

    def dropEvent(self, event: QDropEvent) -> None:
        set_role(self.empty, "over", False)
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        self._corpus.add(paths)
        event.acceptProposedAction()
