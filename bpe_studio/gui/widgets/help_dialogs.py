"""What F1 shows, and what the program is."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QWidget

from bpe_studio.gui import icons, theme
from bpe_studio.gui.widgets.basics import Button, SectionHeader, label, lines

IN_PANELS = tuple(
    ("In panels", what, keys)
    for what, keys in (
        ("Text: token to the left, to the right", "Alt+←  Alt+→"),
        ("Text: select whole tokens", "Alt+Shift+←  Alt+Shift+→"),
        ("Find bar: the next, the one before", "Enter  Shift+Enter"),
        ("Find bar: end, at what was found", "Esc"),
        ("Size slider: by one merge", "←  →"),
        ("Size slider: by a hundred", "Ctrl+←  Ctrl+→"),
        ("Size slider: by a page, to an end", "PgUp  PgDown  Home  End"),
        ("Explain: fold or open a section", "Space"),
        ("Merge tree: to the next node", "←  →  ↑  ↓"),
        ("Merge tree: select its token", "Enter"),
    )
)


def shortcuts_dialog(parent: QWidget, shortcuts: Iterable[tuple[str, str, str]]) -> QDialog:
    """All keys, by menu, in two columns."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(2 * theme.MARGIN)
    grid.setVerticalSpacing(theme.GRID)
    every = [*shortcuts, *IN_PANELS]
    half, row, column = len(every) // 2, 0, 0
    for title, group in groupby(every, key=lambda line: line[0]):
        if row > half and not column:
            row, column = 0, 3
        grid.addWidget(SectionHeader(title), row, column, 1, 2)
        for _, text, keys in group:
            row += 1
            shown = label(keys, role="muted")
            grid.addWidget(label(text), row, column)
            grid.addWidget(shown, row, column + 1, Qt.AlignmentFlag.AlignRight)
        row += 1
        grid.setRowMinimumHeight(row, theme.GAP)
        row += 1
    grid.setColumnMinimumWidth(2, 2 * theme.MARGIN)
    content = QWidget()
    content.setLayout(grid)
    return _dialog(parent, "Keyboard shortcuts", content)


def about_dialog(parent: QWidget) -> QDialog:
    """Name, version and what it stands on."""
    from importlib.metadata import PackageNotFoundError, version

    mark = QLabel()
    mark.setPixmap(icons.program_icon().pixmap(64, 64))
    mark.setAccessibleName("The mark of BPE Studio")
    try:
        number = version("bpe-studio")
    except PackageNotFoundError:
        number = ""
    name = label(f"BPE Studio {number}".strip())
    font = theme.ui_font()
    font.setPointSizeF(font.pointSizeF() + 4)
    font.setWeight(font.Weight.DemiBold)
    name.setFont(font)
    about = label(
        "Trains byte-pair-encoding tokenizers on your own files, shows what they do to any text, "
        "explains why, compares them, and finds the tokens that will hurt a model later.",
        wrap=True,
    )
    about.setMinimumWidth(360)
    content = QWidget()
    row = QHBoxLayout(content)
    row.setSpacing(2 * theme.MARGIN)
    row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
    licence = label(f"MIT licence. Qt {qVersion()}. No network code at all.", role="muted")
    row.addLayout(lines(name, about, licence, margin=0), 1)
    return _dialog(parent, "About BPE Studio", content)


def _dialog(parent: QWidget, title: str, content: QWidget) -> QDialog:
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setWidget(content)
    scroll.setMinimumWidth(content.sizeHint().width() + 4 * theme.GRID)
    scroll.setMinimumHeight(min(560, content.sizeHint().height() + theme.GRID))
    close = Button("Close")
    close.clicked.connect(dialog.accept)
    close.setDefault(True)
    column = lines(scroll, close, margin=2 * theme.MARGIN, gap=theme.MARGIN)
    column.setAlignment(close, Qt.AlignmentFlag.AlignRight)
    dialog.setLayout(column)
    return dialog
