"""What is selected: one token, and one span of a text; selected anywhere is selected everywhere."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` of `text`."""

    text: str
    start: int
    end: int

    @property
    def selected(self) -> str:
        """The characters of the span."""
        return self.text[self.start : self.end]


class Selection(QObject):
    """The selected token and span.

    Signals
    -------
    tokenSelected(int)
        The id of the token that is selected now.
    spanSelected(object)
        The `Span` that is selected now.
    rankSelected(int)
        The selected token is one that the merge of this rank made.
    cleared()
        No token is selected: another table became current. A span may still be.
    """

    tokenSelected = Signal(int)
    spanSelected = Signal(object)
    rankSelected = Signal(int)
    cleared = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._token: int | None = None
        self._rank: int | None = None
        self._span: Span | None = None

    @property
    def token(self) -> int | None:
        """The id of the selected token."""
        return self._token

    @property
    def rank(self) -> int | None:
        """Of the merges that make the selected token the one that fired, where that is known."""
        return self._rank

    @property
    def span(self) -> Span | None:
        """The selected span."""
        return self._span

    def select_token(self, token: int) -> None:
        """Select a token by its id; telling the same one again is silent."""
        if token != self._token:
            self._token, self._rank = int(token), None
            self.tokenSelected.emit(self._token)

    def select_rank(self, rank: int) -> None:
        """Tell which merge made the selected token."""
        if rank != self._rank and self._token is not None:
            self._rank = rank
            self.rankSelected.emit(rank)

    def select_span(self, text: str, start: int, end: int) -> None:
        """Select characters of a text."""
        span = Span(text, start, end)
        if span != self._span:
            self._span = span
            self.spanSelected.emit(span)

    def follow(self, text: str) -> bool:
        """Keep the span where another text still has it in its place; False if it is gone.

        Its place is what stands before it, or all that stands after it, unchanged.
        """
        span = self._span
        if span is None or span.text == text:
            return span is not None
        if text.startswith(span.text[: span.end]):
            self.select_span(text, span.start, span.end)
            return True
        rest = span.text[span.start :]
        if text.endswith(rest):
            start = len(text) - len(rest)
            self.select_span(text, start, start + span.end - span.start)
            return True
        self._span = None
        return False

    def clear(self) -> None:
        """Select nothing."""
        if self._token is not None or self._span is not None:
            self._token = self._rank = self._span = None
            self.cleared.emit()

    def leave_table(self) -> None:
        """Another table became current: its ids are others, the text is the same."""
        if self._token is not None or self._span is not None:
            self._token = self._rank = None
            self.cleared.emit()

    def forget_span(self) -> None:
        """Select no span, without a word."""
        self._span = None
