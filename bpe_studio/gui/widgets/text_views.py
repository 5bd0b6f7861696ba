"""The two views of a text: an editor, and for a long text one to read it in."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QStackedWidget

from bpe_studio.gui.models import long_document
from bpe_studio.gui.widgets.long_text_view import LongTextView
from bpe_studio.gui.widgets.token_text import TokenText


class TextViews(QStackedWidget):
    """Shows a text in the view that can bear it.

    Signals
    -------
    edited(), tokenClicked(int), tokenHovered(int), spanChosen(int, int), otherAsked(int)
        As of `TokenText`, from the view that is shown.
    outgrown(object), replaced(object)
        As of `TokenText`.
    viewChanged(object)
        The other view is shown now.
    """

    edited = Signal()
    tokenClicked = Signal(int)
    tokenHovered = Signal(int)
    spanChosen = Signal(int, int)
    otherAsked = Signal(int)
    outgrown = Signal(object)
    replaced = Signal(object)
    viewChanged = Signal(object)

    def __init__(self, *, font: QFont, tip: Callable[[int], str]) -> None:
        super().__init__()
        self.editor, self.reader = TokenText(), LongTextView()
        for view in self.both:
            view.setAccessibleName("Text")
            view.setFont(font)
            view.set_tip(tip)
            view.edited.connect(self.edited)
            view.tokenClicked.connect(self.tokenClicked)
            view.tokenHovered.connect(self.tokenHovered)
            view.spanChosen.connect(self.spanChosen)
            view.otherAsked.connect(self.otherAsked)
            self.addWidget(view)
        self.editor.outgrown.connect(self.outgrown)
        self.editor.replaced.connect(self.replaced)

    @property
    def both(self) -> tuple[TokenText, LongTextView]:
        """The editor and the reader."""
        return self.editor, self.reader

    @property
    def current(self) -> TokenText | LongTextView:
        """The view that shows the text."""
        return self.currentWidget()

    @property
    def reads_only(self) -> bool:
        """Whether the text is too long to be typed into."""
        return self.current is self.reader

    def show_text(self, text: str) -> None:
        """Show a text, in the view for its length; the other is emptied."""
        before, wanted = self.current, self.reader if long_document.is_long(text) else self.editor
        if wanted is not before:
            had_focus = before.hasFocus()
            before.set_text("")
            self.setCurrentWidget(wanted)
            self.viewChanged.emit(wanted)
            if had_focus:
                wanted.setFocus()
        wanted.set_text(text)

    def set_selected_id(self, token_id: int | None) -> None:
        """Outline every token with this id."""
        for view in self.both:
            view.set_selected_id(token_id)

    def set_whitespace_shown(self, shown: bool) -> None:
        """Paint signs for spaces, tabs and line ends."""
        for view in self.both:
            view.set_whitespace_shown(shown)
