"""Selecting a token or a span tells everybody, once."""

from __future__ import annotations

import pytest

from bpe_studio.gui.state.selection import Selection, Span


def test_a_token_is_told_once() -> None:
    selection, told = Selection(), []
    selection.tokenSelected.connect(told.append)
    selection.select_token(7)
    selection.select_token(7)
    selection.select_token(8)
    assert told == [7, 8] and selection.token == 8


def test_a_span_knows_its_characters() -> None:
    selection, told = Selection(), []
    selection.spanSelected.connect(told.append)
    selection.select_span("the lowest", 4, 7)
    selection.select_span("the lowest", 4, 7)
    assert told == [Span("the lowest", 4, 7)] and told[0].selected == "low"


def test_clear_is_silent_when_nothing_is_selected() -> None:
    selection, told = Selection(), []
    selection.cleared.connect(lambda: told.append(1))
    selection.clear()
    selection.select_token(1)
    selection.clear()
    assert told == [1] and selection.token is None and selection.span is None
    selection.select_token(1)
    assert selection.token == 1


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("the lowest and more", (4, 10)),
        ("see the lowest", (8, 14)),
        ("the newest", None),
        ("", None),
    ],
)
def test_a_span_is_followed_or_dropped(text: str, span: tuple[int, int] | None) -> None:
    selection = Selection()
    selection.select_span("the lowest", 4, 10)
    assert selection.follow(text) == (span is not None)
    found = selection.span
    assert (found and (found.text, found.start, found.end)) == (span and (text, *span))


def test_a_span_outlives_its_table() -> None:
    selection, told = Selection(), []
    selection.cleared.connect(lambda: told.append(1))
    selection.leave_table()
    assert told == []
    selection.select_span("the lowest", 4, 10)
    selection.select_token(7)
    selection.leave_table()
    assert told == [1] and selection.token is None
    assert selection.span == Span("the lowest", 4, 10)
    selection.forget_span()
    assert selection.span is None and told == [1]
