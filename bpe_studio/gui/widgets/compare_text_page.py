"""The Text page of Compare: the text of the window under both tables."""

from __future__ import annotations

import threading

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from bpe_studio.gui.job import Job, once_ready
from bpe_studio.gui.models.compare_question import Question, same_matter
from bpe_studio.gui.models.compare_rows import TextPair, compare_texts
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets.basics import lines
from bpe_studio.gui.widgets.text_pair_view import TextPairView

WAIT_MS = 200
BUSY = "Comparing …"


class CompareTextPage(QWidget):
    """Sets one text under two tables, and does it again when one of the three changes.

    Signals
    -------
    tokenChosen(object, int)
        A token was clicked: the `OpenTable` and its id there.
    spanChosen(str, int, int)
        Characters of the text were chosen, which any table can be asked about.
    runningChanged()
        A comparison has begun or ended.
    """

    tokenChosen = Signal(object, int)
    spanChosen = Signal(str, int, int)
    runningChanged = Signal()

    def __init__(self, *, text: TextState, ready: threading.Event | None = None) -> None:
        super().__init__()
        self._text = text
        self._kernels_ready = ready
        self._sides: tuple[OpenTable, OpenTable] | None = None
        self._job: Job | None = None
        self._asked: Question | None = None
        self._answered: Question | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WAIT_MS)
        self.pair = TextPairView()
        column = lines(margin=0)
        column.addWidget(self.pair, 1)
        self.setLayout(column)
        self._wire()

    def _wire(self) -> None:
        self.pair.tokenChosen.connect(self._on_token)
        self._text.textChanged.connect(lambda _: self._changed())
        self._text.whitespaceChanged.connect(self.pair.set_whitespace_shown)
        self.pair.set_whitespace_shown(self._text.show_whitespace)
        self._timer.timeout.connect(self._compare)

    @property
    def running(self) -> bool:
        """Whether a text is being set under the tables."""
        return self._job is not None

    def stop(self) -> None:
        """End what runs."""
        if self._job is not None:
            self._job.cancel()
            self._answered = self._asked
            self.pair.wait("Stopped.")

    def set_sides(self, a: OpenTable | None, b: OpenTable | None) -> None:
        """Take the tables that are compared, as they are now."""
        self._sides = (a, b) if a is not None and b is not None else None
        self._changed()

    # What is compared

    def _changed(self) -> None:
        self._drop_stale()
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def _question(self) -> Question | None:
        if self._sides is None:
            return None
        a, b = self._sides
        return Question(a, b, a.tokenizer, b.tokenizer, self._text.text)

    def _drop_stale(self) -> None:
        """Neither state nor go on computing what nobody asks for any more.

        A newer tokenizer of the same table is no reason: while it learns, none would ever finish.
        """
        wanted = self._question()
        if self._job is not None and not same_matter(self._asked, wanted):
            self._job.cancel()
        if self._answered is not None and not same_matter(self._answered, wanted):
            self._answered = None
            self.pair.wait(BUSY if wanted is not None else "")

    def _compare(self) -> None:
        wanted = self._question()
        if wanted is None or self._job is not None or wanted == self._answered:
            return
        self._asked = wanted
        if self._answered is None:
            self.pair.wait(BUSY)
        steps = compare_texts(wanted.a, wanted.b, wanted.text)
        self._job = Job(once_ready(self._kernels_ready, steps, meanwhile=0.0), self)
        self._job.yielded.connect(self._tell_share)
        self._job.finished.connect(self._show_pair)
        self._job.failed.connect(self._on_failed)
        self._job.ended.connect(self._on_ended)
        self.runningChanged.emit()

    def _on_ended(self) -> None:
        self._job.deleteLater()
        self._job = None
        if self._question() not in (None, self._asked):
            self._changed()
        self.runningChanged.emit()

    def _tell_share(self, shares: list[float]) -> None:
        if self._answered is None:
            self.pair.wait(f"{BUSY} {100 * shares[-1]:.0f} %")

    def _show_pair(self, pair: TextPair) -> None:
        if same_matter(self._asked, self._question()):
            self._answered = self._asked
            self.pair.set_pair(pair, (self._asked.a, self._asked.b))

    def _on_failed(self, sentence: str) -> None:
        self._answered = self._asked
        self.pair.wait(sentence)

    def _on_token(self, side: int, token: int) -> None:
        """The span can be explained by any table; the id means something only in its own."""
        layout = self.pair.layout_of(side)
        if layout is None or self._sides is None:
            return
        start, end = layout.characters[token].tolist()
        self.spanChosen.emit(layout.text, start, end)
        self.tokenChosen.emit(self._sides[side], int(layout.ids[token]))

    # Qt's questions

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start(0)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()
