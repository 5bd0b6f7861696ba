"""Whole texts come back in their order, and again; what is edited begins another future."""

from __future__ import annotations

from bpe_studio.gui.models.text_history import MOST, TextHistory


def test_back_and_forth() -> None:
    history = TextHistory()
    history.replaced("a")
    history.replaced("b")
    assert history.earlier("c") == "b"
    assert history.earlier("b") == "a"
    assert history.earlier("a") is None
    assert history.later("a") == "b"
    assert history.later("b") == "c"
    assert history.later("c") is None


def test_an_edit_ends_what_was_taken_back() -> None:
    history = TextHistory()
    history.replaced("a")
    assert history.earlier("b") == "a"
    history.edited()
    assert history.later("ax") is None


def test_nothing_is_no_text_to_come_back_to() -> None:
    history = TextHistory()
    history.replaced("")
    assert history.earlier("a") is None


def test_only_so_many_are_kept() -> None:
    history = TextHistory()
    for number in range(MOST + 3):
        history.replaced(str(number))
    found = []
    while (text := history.earlier("")) is not None:
        found.append(text)
    assert found == [str(number) for number in range(MOST + 2, 2, -1)]
