"""The line of a check keeps how long it takes where there is no room for all."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from bpe_studio.gui.models.pass_progress import PassPace, PassStep
from bpe_studio.gui.widgets.pass_strip import PassStrip


def test_how_fast_gives_way_to_how_long(qtbot: QtBot) -> None:
    strip = PassStrip()
    qtbot.addWidget(strip)
    pace = PassPace()
    for second in range(4):
        step = PassStep("Encoding", second * 1_000_000, 9_000_000, "bytes")
        pace.note(step, float(second))
    strip.begin("a table")
    strip.resize(900, 60)
    strip.tell(step, pace)
    assert "/s" in strip.words.text() and "left" in strip.words.text()
    strip.resize(280, 60)
    strip.tell(step, pace)
    assert "/s" not in strip.words.text() and "left" in strip.words.text()
    assert "/s" in strip.words.toolTip()
