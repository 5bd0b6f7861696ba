"""The Text panel: any text, coloured by the tokens of the current table."""

from __future__ import annotations

import threading
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.job import Job
from bpe_studio.gui.models.display_words import STAND_INS, TO_BE_READ, of_broken, of_replaced
from bpe_studio.gui.models.layout_worker import LayoutWorker
from bpe_studio.gui.models.text_history import TextHistory
from bpe_studio.gui.models.token_layout import TokenLayout
from bpe_studio.gui.state.flagged import FlaggedState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.size import SizeState
from bpe_studio.gui.state.text import TextState, without_surrogates
from bpe_studio.gui.state.text_file import TextFile, read_text_file
from bpe_studio.gui.widgets.basics import Button, label
from bpe_studio.gui.widgets.elided_label import SteadyLabel
from bpe_studio.gui.widgets.ids_line import MOST_SHOWN, IdsLine
from bpe_studio.gui.widgets.long_text_view import LongTextView
from bpe_studio.gui.widgets.notice import NoticeBar
from bpe_studio.gui.widgets.pane_selection import PaneSelection
from bpe_studio.gui.widgets.table_chooser import TableChooser
from bpe_studio.gui.widgets.text_hint import TextHint
from bpe_studio.gui.widgets.text_slide import Frame, TextSlide
from bpe_studio.gui.widgets.text_tools import TextTools
from bpe_studio.gui.widgets.text_views import TextViews
from bpe_studio.gui.widgets.token_readout import TokenReadout
from bpe_studio.gui.widgets.token_text import TokenText
from bpe_studio.gui.widgets.words import counted
from bpe_studio.gui.widgets.wrapping_row import WrappingRow

LONG_TEXT = 100_000
LONG_MS = 20  # a long text waits for a pause in typing before it is read again
SAMPLE = "sample.txt"
NO_TABLE = "Tokens appear once a table is open or has its first merges."
CUTTING = "Cutting the text …"
VIEW_ONLY = "No tokens: this table is only for viewing."


class TextPanel(QWidget):
    """Type, paste or open a text and see how the current table cuts it.

    Signals
    -------
    exampleAsked()
        The user wants to see a table that comes with the program.
    told(str)
        Something was done, for the status bar.
    """

    title = "Text"
    exampleAsked = Signal()
    told = Signal(str)

    def __init__(
        self,
        *,
        text: TextState,
        tables: OpenTables,
        selection: Selection,
        size: SizeState | None = None,
        flagged: FlaggedState | None = None,
        ready: threading.Event | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("textPanel")
        self._text = text
        self._tables = tables
        self._selection = selection
        self._size = size or SizeState(tables, self)
        self._flagged = flagged
        self._kernels_ready = ready
        self._job: Job | None = None
        self._worker = LayoutWorker(ready=ready, parent=self)
        self._history = TextHistory()
        self._read_timer = QTimer(self)
        self._read_timer.setSingleShot(True)
        self._read_timer.timeout.connect(self._read_pane)
        self._build()
        self._wire()
        self._show_text(text.text)

    # What others may ask for

    @property
    def pane(self) -> TokenText | LongTextView:
        """The view that shows the text: the editor, or for a long text one to read it in."""
        return self.views.current

    def open_file(self, path: Path) -> None:
        """Read a file into the pane; the window stays live meanwhile."""
        if self._job is not None:
            self._job.cancel()
        self._job = Job(read_text_file(path), self)
        self._job.finished.connect(self._on_file_read)
        self._job.failed.connect(self.notice.tell)

    def choose_file(self) -> None:
        """Ask for a text file and open it."""
        name, _ = QFileDialog.getOpenFileName(self, "Open a text")
        if name:
            self.open_file(Path(name))

    def show_sample(self) -> None:
        """Show the sample text: prose, code, numbers, emoji and many scripts."""
        self._text.set_text(theme.resource(SAMPLE).read_text(encoding="utf-8"), name="sample")
        self.pane.setFocus()

    def _show_example(self) -> None:
        """The sample text cut by a table that comes with the program."""
        self.show_sample()
        self.exampleAsked.emit()

    def undo(self) -> None:
        """Take back the last edit, or bring back the text before this one."""
        self.pane.undo()

    def redo(self) -> None:
        """Do again what was taken back."""
        self.pane.redo()

    def copy_ids(self) -> None:
        """Put the ids of the text on the clipboard."""
        layout = self.pane.token_layout()
        if layout is not None and self.pane.layout_is_fresh:
            self.ids_line.copy(layout.ids)

    @property
    def filter_edit(self) -> QWidget:
        """Where Ctrl+F goes; `open_filter` shows it."""
        return self.tools.filter_edit

    def open_filter(self) -> None:
        """Show the find bar."""
        self.tools.begin()

    # Construction

    def _build(self) -> None:
        self.chooser = TableChooser(tables=self._tables, name="Table that cuts the text")
        self.whitespace = Button("Whitespace", look="quiet", tip="Show spaces, tabs and line ends")
        self.whitespace.setCheckable(True)
        self.whitespace.setChecked(self._text.show_whitespace)
        self.sample_button = Button("Sample", look="quiet", tip="Show the sample text")
        self.open_button = Button("Open text…", look="quiet", tip="Open a text file")
        self.views = TextViews(font=theme.reading_font(), tip=self._tip)
        self.slide = TextSlide(
            pane=self.pane,
            text=self._text,
            tables=self._tables,
            size=self._size,
            ready=self._kernels_ready,
            most_ids=MOST_SHOWN,
            parent=self,
        )
        self.tools = TextTools(
            pane=self.pane,
            views=self.views,
            text=self._text,
            selection=self._selection,
            parent=self,
        )
        self.empty = TextHint(self.views.editor.viewport())
        self.notice = NoticeBar()
        self.readout = TokenReadout()
        self.picked = PaneSelection(
            views=self.views,
            selection=self._selection,
            readout=self.readout,
            marks=lambda: None if self._flagged is None else self._flagged.of(self._tables.current),
            parent=self,
        )
        self.figures = SteadyLabel()
        self.figures.setAccessibleName("Figures of this text")
        others = (self.tools.find_button, self.tools.frequency_button)
        self.ids_line = IdsLine(others=others)
        self._arrange()

    def _arrange(self) -> None:
        table, buttons = QWidget(), QWidget()
        first, last = QHBoxLayout(table), QHBoxLayout(buttons)
        for row, gap in ((first, theme.GAP), (last, theme.GRID)):
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(gap)
        first.addWidget(label("Table", role="muted"))
        first.addWidget(self.chooser, 1)
        for button in (self.whitespace, self.sample_button, self.open_button):
            last.addWidget(button)
        self.top = WrappingRow(table, self.slide.bar, buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
        column.setSpacing(theme.GAP)
        column.addWidget(self.top)
        column.addWidget(self.notice)
        column.addWidget(self.tools.area, 1)
        column.addWidget(self.readout)
        column.addWidget(self.figures)
        column.addWidget(self.ids_line)

    def _wire(self) -> None:
        self.whitespace.toggled.connect(self._text.set_show_whitespace)
        self._text.whitespaceChanged.connect(self._on_whitespace)
        self._on_whitespace(self._text.show_whitespace)
        self.sample_button.clicked.connect(self.show_sample)
        self.empty.asked.connect(self.show_sample)
        self.empty.otherAsked.connect(self._show_example)
        self.open_button.clicked.connect(self.choose_file)
        self.ids_line.copyAsked.connect(self.copy_ids)
        self.ids_line.told.connect(self.told)
        self.views.edited.connect(self._on_edited)
        self.views.outgrown.connect(lambda text: self._text.set_text(text, name=self._text.name))
        self.views.replaced.connect(self._history.replaced)
        self.views.otherAsked.connect(self._show_other)
        self.views.viewChanged.connect(self.slide.set_pane)
        self.views.viewChanged.connect(self.tools.set_pane)
        self._text.textChanged.connect(self._show_text)
        self._tables.currentChanged.connect(self._on_table)
        self._tables.tokenizerChanged.connect(self._on_tokenizer)
        self._size.tokenizerChanged.connect(self._tokenize)
        self.slide.moved.connect(self._on_moved)
        self.picked.aboutToTell.connect(self._read_at_once)
        self.tools.tokenReached.connect(self.picked.click)
        self.tools.spanReached.connect(self.picked.reach)
        self._worker.ready.connect(self._on_layout)
        self._worker.failed.connect(self._on_failed)

    # Text in, tokens out

    def _show_text(self, text: str) -> None:
        if text != self.pane.text():
            self.picked.drop()
            if not self._text.replaced or without_surrogates(self.pane.text())[0] != text:
                self._history.replaced(self.pane.text())
            self.tools.frequencies.begin_anew()
            self.views.show_text(text)
        self._tell_display()
        self._show_emptiness()
        self._tokenize()

    def _on_edited(self) -> None:
        """The user typed; the text is read a moment later, not at every key."""
        self.picked.drop()  # what was selected is gone, or stands elsewhere now
        self._history.edited()
        self._read_timer.start(LONG_MS if self.pane.length() > LONG_TEXT else 0)

    def _read_pane(self) -> None:
        text = self.pane.text()
        self._text.set_text(text, name=self._text.name)
        self._show_emptiness()
        self._tokenize()

    def _show_other(self, step: int) -> None:
        """Bring back the text before this one (-1), or the one that was taken back (1)."""
        now, history = self.pane.text(), self._history
        text = history.earlier(now) if step < 0 else history.later(now)
        if text is None:
            return
        self._read_timer.stop()
        self.views.show_text(text)
        if text == self._text.text:  # what took its place was not read yet
            self._show_text(text)
        self._text.set_text(text)

    def _tell_display(self) -> None:
        if self.views.reads_only or self.pane.has_long_line:
            words = TO_BE_READ if self.views.reads_only else of_broken(self.pane.text())
            self.notice.ask(words, "Clear the text", self._clear_text, focus=False)
            return
        words = STAND_INS if self.pane.isReadOnly() else of_replaced(self._text.replaced)
        if words:
            self.notice.tell(words)
        else:
            self.notice.hide()

    def _clear_text(self) -> None:
        self._text.set_text("")
        self.pane.setFocus()

    def _tokenize(self) -> None:
        current = self._tables.current
        if current is None or current.tokenizer.view_only:
            self._worker.forget()
            self.pane.set_layout(None)
            self._tell_figures(None)
            return
        tokenizer = self._size.tokenizer
        if tokenizer is not None:  # it comes in a moment
            self._worker.request(tokenizer, self._text.text, source=current)
        if self.pane.token_layout() is None:
            self._tell_figures(None)
        else:
            self.tools.frequencies.expect()

    def _on_layout(self, layout: TokenLayout) -> None:
        current = self._tables.current
        if current is None or self.slide.moving:
            return
        self.picked.tokenizer = self._worker.answered
        self.slide.rest()
        self.pane.set_layout(layout)
        self._tell_figures(layout)

    def _on_moved(self, frame: Frame | None) -> None:
        """Another size is shown while the slider moves."""
        self.ids_line.show_ids(None if frame is None else frame.ids, all_known=False)
        self.tools.frequencies.expect()
        if (current := self._tables.current) is not None:
            self.picked.tokenizer = current.tokenizer  # it knows the tokens of every size
        if frame is None:
            words = (self.slide.figure(), self.slide.why_nothing())
            self.figures.setText("  ·  ".join(filter(None, words)))
            return
        self.figures.setText(_figures(self._text.text, frame.tokens, self.slide.figure()))

    def _on_failed(self, sentence: str) -> None:
        self.pane.set_layout(None)
        self._tell_figures(None)
        self.tools.set_tokens(None, None)
        self.figures.setText("")
        self.notice.tell(f"This table cannot encode the text. {sentence}")

    def _tell_figures(self, layout: TokenLayout | None) -> None:
        known = layout is not None
        current = self._tables.current
        self.tools.set_tokens(
            self.picked.tokenizer if known else None,
            layout,
            whole=None if current is None else current.tokenizer,
            coming=not known and self._why_no_tokens() == CUTTING,
        )
        self.ids_line.show_ids(layout.ids if known else None)
        words = self._why_no_tokens()
        if known:
            size = self.slide.figure()
            words = _figures(layout.text, len(layout), size, layout.byte_count)
        self.figures.setText(words)
        self.readout.clear()

    def _why_no_tokens(self) -> str:
        current = self._tables.current
        if current is None:
            return NO_TABLE
        if current.tokenizer.view_only:
            return VIEW_ONLY
        return CUTTING if self._text.text else ""

    def _on_file_read(self, file: TextFile) -> None:
        self._text.set_text(file.text, name=file.path.name)
        if self.open_button.hasFocus():
            self.pane.setFocus()  # one reads it now, or takes it back
        if file.note:
            self.notice.tell(file.note)

    # Tables and selection

    def _on_table(self, table: OpenTable | None) -> None:
        self.pane.set_layout(None)
        self.tools.frequencies.begin_anew()
        self._show_emptiness()
        self._tokenize()

    def _on_tokenizer(self, table: OpenTable) -> None:
        if table is self._tables.current:
            self._tokenize()

    def _read_at_once(self) -> None:
        """The others know the text before they hear of a span of it."""
        if self._read_timer.isActive():
            self._read_timer.stop()
            self._read_pane()

    def _on_whitespace(self, shown: bool) -> None:
        self.whitespace.setChecked(shown)
        self.views.set_whitespace_shown(shown)

    def _tip(self, token: int) -> str:
        return self.picked.tip(token)

    def _show_emptiness(self) -> None:
        has_table = self._tables.current is not None
        self.top.show_middle(has_table)
        self.empty.offer(shown=not self._text.text, with_example=not has_table)


def _figures(text: str, tokens: int, size: str, size_in_bytes: int | None = None) -> str:
    characters = [counted(len(text), "character")]
    found = [counted(tokens, "token")]
    if tokens:
        found.append(f"{len(text) / tokens:.2f} chars/token")
    if size:  # it changes the tokens alone, and a narrow window has no room for more
        return "  ·  ".join([size, *found, *characters])
    in_bytes = [] if size_in_bytes is None else [counted(size_in_bytes, "byte")]
    return "  ·  ".join([*characters, *found, *in_bytes])
