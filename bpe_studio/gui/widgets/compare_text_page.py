"""The Text page of Compare: one text under both tables, and why they differ."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QWidget

from bpe_studio.analysis.reason_summary import ReasonSummary
from bpe_studio.gui import theme
from bpe_studio.gui.models.compare_question import Question
from bpe_studio.gui.models.compare_saving import SeenText
from bpe_studio.gui.models.difference_walk import DifferenceWalk
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.models.pair_comparing import PairComparing
from bpe_studio.gui.models.reason_asker import ReasonAsker
from bpe_studio.gui.models.text_pair import TextPair
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets.basics import Button, EmptyState, lines
from bpe_studio.gui.widgets.compare_lines_table import CompareLinesTable
from bpe_studio.gui.widgets.difference_card import DifferenceCard
from bpe_studio.gui.widgets.difference_legend import DifferenceLegend
from bpe_studio.gui.widgets.page_switch import PageSwitch
from bpe_studio.gui.widgets.text_pair_view import NO_TEXT, TextPairView, words_of
from bpe_studio.gui.widgets.text_source import TextSource
from bpe_studio.probe import PROBE_PARALLEL

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

BUSY = "Comparing …"
VIEWS = (
    ("Two panes", "The text under A and under B, beside each other"),
    ("One pane", "The text once, with the tokens of A above the line and those of B below"),
)


class CompareTextPage(QWidget):
    """Sets one text under two tables, and does it again when one of the three changes.

    Signals
    -------
    tokenChosen(object, int)
        A token was clicked: the `OpenTable` and its id there.
    spanChosen(str, int, int)
        Characters of the text were chosen, which any table can be asked about.
    runningChanged()
        Something has begun or ended.
    """

    tokenChosen = Signal(object, int)
    spanChosen = Signal(str, int, int)
    runningChanged = Signal()

    def __init__(self, *, text: TextState, ready: threading.Event | None = None) -> None:
        super().__init__()
        self._state = text
        self._sides: tuple[OpenTable, OpenTable] | None = None
        self._walk: DifferenceWalk | None = None
        self._summary = ""
        self.comparing = PairComparing(self._question, ready=ready, parent=self)
        self.source = TextSource(text)
        self.reasons = ReasonAsker(ready=ready, parent=self)
        self._build()
        self._wire()

    def _build(self) -> None:
        self.switch = PageSwitch(VIEWS)
        self.lines_button = Button("Lines", look="quiet", tip="What each line costs under both")
        self.lines_button.setCheckable(True)
        self.pair = TextPairView()
        self.legend = DifferenceLegend()
        self.card = DifferenceCard()
        self.card.hide()
        self.lines = CompareLinesTable()
        self.lines.hide()
        tools = QHBoxLayout()
        tools.setSpacing(theme.GRID)
        for widget in (self.switch, self.lines_button, self.source):
            tools.addWidget(widget)
        tools.insertStretch(1, 1)
        self.empty = EmptyState(NO_TEXT, action="Use a probe text")
        self.empty.hide()
        split = self.split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.pair)
        split.addWidget(self.lines)
        split.setSizes([300, 160])
        # The steps stay where they are, whatever opens below.
        column = lines(tools, self.legend, split, self.empty, self.card, margin=0)
        column.setStretchFactor(split, 1)
        column.setStretchFactor(self.empty, 1)
        self.setLayout(column)

    def _wire(self) -> None:
        self.source.textChanged.connect(self._changed)
        self.empty.asked.connect(lambda: self.source.choose_probe(PROBE_PARALLEL[0]))
        self.switch.pageChosen.connect(self._on_view)
        self.lines_button.toggled.connect(self.lines.setVisible)
        self.pair.tokenChosen.connect(self._on_token)
        self.legend.stepAsked.connect(self.go)
        self.legend.kindsChanged.connect(self._on_kinds)
        self.card.tokenChosen.connect(self._on_cut)
        self.lines.lineChosen.connect(self._on_line)
        self.reasons.told.connect(self.card.tell)
        self.reasons.failed.connect(self.card.say)
        self.reasons.summed.connect(self._on_summed)
        self.reasons.runningChanged.connect(self.runningChanged)
        self._state.whitespaceChanged.connect(self.pair.set_whitespace_shown)
        self.pair.set_whitespace_shown(self._state.show_whitespace)
        self.comparing.waiting.connect(self._on_waiting)
        self.comparing.found.connect(self._show_pair)
        self.comparing.failed.connect(self._wait)
        self.comparing.runningChanged.connect(self.runningChanged)

    @property
    def running(self) -> bool:
        """Whether a text is being set under the tables, or all reasons are being asked."""
        return self.comparing.running or self.reasons.running

    def stop(self) -> None:
        """End what runs."""
        self.reasons.stop()
        self.runningChanged.emit()
        if self.comparing.stop():
            self._wait("Stopped.")

    def set_sides(self, a: OpenTable | None, b: OpenTable | None) -> None:
        """Take the tables that are compared, as they are now."""
        self._sides = (a, b) if a is not None and b is not None else None
        self._changed()

    def seen(self, pair: tuple[Tokenizer, Tokenizer]) -> SeenText | None:
        """The text under these tokenizers, if it is that which is shown."""
        asked, shown = self.comparing.answered, self.pair.pair
        if asked is None or shown is None or (asked.a, asked.b) != pair or not asked.text:
            return None
        return SeenText(self.source.title, asked.text, shown.comparison)

    def go(self, step: int) -> None:
        """Go to the next (1) or previous (-1) difference of the classes wanted, round the ends."""
        if self._walk is not None and self._walk.step(step) >= 0:
            self._show_difference(reveal=True)

    def turn(self) -> None:
        """Show two panes instead of one, or the other way round."""
        self.switch.choose(1 - self.switch.page)

    # What is compared

    def _changed(self) -> None:
        if self.comparing.drop_stale():
            self._wait(BUSY if self._question() is not None else "")
        if self.isVisible():
            self.comparing.look()

    def _question(self) -> Question | None:
        if self._sides is None:
            return None
        a, b = self._sides
        return Question(a, b, a.tokenizer, b.tokenizer, self.source.text)

    def _wait(self, words: str) -> None:
        """Show no comparison."""
        self._walk = None
        self.reasons.take(None, None)
        self.pair.wait(words)
        self.legend.set_counts({})
        self.lines.set_pair(None)
        self.card.hide()

    def _on_waiting(self, share: float) -> None:
        self._wait(f"{BUSY} {100 * share:.0f} %" if share else BUSY)

    def _show_pair(self, pair: TextPair) -> None:
        """What is chosen stays chosen where the text is the same, while a table learns."""
        asked, before = self.comparing.answered, self.pair.pair
        at = -1
        if before is not None and before.text == pair.text and self._walk is not None:
            at = int(before.comparison.starts[self._walk.row]) if self._walk.row >= 0 else -1
        tokenizers = (asked.a, asked.b)
        for part in (self.legend, self.split):
            part.setVisible(bool(pair.text))
        self.empty.setVisible(not pair.text)
        self.pair.set_pair(pair, tokenizers)
        self.lines.set_pair(pair)
        self.reasons.take(pair, tokenizers)
        self.legend.set_counts(pair.comparison.counts)
        self._summary = ""
        self._walk = DifferenceWalk(pair.comparison, len(pair.a.text), self.legend.kinds)
        self.legend.tell_walk(len(self._walk))
        if at >= 0 and self._walk.choose_at(at) >= 0:
            self._show_difference(reveal=False)
        else:
            self._show_none()

    def _on_summed(self, summary: ReasonSummary) -> None:
        self._summary = summary.sentence if summary.differences else ""
        self._say()

    def _say(self) -> None:
        """Why all differ, unless one difference is told."""
        if self.pair.pair is not None:
            summary = "" if self.card.isVisibleTo(self) else self._summary
            self.pair.say(" ".join(filter(None, (summary, words_of(self.pair.pair)))))

    # What is chosen

    @property
    def difference(self) -> tuple[str, int, int] | None:
        """The text, and which of its characters are the difference that is chosen."""
        pair = self.pair.pair
        if pair is None or self._walk is None or self._walk.row < 0:
            return None
        span = pair.comparison.span(self._walk.row)
        return pair.a.text, span.start, span.end

    def _on_view(self, view: int) -> None:
        self.pair.show_view(view)
        if self._walk is not None and self._walk.row >= 0:
            # A view that was never shown has its size only then.
            QTimer.singleShot(0, self, lambda: self._show_difference(reveal=True))

    def _on_kinds(self) -> None:
        if self._walk is not None:
            self._walk.want(self.legend.kinds)
            self.legend.tell_walk(len(self._walk))
            if self._walk.row >= 0:
                self._show_difference(reveal=False)

    def _show_difference(self, *, reveal: bool) -> None:
        """Bring the chosen difference to the front, with its reason."""
        pair, tokenizers = self.pair.pair, self.pair.tokenizers
        if self._walk is None or pair is None or tokenizers is None:
            return
        self.card.show()
        span = pair.comparison.span(self._walk.row)
        number, total = self._walk.number, len(self._walk)
        place = f"{grouped(number + 1)} of {grouped(total)}" if number >= 0 else ""
        self.card.show_span(span, tokenizers, self.pair.tokens_in(span.start, span.end), place)
        self._say()
        if reveal:
            self.pair.reveal(span.start)
        self.reasons.ask(span)

    def _show_none(self) -> None:
        self.card.hide()
        self._say()
        if self._walk is not None:
            self.legend.tell_walk(len(self._walk))

    def _on_token(self, side: int, token: int) -> None:
        """The span can be explained by any table; the id means something only in its own."""
        layout = self.pair.layout_of(side)
        if layout is None or self._sides is None or self._walk is None:
            return
        start, end = layout.characters[token].tolist()
        if self._walk.choose_at(start) >= 0:
            self._show_difference(reveal=False)
        else:
            self._show_none()
        self.spanChosen.emit(layout.text, start, end)
        self.tokenChosen.emit(self._sides[side], int(layout.ids[token]))

    def _on_cut(self, side: int, token: int) -> None:
        if self._sides is not None:
            self.tokenChosen.emit(self._sides[side], token)

    def _on_line(self, character: int) -> None:
        """Go to a line, and to the first difference that begins in it."""
        pair = self.pair.pair
        if pair is None or self._walk is None or character >= len(pair.a.text):
            return
        line = pair.lines.line_at(character)
        if self._walk.choose_in(character, int(pair.lines.starts[line + 1])) >= 0:
            self._show_difference(reveal=False)
        else:
            self._show_none()
        self.pair.reveal(character)

    # Qt's questions

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.comparing.look(at_once=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.comparing.rest()
