"""Flags by token for the panels that show tokens: Explain, and the text with its readout."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from bpe_studio.gui.panels.explain_panel import ExplainPanel
from bpe_studio.gui.panels.text_panel import TextPanel
from bpe_studio.gui.state.findings import FindingsState
from bpe_studio.gui.state.flagged import FlaggedState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.text import TextState
from tests.gui.flags_by_hand import found_in
from tests.gui.small_tables import small_tokenizer


class Bench:
    """States with an open table."""

    def __init__(self) -> None:
        self.tables, self.selection, self.text = OpenTables(), Selection(), TextState()
        self.findings = FindingsState()
        self.flagged = FlaggedState(self.findings)
        self.table = self.tables.add(OpenTable(tokenizer=small_tokenizer(), name="small"))
        self.first = int(self.table.tokenizer.table.merges[0, 2])


def test_a_table_that_is_closed_takes_its_flags_along() -> None:
    bench = Bench()
    bench.findings.keep(bench.table, found_in(bench.table, "rare"))
    assert bench.flagged.of(bench.table) is not None and bench.flagged.of(None) is None
    other = bench.tables.add(OpenTable(tokenizer=small_tokenizer(merges=9), name="other"))
    assert bench.flagged.of(other) is None
    bench.findings.keep(bench.table, None)
    assert bench.flagged.of(bench.table) is None


def test_explain_says_the_flags_of_a_token(qtbot: QtBot) -> None:
    bench = Bench()
    panel = ExplainPanel(
        text=bench.text, tables=bench.tables, selection=bench.selection, flagged=bench.flagged
    )
    qtbot.addWidget(panel)
    panel.resize(340, 600)
    panel.show()
    bench.selection.select_token(bench.first)
    qtbot.waitUntil(lambda: panel.shown is not None)
    history = panel.shown.open_history()
    assert not history.flags.isVisible()
    bench.findings.keep(bench.table, found_in(bench.table, "rare"))
    assert history.flags.isVisible() and history.flags.text() == "Health: Rare. So."
    panel.copy()
    assert QGuiApplication.clipboard().text().endswith("\nHealth: Rare. So.\n")
    bench.selection.select_token(int(bench.table.tokenizer.table.merges[1, 2]))
    qtbot.waitUntil(lambda: panel.story.token.id != bench.first)
    assert not panel.shown.open_history().flags.isVisible()
    panel.copy()
    assert "Health:" not in QGuiApplication.clipboard().text()
    bench.selection.select_token(bench.first)  # told anew, when the flags are known
    qtbot.waitUntil(lambda: panel.story.token.id == bench.first)
    assert panel.shown.open_history().flags.text() == "Health: Rare. So."


def test_the_text_names_flags_in_tip_and_readout(qtbot: QtBot) -> None:
    bench = Bench()
    panel = TextPanel(
        text=bench.text, tables=bench.tables, selection=bench.selection, flagged=bench.flagged
    )
    qtbot.addWidget(panel)
    panel.resize(640, 440)
    panel.show()
    token = bench.table.tokenizer.token_bytes(bench.first).decode()
    bench.text.set_text(token, name="")
    qtbot.waitUntil(lambda: panel.pane.layout_is_fresh, timeout=60_000)

    def told() -> str:
        panel.picked.click(0)
        return panel.picked.tip(0) + " ".join(chip.text for chip in panel.readout.chips)

    assert "flagged" not in told()
    bench.findings.keep(bench.table, found_in(bench.table, "rare"))
    assert told().count("flagged") == 2 and told().count("Rare") == 2
