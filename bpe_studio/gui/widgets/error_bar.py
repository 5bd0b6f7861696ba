"""What went wrong, one sentence below the other, until each is closed or tried again."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import Button, IconButton, label, lines
from bpe_studio.gui.widgets.words import counted

MOST_HEIGHT = 116
LEAST_HEIGHT = 32  # where the window is low


class ErrorBar(QWidget):
    """A list of errors, as high as it needs to be and no higher than a few of them.

    An error is about something, such as a file. It stays when other things succeed, and goes when
    the same thing is tried again.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("errorBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._rows: list[_Error] = []
        self.count = label()
        self.clear_button = Button("Close all", look="quiet", tip="Close all these messages")
        self.clear_button.setProperty("compact", True)
        self.clear_button.clicked.connect(self.clear)
        self.head = QWidget()
        head = QHBoxLayout(self.head)
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(self.count, 1)
        head.addWidget(self.clear_button)
        self._inner = QWidget()
        self._column = QVBoxLayout(self._inner)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.GRID)
        self.scroll = _Scroll()
        self.scroll.setWidgetResizable(True)
        self.scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setWidget(self._inner)
        bar = self.scroll.verticalScrollBar()
        bar.rangeChanged.connect(lambda _, most: bar.setValue(most))  # to the last
        outside = theme.MARGIN
        column = lines(self.head, self.scroll, margin=0, gap=theme.GRID)
        down, end = outside // 2 + theme.GAP, outside + theme.GRID
        column.setContentsMargins(outside + theme.MARGIN, down, end, theme.GAP)
        self.setLayout(column)
        self.setStyleSheet(f"#errorBar {{ margin: {outside // 2}px {outside}px 0 {outside}px; }}")
        self.hide()

    @property
    def sentences(self) -> list[str]:
        """What is told now, the oldest first."""
        return [row.words.text() for row in self._rows]

    def tell(self, sentence: str, about: object = None) -> None:
        """Add an error, in the place of an equal one."""
        self._drop([row for row in self._rows if (row.sentence, row.about) == (sentence, about)])
        row = _Error(sentence, about)
        row.close_button.clicked.connect(lambda: self._drop([row]))
        self._rows.append(row)
        self._column.addWidget(row)
        row.show()  # the layout would do it later, and leave it out of the height until then
        self._show()

    def forget(self, about: object = None) -> None:
        """It is tried again: what was wrong with it before is over."""
        self._drop([row for row in self._rows if row.about == about])

    def clear(self) -> None:
        """Close all errors."""
        self._drop(list(self._rows))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _drop(self, rows: list[_Error]) -> None:
        if not rows:
            return
        for row in rows:
            self._rows.remove(row)
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._show()

    def _show(self) -> None:
        many = len(self._rows) > 1
        self.head.setVisible(many)
        self.count.setText(counted(len(self._rows), "error"))
        self.setAccessibleName(" ".join(self.sentences))
        self.setVisible(bool(self._rows))
        self._fit()

    def _fit(self) -> None:
        """A scroll area does not ask for the height of what is in it."""
        self._column.invalidate()
        sides = self.layout().contentsMargins()
        width = max(self.width(), self.minimumWidth()) - sides.left() - sides.right()
        needed = self._column.heightForWidth(width)
        self.scroll.set_height(max(0, min(MOST_HEIGHT, needed)))


class _Scroll(QScrollArea):
    """Asks for a height, and makes do with less."""

    _height = 0

    def set_height(self, height: int) -> None:
        """The height to ask for."""
        if height != self._height:
            self._height = height
            self.setMinimumHeight(min(LEAST_HEIGHT, height))
            self.setMaximumHeight(height)
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height)


class _Error(QWidget):
    """One sentence, and the button that takes it away."""

    def __init__(self, sentence: str, about: object) -> None:
        super().__init__()
        self.sentence, self.about = sentence, about
        self.words = label(sentence, wrap=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.close_button = IconButton("close", "Close this message")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.GAP)
        row.addWidget(self.words, 1)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
