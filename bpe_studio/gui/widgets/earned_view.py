"""The pieces of the open corpus that earned a token its place, looked for when that is asked."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from bpe_studio.analysis.earned import EarnedProgress
from bpe_studio.analysis.history import History, PieceUse
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui import theme
from bpe_studio.gui.models.history_text import MOST_FILES, earned_words
from bpe_studio.gui.models.token_details import shorten
from bpe_studio.gui.widgets.basics import Button, label, lines
from bpe_studio.gui.widgets.elided_label import ElidedLabel, ReadableLabel
from bpe_studio.gui.widgets.thin_bar import ThinBar
from bpe_studio.gui.widgets.words import counted, plain_tip

NO_CORPUS = "With a corpus open (left), the pieces in it that earned this token can be found."

PHASES = {
    "counting": "Counting the pieces of the corpus",
    "merging": "Merging the pieces that may have it",
    "files": "Looking for the files that they come from",
}


class EarnedView(QWidget):
    """A button, then a bar with Cancel, then what was found.

    Signals
    -------
    asked()
        The pieces are to be looked for.
    cancelAsked()
        They are not to be looked for any longer.
    """

    asked = Signal()
    cancelAsked = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._running = False
        self._available = False
        self.button = Button("Find the pieces that earned it", icon="search")
        self.button.clicked.connect(self.asked)
        self.hint = label(NO_CORPUS, role="muted", wrap=True)
        self.bar = ThinBar("Progress through the corpus")
        self.words = label(role="muted", wrap=True)
        self.cancel_button = Button("Cancel", look="quiet", tip="Stop looking through the corpus")
        self.cancel_button.clicked.connect(self.cancelAsked)
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(self.words, 1)
        row.addWidget(self.cancel_button)
        self._rows = lines(margin=0, gap=theme.GRID)
        self._column = lines(self.button, self.hint, row, self.bar, self._rows, margin=0,
                             gap=theme.GRID)  # fmt: skip
        self._column.setAlignment(self.button, Qt.AlignmentFlag.AlignLeft)
        self.setLayout(self._column)
        self._show_state()

    @property
    def running(self) -> bool:
        """Whether the corpus is being looked through."""
        return self._running

    def set_available(self, available: bool) -> None:
        """Whether a corpus is open."""
        self._available = available
        self._show_state()

    def set_progress(self, progress: EarnedProgress | None) -> None:
        """It is being looked through, so far; None at the beginning."""
        self._running = True
        if progress is None:
            self.words.setText("Reading the corpus")
            self.bar.set_share(0.0)
        else:
            share = progress.done / progress.total if progress.total else 0.0
            self.words.setText(f"{PHASES[progress.phase]} · {share:.0%}")
            self.bar.set_share(share)
        self._show_state()

    def set_ended(self, words: str = "") -> None:
        """Nobody looks any longer; `words` say why if nothing was found."""
        self._running = False
        self.words.setText(words)
        self._show_state()

    def set_found(self, history: History) -> None:
        """Show the pieces."""
        self._running = False
        self.words.setText(earned_words(history))
        self.button.setText("Find them again")
        while (item := self._rows.takeAt(0)) is not None:
            item.widget().deleteLater()
        for use in history.earned or ():
            self._rows.addWidget(PieceRow(use))
        self._show_state()

    def _show_state(self) -> None:
        self.button.setVisible(self._available and not self._running)
        self.hint.setVisible(not self._available and not self._running)
        self.bar.setVisible(self._running)
        self.cancel_button.setVisible(self._running)
        self.words.setVisible(bool(self.words.text()))


class PieceRow(QWidget):
    """A piece, how often the corpus has it, and the files that it comes from."""

    def __init__(self, use: PieceUse) -> None:
        super().__init__()
        shown = shorten(readable(use.piece[:400]), 60)
        piece = ReadableLabel(shown)
        piece.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        count = label(f"{use.count:,}×", role="muted")
        top = QHBoxLayout()
        top.setSpacing(theme.GAP)
        top.addWidget(piece, 1)
        top.addWidget(count)
        column = lines(top, margin=0, gap=0)
        for file, times in use.files[:MOST_FILES]:
            column.addLayout(self._file(file, times))
        more = len(use.files) - MOST_FILES
        if more > 0:
            rest = label(f"and {counted(more, 'more file', 'more files')}", role="muted")
            rest.setToolTip(plain_tip("\n".join(f"{name}: {n:,}" for name, n in use.files)))
            rest.setContentsMargins(theme.MARGIN, 0, 0, 0)
            column.addWidget(rest)
        self.setLayout(column)
        self.setAccessibleName(f"{shown}, {use.count} times")

    def _file(self, name: str, times: int) -> QHBoxLayout:
        """A file's name, elided in its middle, and how often it has the piece."""
        row = QHBoxLayout()
        row.setContentsMargins(theme.MARGIN, 0, 0, 0)
        row.setSpacing(theme.GAP)
        where = ElidedLabel(name, role="muted", mode=Qt.TextElideMode.ElideMiddle)
        where.setToolTip(plain_tip(name))
        where.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row.addWidget(where, 1)
        row.addWidget(label(f"{times:,}×", role="muted"))
        return row

    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().minimumSizeHint().height())
