"""The shared text."""

from __future__ import annotations

from bpe_studio.gui.state.text import TextState


def test_a_text_is_told_when_it_is_another() -> None:
    state, told = TextState(), []
    state.textChanged.connect(told.append)
    state.set_text("low", name="a.txt")
    state.set_text("low")
    assert told == ["low"] and state.text == "low" and state.name == ""


def test_lone_surrogates_are_replaced_and_counted() -> None:
    state = TextState()
    state.set_text("a\ud800b\udfffc🙂")
    assert state.text == "a\ufffdb\ufffdc🙂" and state.replaced == 2
    state.set_text("clean")
    assert state.replaced == 0


def test_whitespace_is_told_when_it_changes() -> None:
    state, told = TextState(), []
    state.whitespaceChanged.connect(told.append)
    state.set_show_whitespace(False)
    state.set_show_whitespace(True)
    assert told == [True] and state.show_whitespace
