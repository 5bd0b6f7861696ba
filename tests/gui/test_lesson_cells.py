"""Rows of symbols: what fires is framed, what has fired is marked, and all of it has room."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtWidgets import QProxyStyle, QStyle
from pytestqt.qtbot import QtBot

from bpe_studio.bpe.lesson import TOY_CORPUS, Lesson, LessonRules
from bpe_studio.gui.widgets.lesson_cells import LessonCells
from bpe_studio.gui.widgets.lesson_pairs import LessonPairs


@pytest.fixture
def cells(qtbot: QtBot) -> LessonCells:
    made = LessonCells()
    qtbot.addWidget(made)
    made.resize(400, 400)
    made.show()
    return made


class Moving(QProxyStyle):
    """A desktop where things may move."""

    def styleHint(self, hint: QStyle.StyleHint, *others: object) -> int:
        if hint == QStyle.StyleHint.SH_Widget_Animation_Duration:
            return self.duration
        return super().styleHint(hint, *others)

    duration = 200


def test_a_row_is_a_word(cells: LessonCells) -> None:
    lesson = Lesson(TOY_CORPUS)
    lesson.run(2)
    cells.show_lesson(lesson)
    shown = [[cell.text for cell in lane.cells] for lane in cells.lanes]
    assert shown[:3] == [["low"], ["␠", "low"], ["␠", "low", "e", "r"]]
    assert cells.accessibleDescription().splitlines()[1] == "1 × ␠ low"
    for state, firing in zip(cells.lanes, lesson.state.firing, strict=True):
        marks = [cell.state for cell in state.cells]
        assert [place for place, mark in enumerate(marks) if mark == "first"] == list(firing)
        assert marks.count("first") == marks.count("second")


def test_what_has_fired_is_marked(cells: LessonCells) -> None:
    lesson = Lesson("ab ab")
    lesson.step()
    cells.show_lesson(lesson)
    assert [cell.state for lane in cells.lanes for cell in lane.cells] == ["joined", "", "joined"]


def test_neighbours_differ_in_hue_and_none_looks_as_what_is_merged_next(
    cells: LessonCells,
) -> None:
    lesson = Lesson("abcdefghijkl abcdefghijkl xaxbxc xaxbxc", LessonRules(min_freq=1))
    for _ in range(12):
        lesson.step()
        cells.show_lesson(lesson)
        for word, lane in zip(lesson.state.words, cells.lanes, strict=True):
            hues = [cell.hue for cell in lane.cells]
            assert 0 not in hues  # that one is blue
            for place, (one, other) in enumerate(pairwise(hues)):
                same = word.symbols[place] == word.symbols[place + 1]
                assert one != other or one < 0 or same


def test_long_words_wrap_inside_their_walls(cells: LessonCells) -> None:
    cells.resize(160, 400)
    cells.show_lesson(Lesson("abcdefghijklmnopqrstuvwxyz abc"))
    first, second = cells.lanes
    assert len({cell.rect.top() for cell in first.cells}) > 1
    for lane in cells.lanes:
        assert all(lane.rect.contains(cell.rect) for cell in lane.cells)
        assert lane.rect.right() <= 160
    assert not first.rect.intersects(second.rect)


def test_many_words_stand_in_columns(cells: LessonCells) -> None:
    cells.resize(900, 400)
    cells.show_lesson(Lesson(" ".join(f"{a}{b}" for a in "abcd" for b in "wxyz")))
    assert len({lane.rect.left() for lane in cells.lanes}) > 1
    lanes = cells.lanes
    assert not any(
        one.rect.intersects(other.rect) for one in lanes for other in lanes if one is not other
    )


def test_type_is_as_large_as_the_room_lets_it(cells: LessonCells) -> None:
    lesson = Lesson(TOY_CORPUS)
    small = cells.zoom_for(lesson, 300, 260, 12)
    large = cells.zoom_for(lesson, 900, 500, 12)
    assert 0 <= small < large <= 12
    assert cells.zoom_for(lesson, 60, 40, 12) == 0
    many = Lesson(" ".join(f"{a}{b}" for a in "abc" for b in "wxyz"))  # stand in two columns
    assert cells.zoom_for(many, 900, 300, 12) > 4
    cells.show_lesson(lesson)
    before = cells.lanes[0].cells[0].rect.height()
    cells.set_zoom(4)
    assert cells.lanes[0].cells[0].rect.height() > before


def test_it_glows_only_where_things_may_move(cells: LessonCells, qtbot: QtBot) -> None:
    lesson = Lesson(TOY_CORPUS)
    lesson.step()
    style = Moving("Fusion")
    cells.setStyle(style)
    cells.show_lesson(lesson, stepped=True)
    assert cells.animating
    qtbot.waitUntil(lambda: not cells.animating)
    style.duration = 0
    cells.show_lesson(lesson, stepped=True)
    assert not cells.animating
    cells.setStyle(None)


def test_nothing_is_shown_of_no_lesson(cells: LessonCells) -> None:
    cells.show_lesson(None)
    assert cells.lanes == () and cells.accessibleDescription() == ""
    cells.repaint()


def test_pairs_in_the_order_in_which_they_are_chosen(qtbot: QtBot) -> None:
    pairs = LessonPairs()
    qtbot.addWidget(pairs)
    lesson = Lesson(TOY_CORPUS)
    pairs.show_lesson(lesson)
    pairs.resize(pairs.sizeHint())
    pairs.show()
    assert pairs.pairs == lesson.state.pairs
    assert pairs.accessibleDescription().splitlines()[0] == "4 l o"
    pairs.show_lesson(None)
    assert pairs.pairs == ()
