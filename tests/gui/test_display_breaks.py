"""What Qt cannot bear in one line is broken for display, and nothing else."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.gui.models import display_breaks
from bpe_studio.gui.models.display_breaks import MOST_HEAVY, break_places, broken, needs_breaks

HARD = st.text(st.sampled_from("ab \n\0é\u0301\u0335\u0941\u200d😀"), max_size=60)


def heavy(line: str) -> int:
    """Marks beyond the first on their letter, and controls."""
    runs = re.findall("[\u0301\u0335\u0941\u200d]+", line)
    return sum(len(run) - 1 for run in runs) + line.count("\0")


@given(HARD)
def test_no_line_and_no_run_stays_long(text: str) -> None:
    with (
        patch.object(display_breaks, "LONG_LINE", 20),
        patch.object(display_breaks, "CHUNK", 8),
        patch.object(display_breaks, "MOST_HEAVY", 3),
        patch.object(display_breaks, "HEAVY_CHUNK", 2),
        patch.object(display_breaks, "ORDINARY_RUN", 1),
    ):
        places = break_places(text)
        shown = broken(text, places)
        assert max(map(len, shown.split("\n"))) <= 20
        assert max(map(heavy, shown.split("\n"))) <= 3
        lines = text.split("\n")
        is_long = any(len(line) > 20 for line in lines)
        is_heavy = any(heavy(line) > 3 for line in lines)
        assert needs_breaks(text) == bool(places.size) == (is_long or is_heavy)
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
        "\0" * MOST_HEAVY,
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
        "x\0" * (MOST_HEAVY + 1),
        ("Z" + "\u0301" * 40) * 99,
    ],
)
def test_what_cannot_is_broken(text: str) -> None:
    assert needs_breaks(text)
