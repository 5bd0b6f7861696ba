"""What a format cannot hold, before it is saved; and how the file is used, after that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QScrollArea,
    QWidget,
)

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import Button, label, lines

WIDTH = 480
MOST_HEIGHT = 320


def choose_place(
    parent: QWidget, title: str, suggested: Path, suffixes: Mapping[str, str]
) -> tuple[Path, str] | None:
    """Ask where to save, and as what.

    Parameters
    ----------
    suggested : a name without a suffix, in the folder to begin in
    suffixes : what is listed → the suffix that a name without one gets

    Returns
    -------
    The path and what was chosen of the list; None where nothing is to be saved.
    """
    dialog = QFileDialog(parent, title, str(suggested.parent))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(list(suffixes))
    given = suffixes[dialog.selectedNameFilter()]

    def follow(shown: str) -> None:
        """Before the dialog asks whether an old file is to be replaced, the name has its suffix."""
        nonlocal given
        chosen = next(iter(dialog.selectedFiles()), "")
        name, before, given = Path(chosen).name, given, suffixes[shown]
        dialog.setDefaultSuffix(given)
        if name.endswith(before):
            dialog.selectFile(name.removesuffix(before) + given)

    dialog.filterSelected.connect(follow)
    dialog.setDefaultSuffix(given)
    dialog.selectFile(suggested.name + given)
    try:
        if not dialog.exec() or not dialog.selectedFiles():
            return None
        return Path(dialog.selectedFiles()[0]), dialog.selectedNameFilter()
    finally:
        dialog.deleteLater()


def losses_dialog(
    parent: QWidget, name: str, losses: Sequence[str], replaced: Sequence[str] = ()
) -> QDialog:
    """Accepted where the file is to be saved all the same."""
    dialog = _dialog(parent, f"Save {name}")
    content = QWidget()
    parts = []
    if losses:
        title = label(f"{name} cannot hold everything:", wrap=True)
        parts += [title, *(_point(loss) for loss in losses)]
    if replaced:
        names = " and ".join(replaced)
        parts.append(label(f"{names} in the same folder will be replaced.", wrap=True))
    column = lines(*parts, margin=0)
    column.addStretch(1)
    content.setLayout(column)
    save, cancel = Button("Save", look="primary"), Button("Cancel")
    save.setDefault(True)
    save.clicked.connect(dialog.accept)
    cancel.clicked.connect(dialog.reject)
    dialog.setLayout(
        lines(_scrolled(content), _row(cancel, save), margin=2 * theme.MARGIN, gap=theme.MARGIN)
    )
    dialog.setMinimumWidth(WIDTH)
    return dialog


def hint_dialog(parent: QWidget, name: str, hint: str) -> QDialog:
    """The lines that use a saved file, to be copied."""
    dialog = _dialog(parent, f"Saved {name}")
    shown = QPlainTextEdit(hint)
    shown.setReadOnly(True)
    shown.setFont(theme.mono_font())
    shown.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    shown.setAccessibleName("Lines that use the file")
    metrics = QFontMetrics(shown.font())
    rows = hint.count("\n") + 3
    shown.setMinimumHeight(min(MOST_HEIGHT, rows * metrics.lineSpacing() + theme.MARGIN))
    copy, close = Button("Copy", icon="copy"), Button("Close", look="primary")
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(hint))
    close.setDefault(True)
    close.clicked.connect(dialog.accept)
    said = label(f"{name} is saved. This is how it is used:", wrap=True)
    column = lines(said, shown, _row(copy, close), margin=2 * theme.MARGIN, gap=theme.MARGIN)
    dialog.setLayout(column)
    widest = max(map(metrics.horizontalAdvance, hint.split("\n"))) + 4 * theme.MARGIN
    dialog.setMinimumWidth(min(max(WIDTH, widest + 4 * theme.MARGIN), 760))
    return dialog


def _dialog(parent: QWidget, title: str) -> QDialog:
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    return dialog


def _point(sentence: str) -> QWidget:
    line = QWidget()
    row = QHBoxLayout(line)
    row.setContentsMargins(theme.GAP, 0, 0, 0)
    row.setSpacing(theme.GAP)
    row.addWidget(label("–", role="muted"), 0, Qt.AlignmentFlag.AlignTop)
    words = label(sentence, wrap=True)
    words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    row.addWidget(words, 1)
    return line


def _scrolled(content: QWidget) -> QScrollArea:
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setWidget(content)
    height = content.layout().heightForWidth(WIDTH - 5 * theme.MARGIN)
    scroll.setFixedHeight(min(MOST_HEIGHT, height + theme.GAP))
    return scroll


def _row(*buttons: Button) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(theme.GAP)
    row.addStretch(1)
    for button in buttons:
        row.addWidget(button)
    return row
