"""What one does with a shown text besides reading it: find, go to a place, count its tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets.basics import IconButton, lines
from bpe_studio.gui.widgets.frequency_view import FrequencyView
from bpe_studio.gui.widgets.text_finder import TextFinder

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.gui.models.token_layout import TokenLayout
    from bpe_studio.gui.widgets.long_text_view import LongTextView
    from bpe_studio.gui.widgets.token_text import TokenText

MOST_SELECTED = 200  # characters of a selection that are taken for what to find
SHARE, WIDEST = 0.42, 320  # of the width for the counts, when they are first shown


class TextTools(QObject):
    """The find bar above the views of a text and the counts of its tokens beside them.

    Signals
    -------
    tokenReached(int), spanReached(int, int)
        As of `TextFinder`.
    """

    tokenReached = Signal(int)
    spanReached = Signal(int, int)

    def __init__(
        self,
        *,
        pane: TokenText | LongTextView,
        views: QWidget,
        text: TextState,
        selection: Selection,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._pane = pane
        self._selection = selection
        self._divided = False
        self.finder = TextFinder(pane=pane, parent=self)
        self.frequencies = FrequencyView()
        self.frequencies.hide()
        self.find_button = IconButton("search", "Find in the text (Ctrl+F)")
        self.frequency_button = IconButton("list", "Count the tokens of the text (Ctrl+Shift+F)")
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(False)
        self.split.setHandleWidth(theme.GAP)
        self.split.addWidget(views)
        self.split.addWidget(self.frequencies)
        self.split.setStretchFactor(0, 1)
        self.area = QWidget()
        column = lines(self.finder.bar, self.split, margin=0)
        column.setStretch(1, 1)
        self.area.setLayout(column)
        self.find_button.clicked.connect(lambda: self.begin())
        self.frequency_button.clicked.connect(self.toggle_frequencies)
        self.frequencies.closed.connect(self.toggle_frequencies)
        self.frequencies.tokenChosen.connect(selection.select_token)
        self.frequencies.tokenFollowed.connect(lambda token: self.begin("Id", str(token)))
        self.finder.tokenReached.connect(self.tokenReached)
        self.finder.spanReached.connect(self.spanReached)
        text.textChanged.connect(lambda _: self.finder.text_changed())
        selection.tokenSelected.connect(self.frequencies.select)
        selection.cleared.connect(lambda: self.frequencies.select(None))

    @property
    def filter_edit(self) -> QWidget:
        """Where one types what to find."""
        return self.finder.bar.edit

    def set_pane(self, pane: TokenText | LongTextView) -> None:
        """Another view shows the text."""
        self._pane = pane
        self.finder.set_pane(pane)

    def set_tokens(
        self,
        tokenizer: Tokenizer | None,
        layout: TokenLayout | None,
        *,
        whole: Tokenizer | None = None,
        coming: bool = False,
    ) -> None:
        """The text has these tokens now, or none yet; `coming` says that they are on their way.

        `whole` is the tokenizer with all its merges.
        """
        self.finder.layout_changed(tokenizer, whole=whole, coming=coming)
        self.frequencies.set_tokens(tokenizer, layout, coming=coming)

    # What menus ask for

    def begin(self, kind: str = "", wanted: str | None = None) -> None:
        """Open the find bar; what is selected is what to find."""
        if wanted is None and not kind:
            selected = self._pane.selected_text()
            if selected == self.finder.left:
                selected = ""
            if selected and len(selected) <= MOST_SELECTED and "\n" not in selected:
                kind, wanted = "Text", selected
            elif self.finder.bar.goes_to_places:
                kind = self.finder.bar.other_kind
        self.finder.begin(kind, wanted)

    def find_next(self) -> None:
        """Go to the next that was found."""
        self.finder.go(1)

    def find_previous(self) -> None:
        """Go to the one before."""
        self.finder.go(-1)

    def find_equal(self) -> None:
        """Find every token that is equal to the one that is selected, or at the caret."""
        token = self._selection.token
        layout = self._pane.token_layout()
        if token is None and layout is not None:
            place = layout.first_at_character(self._pane.caret_character + 1) - 1
            token = int(layout.ids[place]) if 0 <= place < len(layout) else None
        self.begin("Id", "" if token is None else str(token))

    def go_to_offset(self) -> None:
        """Ask for a character, or a byte, to go to."""
        bar = self.finder.bar
        self.finder.begin(bar.question.kind if bar.goes_to_places else bar.other_kind)

    def toggle_frequencies(self) -> None:
        """Show the counts of the tokens beside the text, or put them away."""
        shown = not self.frequencies.isVisible()
        if shown and not self._divided:
            self._divided = True
            width = self.split.width()
            beside = min(WIDEST, int(width * SHARE))
            self.split.setSizes([width - beside, beside])
        self.frequencies.setVisible(shown)
        if shown:
            self.frequencies.filter_edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self._pane.setFocus()
