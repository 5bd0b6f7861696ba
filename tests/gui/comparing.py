"""A Compare panel with its states, for tests."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from bpe_studio.gui.panels.compare_panel import ComparePanel
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets.compare_pages import TABLES, TEXT
from tests.gui.small_tables import PROSE, small_tokenizer

TEXT_SHOWN = "the lowest newest 你 widest\nthere"


class Bench:
    """A panel with its states; `page` is in front."""

    def __init__(self, qtbot: QtBot, page: int = TABLES) -> None:
        self.qtbot = qtbot
        self.text, self.tables, self.selection = TextState(), OpenTables(), Selection()
        self.corpus = CorpusState()
        self.text.set_text(TEXT_SHOWN)
        self.panel = ComparePanel(
            text=self.text, tables=self.tables, selection=self.selection, corpus=self.corpus
        )
        qtbot.addWidget(self.panel)
        self.panel.resize(700, 560)
        self.panel.pages.show_page(page)
        self.panel.show()

    def open_two(self) -> tuple[OpenTable, OpenTable]:
        """Open two tables of prose and wait until they are compared."""
        other = small_tokenizer(PROSE[20:] * 3, 12)
        a = self.tables.add(OpenTable(tokenizer=small_tokenizer(), name="a"))
        b = self.tables.add(OpenTable(tokenizer=other, name="b"))
        self.wait(a, b)
        return a, b

    def wait(self, a: OpenTable, b: OpenTable) -> None:
        """Wait until what is in front is of these tables, and of the text."""

        def settled() -> bool:
            rows, layout = self.panel.rows, self.panel.pages.text.pair.layout_of(1)
            done = rows is not None and (rows.a, rows.b) == (a.tokenizer, b.tokenizer)
            text = layout is not None and layout.text == self.text.text
            return done and (text or self.panel.pages.page != TEXT)

        self.qtbot.waitUntil(settled, timeout=60_000)
