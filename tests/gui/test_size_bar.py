"""The slider and its number: what they show and what they ask for."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from bpe_studio.gui.widgets.size_bar import SizeBar

# Merge 2 makes a token again.
SIZES = np.array([262, 263, 263, 264, 265])


class Bench:
    def __init__(self, qtbot: QtBot) -> None:
        self.bar = SizeBar()
        qtbot.addWidget(self.bar)
        self.asked: list[int | None] = []
        self.bar.mergesChosen.connect(self.asked.append)
        self.bar.resize(500, 40)
        self.bar.show()
        self.bar.set_sizes(SIZES)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_it_begins_at_all(bench: Bench) -> None:
    assert (bench.bar.slider.value(), bench.bar.spin.value()) == (4, 265)
    assert not bench.bar.all_button.isEnabled()
    assert bench.asked == []


def test_keys(bench: Bench, qtbot: QtBot) -> None:
    slider, key, control = bench.bar.slider, Qt.Key, Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(slider, key.Key_Left)
    qtbot.keyClick(slider, key.Key_Home)
    qtbot.keyClick(slider, key.Key_Right)
    qtbot.keyClick(slider, key.Key_End)
    assert bench.asked == [3, 0, 1, None]
    bench.bar.set_sizes(np.arange(262, 5_262))
    qtbot.keyClick(slider, key.Key_PageDown)
    qtbot.keyClick(slider, key.Key_Left, control)
    qtbot.keyClick(slider, key.Key_Right, control)
    assert bench.asked[4:] == [4_999 - 99, 4_800, 4_900]


def test_a_typed_size_and_its_steps(bench: Bench, qtbot: QtBot) -> None:
    spin = bench.bar.spin
    spin.selectAll()
    qtbot.keyClicks(spin, "263")
    assert bench.asked == [], "not at every digit"
    qtbot.keyClick(spin, Qt.Key.Key_Return)
    assert bench.asked == [2], "the most merges of that size"
    spin.stepBy(-1)
    assert bench.asked == [2, 1] and spin.value() == 263, "a merge, not a size"
    spin.selectAll()
    qtbot.keyClicks(spin, "9999")
    qtbot.keyClick(spin, Qt.Key.Key_Return)
    assert bench.asked == [2, 1, None]
    bench.bar.show_merges(1)
    bench.bar.all_button.click()
    assert bench.asked == [2, 1, None, None]


def test_the_mouse_goes_where_it_is_pressed(bench: Bench, qtbot: QtBot) -> None:
    slider, button = bench.bar.slider, Qt.MouseButton.LeftButton
    bench.bar.set_sizes(np.arange(262, 100_263))
    middle = QPoint(slider.width() // 2, slider.height() // 2)
    qtbot.mousePress(slider, button, pos=middle)
    assert abs(slider.value() - 50_000) < 1_000
    qtbot.mouseMove(slider, QPoint(0, middle.y()))
    assert slider.value() == 0
    qtbot.mouseRelease(slider, button, pos=QPoint(0, middle.y()))
    asked = len(bench.asked)
    qtbot.mouseMove(slider, middle)
    assert len(bench.asked) == asked, "only while it is pressed"


def test_with_ctrl_a_pixel_is_a_merge(bench: Bench, qtbot: QtBot) -> None:
    slider, button = bench.bar.slider, Qt.MouseButton.LeftButton
    bench.bar.set_sizes(np.arange(262, 100_263))
    bench.bar.show_merges(70_000)
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.mousePress(slider, button, control, QPoint(100, 8))
    assert slider.value() == 70_000, "it stays where it is"
    slider._last = QPoint(100, 8)
    event = _moved(QPoint(93, 8), control)
    slider.mouseMoveEvent(event)
    assert slider.value() == 69_993


def _moved(place: QPoint, modifiers: Qt.KeyboardModifier) -> object:
    from PySide6.QtCore import QEvent, QPointF
    from PySide6.QtGui import QMouseEvent

    left = Qt.MouseButton.LeftButton
    return QMouseEvent(QEvent.Type.MouseMove, QPointF(place), QPointF(place), left, left, modifiers)


def test_a_table_of_one_size_says_why(bench: Bench) -> None:
    bench.bar.set_sizes(None, why="This table <i>has no merges.")
    assert not bench.bar.slider.isEnabled() and not bench.bar.spin.isEnabled()
    assert bench.bar.slider.accessibleDescription() == "This table <i>has no merges."
    assert "&lt;i&gt;has no merges" in bench.bar.slider.toolTip()
    bench.bar.set_sizes(SIZES)
    assert bench.bar.slider.isEnabled() and "all 4 merges" in bench.bar.slider.toolTip()
    bench.bar.show_merges(3)
    assert "the first 3 of 4 merges" in bench.bar.slider.toolTip()


def test_it_is_ready_to_be_typed_over(bench: Bench, qtbot: QtBot) -> None:
    bench.bar.activateWindow()
    bench.bar.focus()
    assert bench.bar.spin.hasFocus()
    qtbot.keyClicks(bench.bar.spin, "264")
    qtbot.keyClick(bench.bar.spin, Qt.Key.Key_Return)
    assert bench.asked == [3]


def test_tab_goes_on_to_the_buttons(bench: Bench) -> None:
    bench.bar.show_merges(1)
    bar, seen = bench.bar, [bench.bar.slider]
    while len(seen) < 4:
        after = seen[-1].nextInFocusChain()
        while not after.focusPolicy() & Qt.FocusPolicy.TabFocus or after.parent() is bar.spin:
            after = after.nextInFocusChain()
        seen.append(after)
    assert seen == [bar.slider, bar.spin, bar.all_button, bar.save_button]
