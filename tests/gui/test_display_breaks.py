"""What Qt cannot bear in one line is broken for display, and nothing else."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.gui.models import display_breaks
from bpe_studio.gui.models.display_breaks import (
    MOST_AT_ALL,
    MOST_HEAVY,
    break_places,
    broken,
    needs_breaks,
    why_broken,
)

HARD = st.text(st.sampled_from("ab \n\0é\u0301\u0335\u0941\u200d😀"), max_size=60)


def marks(line: str) -> int:
    """Marks beyond the first on their letter."""
    return sum(len(run) - 1 for run in re.findall("[\u0301\u0335\u0941\u200d]+", line))


@given(HARD, st.booleans())
def test_no_line_and_no_run_stays_long(text: str, full: bool) -> None:
    total = marks(text) + text.count("\0")
    with (
        patch.object(display_breaks, "LONG_LINE", 20),
        patch.object(display_breaks, "CHUNK", 8),
        patch.object(display_breaks, "MOST_HEAVY", 7),
        patch.object(display_breaks, "MOST_IN_TEXT", total - full),
        patch.object(display_breaks, "MOST_AT_ALL", 3),
        patch.object(display_breaks, "HEAVY_CHUNK", 2),
        patch.object(display_breaks, "ORDINARY_RUN", 1),
    ):
        most = 3 if full else 7
        places = break_places(text)
        shown = broken(text, places)
        assert max(map(len, shown.split("\n"))) <= 20
        assert max(map(marks, shown.split("\n"))) <= most
        assert max(line.count("\0") for line in shown.split("\n")) <= 3
        is_long = any(len(line) > 20 for line in text.split("\n"))
        is_heavy = any(marks(line) > most or line.count("\0") > 3 for line in text.split("\n"))
        assert needs_breaks(text) == bool(places.size) == (is_long or is_heavy)
        assert bool(why_broken(text)) == needs_breaks(text)
        assert (why_broken(text) == "line") == is_long
    kept = shown
    for place in reversed(places.tolist()):
        at = place + int((places < place).sum())
        kept = kept[:at] + kept[at + 1 :]
    assert kept == text


@pytest.mark.parametrize(
    "text",
    [
        "x" * 50_000,
        "e" + "\u0301" * MOST_HEAVY,
        "\0" * MOST_AT_ALL,
        ("Z" + "\u0301" * 45) * 26,
        "की" * 9000,
        ("e" + "\u0301" * 40 + "\n") * 99,
        "",
    ],
)
def test_what_can_be_borne_is_left_alone(text: str) -> None:
    assert not needs_breaks(text)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 50_001,
        "\ne" + "\u0301" * (MOST_HEAVY + 5),
        "x\0" * (MOST_AT_ALL + 1),
        (("Z" + "\u0301" * 45) * 26 + "\n") * 4,
        ("Z" + "\u0301" * 40) * 99,
    ],
)
def test_what_cannot_is_broken(text: str) -> None:
    assert needs_breaks(text)


def test_letters_keep_their_marks() -> None:
    letter = "Z" + "\u0301" * 40
    shown = broken(letter * 99, break_places(letter * 99)).split("\n")
    assert len(shown) > 9
    assert all(line and line == letter * (len(line) // len(letter)) for line in shown)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x" * 50_001, "line"),
        ("Z" + "\u0301" * 9_000, "marks"),
        ("\0" * 500, "controls"),
        ("low", ""),
    ],
)
def test_it_is_known_why(text: str, why: str) -> None:
    assert why_broken(text) == why
