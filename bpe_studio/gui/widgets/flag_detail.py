"""What is known of one flag: its evidence, the text that shows it, and where a corpus has it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QWidget

from bpe_studio.analysis.flags import Flag
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui import theme
from bpe_studio.gui.models.health_check import Checked
from bpe_studio.gui.models.newest import Newest
from bpe_studio.gui.widgets.basics import IconButton, lines
from bpe_studio.gui.widgets.clamped_label import ClampedLabel
from bpe_studio.gui.widgets.context_view import ContextView
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.words import number, plain_tip

if TYPE_CHECKING:
    from bpe_studio.analysis.contexts import Context

LOOKING = "Looking for it in the corpus …"
CHANGED = "Its text was not found again; the file has changed since the check."
NO_FILES = "The files of this result are not known here, so its text cannot be shown."
Find = Callable[..., Generator[Any, None, Any]]


class FlagDetail(QWidget):
    """Evidence at once; the context in its file as soon as a job has read it.

    Signals
    -------
    textAsked(str, str, int, int)
        A text is to be opened in the Text pane: the text, a name for it, and the characters in it
        that are the token.
    """

    textAsked = Signal(str, str, int, int)

    def __init__(self, *, find: Find | None = None) -> None:
        """`find` is a function as `analysis.contexts.iter_context`, for tests."""
        super().__init__()
        self._find = find
        self._newest = Newest(parent=self)
        self._newest.answered.connect(self._show)
        self._newest.failed.connect(lambda _, sentence: self._say(sentence))
        self._context: Context | None = None
        self.evidence = ClampedLabel(most=2)
        self.evidence.setAccessibleName("Evidence of the selected flag")
        self.witness = ElidedLabel(role="muted")
        self.place = ElidedLabel(role="muted", mode=Qt.TextElideMode.ElideMiddle)
        self.place.setAccessibleName("Where the corpus has the token")
        self.open_button = IconButton("file", "Open in Text (Ctrl+Alt+T)")
        self.copy_button = IconButton("copy", "Copy the place (Ctrl+Alt+Y)")
        self.open_button.clicked.connect(lambda _: self.open_text())
        self.copy_button.clicked.connect(lambda _: self.copy_place())
        self.view = ContextView("Text around the token")
        row = QHBoxLayout()
        row.setSpacing(theme.GRID)
        row.addWidget(self.place, 1)
        row.addWidget(self.open_button)
        row.addWidget(self.copy_button)
        self._found = QWidget()
        self._found.setLayout(lines(row, self.view, margin=0, gap=theme.GRID))
        column = lines(self.evidence, self.witness, self._found, margin=0, gap=theme.GRID)
        self.setLayout(column)
        self.clear()

    @property
    def context(self) -> Context | None:
        """Where the corpus has the token, once it is found."""
        return self._context

    def clear(self) -> None:
        """Show nothing."""
        self._drop()
        self.hide()

    def tell(self, flag: Flag, checked: Checked) -> None:
        """Show a flag, and look for its token in the corpus."""
        self._drop()
        self.evidence.setText(flag.evidence)
        self.evidence.setToolTip(plain_tip(flag.evidence))
        shown = readable(flag.witness.encode()) if flag.witness else ""
        self.witness.setText(f"Text that shows it: {shown}" if shown else "")
        self.witness.setToolTip(plain_tip(shown) if shown else "")
        self.witness.setVisible(bool(shown))
        self._look(flag.id, checked)
        self.show()

    def open_text(self) -> None:
        """Ask for the text around the token to be opened."""
        found = self._context
        if found is not None:
            start = len(found.before)
            text = found.before + found.text + found.after
            self.textAsked.emit(text, str(found.place), start, start + len(found.text))

    def copy_place(self) -> None:
        """Put the file and the place in it on the clipboard."""
        if self._context is not None:
            QGuiApplication.clipboard().setText(self.place.text())

    def _look(self, token: int, checked: Checked) -> None:
        use = checked.use
        used = use is not None and use.of(token)[0] > 0
        self._found.setVisible(used)
        if not used:
            return
        if checked.corpus is None:
            self._say(NO_FILES)
            return
        self._say(LOOKING)
        question = (checked.rows.tokenizer, checked.corpus, use, token)
        self._newest.ask(token, _steps(self._find, *question))

    def _show(self, _: int, found: Context | None) -> None:
        if found is None:
            self._say(CHANGED)
            return
        self._context = found
        line = getattr(found, "line", None)
        where = f"line {number(line)}" if line else f"byte {number(found.offset)}"
        self._say(f"{found.place}, {where}", found=True)
        parts = (found.before, found.text, found.after)
        self.view.show_parts(*(readable(part.encode()) for part in parts))

    def _say(self, words: str, *, found: bool = False) -> None:
        self.place.setText(words)
        self.place.setToolTip(plain_tip(words))
        for widget in (self.open_button, self.copy_button, self.view):
            widget.setVisible(found)

    def _drop(self) -> None:
        """Nobody asks any more for what a job looks for."""
        self._context = None
        self._newest.forget()


def _steps(find: Find | None, *question: Any) -> Generator[Any, None, Any]:
    if find is None:
        from bpe_studio.analysis.contexts import iter_context as find
    return (yield from find(*question))
