"""Finding in the text pane: looks for what the bar asks, marks it, goes from one to the next."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from bpe_studio.gui.job import Job
from bpe_studio.gui.models.text_search import Hits, search
from bpe_studio.gui.widgets.find_bar import FindBar
from bpe_studio.gui.widgets.words import number

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.gui.widgets.long_text_view import LongTextView
    from bpe_studio.gui.widgets.token_text import TokenText

AGAIN_MS = 150  # after an edit
NOTHING = "Not in this text"
COMING = "Waiting for the tokens …"


class TextFinder(QObject):
    """The bar, and what it found in the view that shows the text.

    Signals
    -------
    tokenReached(int)
        One went to this token.
    spanReached(int, int)
        One went to these characters.
    """

    tokenReached = Signal(int)
    spanReached = Signal(int, int)

    def __init__(self, *, pane: TokenText | LongTextView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bar = FindBar()
        self._pane = pane
        self._tokenizer: Tokenizer | None = None
        self._whole: Tokenizer | None = None
        self._coming = False
        self._hits: Hits | None = None
        self._at = -1
        self.left = ""  # the text that was left selected: nobody asked for it
        self._jump = False
        self._owes_jump = False  # once there are tokens
        self._job: Job | None = None
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(AGAIN_MS)
        self._again.timeout.connect(lambda: self._look(jump=self._owes_jump))
        self.bar.asked.connect(lambda _: self._look(jump=True))
        self.bar.stepAsked.connect(self.go)
        self.bar.closed.connect(self._on_closed)

    # What the panel tells and asks

    def set_pane(self, pane: TokenText | LongTextView) -> None:
        """Another view shows the text."""
        self._pane.set_found(None)
        self._pane = pane
        self.text_changed()

    def text_changed(self) -> None:
        """The text is another one: look again, a moment later."""
        if self.bar.isVisible():
            self._again.start()

    def layout_changed(
        self,
        tokenizer: Tokenizer | None,
        *,
        whole: Tokenizer | None = None,
        coming: bool = False,
    ) -> None:
        """The tokens are others, or not there; `coming` says that they are on their way.

        `whole` is the tokenizer with all its merges.
        """
        self._tokenizer, self._whole, self._coming = tokenizer, whole, coming
        if self.bar.isVisible() and self.bar.question.kind in ("Token", "Id"):
            self._again.start()

    def begin(self, kind: str = "", wanted: str | None = None) -> None:
        """Show the bar; what was looked for before is marked again."""
        self.bar.begin(kind, wanted)
        if wanted is None:
            self._look(jump=False)

    def go(self, step: int) -> None:
        """Go to the next (1) or previous (-1) one, round the ends."""
        if not self.bar.isVisible():
            self.bar.begin()
            self._look(jump=True)
            return
        if self._again.isActive():  # what was found is of another text, or of other tokens
            self._again.stop()
            self._look(jump=True)
        if self._job is not None:
            return
        count = len(self._hits) if self._hits is not None else 0
        if not count:
            return
        at = self._at + step if self._at >= 0 else (0 if step > 0 else count - 1)
        wrapped = "" if 0 <= at < count else "  ·  from the " + ("top" if step > 0 else "end")
        self._reach(at % count, wrapped)

    # Looking

    def _look(self, *, jump: bool) -> None:
        question, self._jump = self.bar.question, jump
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if not question.wanted or not self.bar.isVisible():
            self._show(None)
            self.bar.tell("")
            return
        pane = self._pane
        layout = pane.token_layout() if pane.layout_is_fresh else None
        needs_tokens = question.kind in ("Token", "Id")
        if needs_tokens and layout is None and (self._coming or self._tokenizer is not None):
            self._show(None)
            self._owes_jump = jump
            self.bar.tell(COMING)  # they are told of, and it is looked again
            return
        self._owes_jump = False
        work = search(question, pane.text(), layout, self._tokenizer, whole=self._whole)
        job = Job(work, self)
        self._job = job
        job.then(self._on_found)
        job.failed.connect(self._on_failed)
        job.ended.connect(job.deleteLater)

    def _on_found(self, hits: Hits) -> None:
        self._job = None
        self._show(hits)
        if not len(hits):
            self.bar.tell(NOTHING, wrong=True)
        elif self._jump:
            self._reach(self._first_after_caret(hits), "")
        else:
            self._tell("")

    def _on_failed(self, sentence: str) -> None:
        self._job = None
        self._show(None)
        self.bar.tell(sentence, wrong=True)

    def _first_after_caret(self, hits: Hits) -> int:
        found = bisect_left(hits.spans[:, 0], self._pane.caret_character)
        return found if found < len(hits) else 0

    def _show(self, hits: Hits | None) -> None:
        self._hits, self._at = hits, -1
        self._places = None if hits is None else self._pane.positions_of(hits.spans)
        self._pane.set_found(self._places)

    def _reach(self, at: int, wrapped: str) -> None:
        hits = self._hits
        assert hits is not None
        self._at = at
        self._pane.set_found(self._places, at)
        self._pane.go_to(int(np.asarray(self._places)[at, 0]))
        self._tell(wrapped)
        if hits.tokens is not None and self._pane.layout_is_fresh:
            token = int(hits.tokens[at])
            self._pane.set_current(token)
            self.tokenReached.emit(token)
        else:
            self.spanReached.emit(*hits.spans[at].tolist())

    def _tell(self, wrapped: str) -> None:
        count = len(self._hits) if self._hits is not None else 0
        if self.bar.goes_to_places:
            self.bar.tell("")
            return
        place = f"{number(self._at + 1)} of " if self._at >= 0 else ""
        self.bar.tell(f"{place}{number(count)}{wrapped}")

    def _on_closed(self) -> None:
        """The place where one is stays selected, unless one has gone elsewhere since."""
        hits, at, pane = self._hits, self._at, self._pane
        found = None
        reached = hits is not None and at >= 0 and not self.bar.goes_to_places
        if reached and pane.caret_character == int(hits.spans[at, 0]):
            found = np.asarray(self._places)[at].tolist()
        self._look(jump=False)
        pane.setFocus()
        if found is not None:
            pane.select(*found)
            self.left = pane.selected_text()
