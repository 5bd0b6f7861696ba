"""Letters stand in the cells of their tokens, wrap, and are clicked, walked to and read out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.letters import Grid, Letter, Number, grid
from bpe_studio.gui.models.grid_text import grid_lines
from bpe_studio.gui.models.letter_flow import GROUP_GAP, flow_letters
from bpe_studio.gui.models.letter_groups import (
    LetterGroup,
    group_letters,
    letter_tip,
    letter_words,
    letters_lines,
)
from bpe_studio.gui.widgets.letter_grid import NARROWEST, LetterGrid
from tests.gui.small_tables import small_tokenizer

TEXT = " lowest é 你<"


def make(qtbot: QtBot, text: str = TEXT, width: int = 320) -> LetterGrid:
    tokenizer = small_tokenizer()
    view = LetterGrid(tokenizer=tokenizer, grid=grid(tokenizer, text, 0, len(text)))
    qtbot.addWidget(view)
    view.resize(width, 400)
    view.show()
    return view


@given(st.text(alphabet="lowest é你12", min_size=1, max_size=20))
def test_every_letter_is_in_one_group_with_all_its_tokens(text: str) -> None:
    letters = grid(small_tokenizer(), text, 0, len(text))
    groups = group_letters(letters)
    assert [n for group in groups for n in group.letters] == list(range(len(text)))
    for group in groups:
        held = {
            token
            for n in group.letters
            for token in range(letters.letters[n].first, letters.letters[n].last + 1)
        }
        assert held == set(group.tokens)
    for one, other in zip(groups, groups[1:], strict=False):
        assert one.tokens[-1] < other.tokens[0]


def test_letters_in_no_token_are_a_group_of_their_own() -> None:
    tokens = grid(small_tokenizer(), "lo", 0, 2).tokens
    left_out = Letter("\u00ad", 1, -1, -1, False)
    letters = (Letter("l", 0, 0, 0, False), left_out, Letter("o", 2, 0, 0, False))
    told = Grid(tokens, letters, (), ())
    assert [group.letters for group in group_letters(told)] == [(0,), (1,), (2,)]
    assert "leaves it out" in letter_tip(small_tokenizer(), told, left_out)
    assert letter_words(told, left_out).endswith("in no token")


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=9),
    st.floats(20, 300),
    st.floats(5, 90),
)
def test_cells_flow_in_order_inside_the_width(
    sizes: list[int], width: float, caption: float
) -> None:
    groups, at = [], 0
    for number, size in enumerate(sizes):
        groups.append(LetterGroup(tuple(range(at, at + size)), (number,)))
        at += size
    runs = flow_letters(groups, [20.0] * at, [caption] * len(groups), width)
    assert [letter for run in runs for letter in run.letters] == list(range(at))
    for run in runs:
        assert run.xs[-1] <= width + 1e-6
        assert all(b - a >= 20 - 1e-6 for a, b in zip(run.xs, run.xs[1:], strict=False))
    for one, other in zip(runs, runs[1:], strict=False):
        after = other.line == one.line and other.xs[0] >= one.xs[-1] + GROUP_GAP - 1e-6
        assert after or (other.line == one.line + 1 and other.xs[0] == 0)


def test_a_group_that_fits_on_a_line_is_not_broken() -> None:
    groups = [LetterGroup((0, 1, 2), (0,)), LetterGroup((3, 4, 5), (1,))]
    runs = flow_letters(groups, [20.0] * 6, [10.0, 10.0], 100)
    assert [(run.letters, run.line) for run in runs] == [((0, 1, 2), 0), ((3, 4, 5), 1)]


def test_a_click_chooses_the_token_of_the_letter(qtbot: QtBot) -> None:
    view = make(qtbot)
    told = view._grid
    for number, letter in enumerate(told.letters):
        point = view.letter_box(number).center().toPoint()
        assert view.cell_at(point) == number
        with qtbot.waitSignal(view.chosen) as chosen:
            qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=point)
        assert chosen.args == [told.tokens[letter.first].id]


def test_keys_walk_and_choose(qtbot: QtBot) -> None:
    view = make(qtbot)
    first = view._grid.tokens[0].id
    assert view.accessibleDescription() == f"␠, character 0, in token {first}"
    for _ in range(8):
        qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.accessibleDescription().startswith("é, character 8, split over tokens 198 172")
    with qtbot.waitSignal(view.chosen) as chosen:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert chosen.args == [198]
    for _ in range(30):
        qtbot.keyClick(view, Qt.Key.Key_Left)
    assert view.accessibleDescription().startswith("␠, character 0")


def test_narrow_ones_are_higher_and_paint(qtbot: QtBot) -> None:
    view = make(qtbot)
    assert view.heightForWidth(60) > view.heightForWidth(400)
    assert view.heightForWidth(int(NARROWEST)) > 0
    plain = view.grab().toImage()
    view.set_selected(view._grid.tokens[0].id)
    assert view.grab().toImage() != plain


def test_ids_stand_under_the_letters_and_split_ones_have_several(qtbot: QtBot) -> None:
    view = make(qtbot, "é你")
    assert view.captions == ["198 172", "231 192 163"]
    lines = letters_lines(view._grid)
    assert lines == ["2 characters are split over tokens (hatched)."]


def test_repeated_letters_and_numbers_are_told() -> None:
    tokens = grid(small_tokenizer(), "a", 0, 1).tokens
    number = Number("12345", 0, ("12", "345"))
    told = Grid(tokens, (), (number, Number("7", 9, ("7",))), (("r", 3), ("e", 2)), left_out=5)
    assert letters_lines(told) == [
        "Repeated, in either case: r 3 times, e 2 times.",
        "Numbers: 12345 = 12 · 345.",
        "5 more characters are not shown.",
    ]


def test_tips_are_escaped_and_name_the_tokens() -> None:
    tokenizer = small_tokenizer()
    told = grid(tokenizer, "<é", 0, 2)
    tip = letter_tip(tokenizer, told, told.letters[0])
    assert "<b>&lt;</b>" in tip
    assert "U+003C" in tip
    assert "no single token" in letter_tip(tokenizer, told, told.letters[1])


def test_as_text_each_token_has_its_letters() -> None:
    tokenizer = small_tokenizer()
    lines = list(grid_lines(tokenizer, grid(tokenizer, " low!", 0, 5)))
    assert lines[0].startswith("␠ l o w: ␠low(")
    assert lines[1] == "!: !(36)"
