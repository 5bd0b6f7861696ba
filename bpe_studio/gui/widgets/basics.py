"""The small parts that every panel is made of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bpe_studio.gui import icons, theme
from bpe_studio.gui.models.legible import legible

TYPING_MS = 120
BREAK = "\u200b"  # where a line may break; readable bytes hold none, it would be ⟨200B⟩
LONG_WORD = re.compile(r"\S{20,}")
CHUNK = re.compile(r".{1,8}")
FILE = re.compile(r"[/\\]|\.[A-Za-z]\w{1,11}\W?$")  # a path, or a name with a suffix
FOLDER = re.compile(r"[/\\]*[^/\\]+[/\\]*|[/\\]+")
NAME_PART = re.compile(r"[^-_.]*[-_.]+|[^-_.]+")
LONG_NAME = 32


class Label(QLabel):
    """A label that never reads its text as markup, and shows readable bytes legibly.

    Where it wraps, it also breaks words that are too long, such as paths and readable bytes: one
    of them would widen the panel. What is copied from it has no such breaks.
    """

    def __init__(
        self, text: str = "", parent: QWidget | None = None, *, wrap: bool = False
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        self.setText(text)

    def text(self) -> str:
        return super().text().replace(BREAK, "")

    def setText(self, text: str) -> None:
        shown = legible(text)
        super().setText(breakable(shown) if self.wordWrap() else shown)

    def copy(self) -> None:
        """Put what is selected on the clipboard."""
        if self.hasSelectedText():
            QGuiApplication.clipboard().setText(self.selectedText().replace(BREAK, ""))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self.hasSelectedText():
            event.ignore()
            return
        menu = QMenu(self)
        menu.addAction("&Copy", self.copy)
        menu.popup(event.globalPos())


def breakable(text: str) -> str:
    """The text with places to break in words that are longer than a narrow panel is wide.

    The names in a path stay whole if they can.

    >>> breakable("a short one"), breakable("x" * 25).count(BREAK)
    ('a short one', 3)
    >>> breakable("/home/somebody/my-tokenizer.json:").split(BREAK)
    ['/home/', 'somebody/', 'my-tokenizer.json:']
    """
    return LONG_WORD.sub(lambda word: BREAK.join(_parts(word.group())), text)


def _parts(word: str) -> list[str]:
    """What a long word is broken into."""
    if not FILE.search(word):
        return CHUNK.findall(word)
    found: list[str] = []
    for name in FOLDER.findall(word):
        parts = [name] if len(name) <= LONG_NAME else NAME_PART.findall(name)
        for part in parts:
            found.extend([part] if len(part) <= LONG_NAME else CHUNK.findall(part))
    return found


def label(text: str = "", *, role: str = "", wrap: bool = False) -> QLabel:
    """A label with a role: muted, title, warning, danger."""
    made = Label(text, wrap=wrap)
    if role:
        made.setProperty("role", role)
    if role == "title":
        made.setFont(theme.title_font())
    return made


def set_role(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the stylesheet looks at, and let it look again."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def lines(
    *parts: QWidget | QBoxLayout, margin: int = theme.MARGIN, gap: int = theme.GAP
) -> QVBoxLayout:
    """A column of widgets and layouts on the grid."""
    column = QVBoxLayout()
    column.setContentsMargins(margin, margin, margin, margin)
    column.setSpacing(gap)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part)
        else:
            column.addLayout(part)
    return column


class SectionHeader(Label):
    """A small and quiet title of a group, instead of a box round it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setProperty("role", "title")
        self.setFont(theme.title_font())


class _IconOfTheme:
    """For buttons: one of our icons, drawn anew when the theme changes."""

    _icon = ""
    _shown: tuple[object, ...] = ()

    def set_icon(self, name: str) -> None:
        """Show another of our icons."""
        self._icon = name
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        wanted = (self._icon, theme.colours(self), self._ink())
        if self._icon and wanted != self._shown:  # palettes change often, their colours seldom
            self._shown = wanted
            self.setIcon(icons.icon(self._icon, wanted[1], colour=wanted[2]))


class Button(_IconOfTheme, QPushButton):
    """A push button with one of our icons, which follows the theme.

    `look` is "" (an ordinary one), "primary" (the one thing to do here) or "quiet" (no frame).
    """

    def __init__(self, text: str = "", *, icon: str = "", look: str = "", tip: str = "") -> None:
        super().__init__(text)
        self._icon = icon
        self.setProperty("primary", look == "primary")
        self.setProperty("quiet", look == "quiet")
        self.setAccessibleName(text or tip)
        self.setToolTip(tip)
        self._draw()

    def _ink(self) -> str:
        colours = theme.colours(self)
        return colours.on_accent if self.property("primary") else colours.text


class IconButton(_IconOfTheme, QToolButton):
    """A frameless button that is only an icon; its tip is its accessible name."""

    def __init__(self, icon: str, tip: str) -> None:
        super().__init__()
        self._icon = icon
        self.setAutoRaise(True)
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._draw()

    def _ink(self) -> str:
        return theme.colours(self).muted


class EmptyState(QWidget):
    """What a panel shows when it has nothing to show: one sentence, and the action that fills it.

    Signals
    -------
    asked()
        The button was pressed.
    otherAsked()
        The quiet button below it was pressed.
    """

    asked = Signal()
    otherAsked = Signal()

    def __init__(
        self, sentence: str, *, action: str = "", other: str = "", title: str = ""
    ) -> None:
        super().__init__()
        self.title = label(title)
        font = theme.ui_font()
        font.setPointSizeF(font.pointSizeF() + 2)
        font.setWeight(font.Weight.DemiBold)
        self.title.setFont(font)
        self.sentence = label(sentence, role="muted", wrap=True)
        self.button = Button(action, tip="" if action else "Nothing to do here")
        self.button.clicked.connect(self.asked)
        self.other_button = Button(other, look="quiet", tip="" if other else "Nothing to do here")
        self.other_button.clicked.connect(self.otherAsked)
        buttons = (self.button, self.other_button)
        column = lines(self.title, self.sentence, *buttons, margin=2 * theme.MARGIN)
        for part in (self.title, self.sentence):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        for button in buttons:
            column.setAlignment(button, Qt.AlignmentFlag.AlignHCenter)
        column.insertStretch(0, 2)
        column.addStretch(3)
        self.setLayout(column)
        self.title.setVisible(bool(title))
        self.button.setVisible(bool(action))
        self.other_button.setVisible(bool(other))

    def set_text(self, sentence: str, *, action: str = "", other: str = "") -> None:
        """Say something else."""
        self.sentence.setText(sentence)
        for button, words in ((self.button, action), (self.other_button, other)):
            button.setText(words)
            button.setAccessibleName(words or "Nothing to do here")
            button.setVisible(bool(words))


class FilterEdit(QLineEdit):
    """A filter box: tells what to look for shortly after the last key; Esc empties it.

    Signals
    -------
    filterChanged(str)
        The text to filter by.
    """

    filterChanged = Signal(str)

    def __init__(self, placeholder: str, *, name: str = "Filter") -> None:
        super().__init__()
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(False)
        self._shown: theme.Colours | None = None
        self._lens = QAction(name, self)
        self.addAction(self._lens, QLineEdit.ActionPosition.LeadingPosition)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TYPING_MS)
        self._timer.timeout.connect(lambda: self.filterChanged.emit(self.text()))
        self.textChanged.connect(lambda _: self._timer.start())
        self._draw()

    def tell(self) -> None:
        """Tell now, and not after the last key."""
        self._timer.stop()
        self.filterChanged.emit(self.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        if not hasattr(self, "_lens"):
            return
        colours = theme.colours(self)
        if colours != self._shown:
            self._shown = colours
            self._lens.setIcon(icons.icon("search", colours, colour=colours.muted))


def row_height(view: QWidget) -> int:
    """The height of a row of a table on the 4-pixel grid."""
    height = QFontMetrics(theme.mono_font()).height() + theme.GRID + 2
    return -(-height // theme.GRID) * theme.GRID


def set_up_table(view: QTableView, widths: Sequence[int] = (), *, stretch: int = -1) -> None:
    """Make a table view fast and calm: fixed rows, no grid, whole rows selected, sorted by header.

    Columns take `widths` in characters of the current font; `stretch` takes what is left.
    Never call resizeColumnsToContents: it asks every row.
    """
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setShowGrid(False)
    view.setWordWrap(False)
    view.setCornerButtonEnabled(False)
    view.setTabKeyNavigation(False)
    view.setTextElideMode(Qt.TextElideMode.ElideRight)
    rows = view.verticalHeader()
    rows.hide()
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    rows.setMinimumSectionSize(row_height(view))
    rows.setDefaultSectionSize(row_height(view))
    set_up_header(view, widths, stretch=stretch)


def set_up_header(view: QTableView, widths: Sequence[int], *, stretch: int = -1) -> None:
    """Give the columns of a table their widths, in characters; needs the model to be set."""
    header = view.horizontalHeader()
    header.setHighlightSections(False)
    if view.model() is not None:
        # A header asks for every row whether its column is selected, to draw it differently;
        # with all of 200,000 rows selected that is two seconds. Ours draws it the same.
        header.setSelectionModel(QItemSelectionModel(view.model(), header))
    header.setSectionsClickable(True)
    header.setSortIndicatorShown(True)
    header.setMinimumSectionSize(32)
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    digit = QFontMetrics(view.font()).horizontalAdvance("0")
    for column, width in enumerate(widths):
        view.setColumnWidth(column, width * digit + theme.MARGIN)
    if stretch >= 0 and view.model() is not None:
        header.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)
