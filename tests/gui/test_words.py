"""Numbers, sizes and times for people."""

from __future__ import annotations

import pytest

from bpe_studio.gui.widgets.words import counted, duration, number, percent, plain_tip, size


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "1 s"), (59.4, "59 s"), (72, "1 m 12 s"), (3600, "1 h 00 m"), (7_500, "2 h 05 m")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_numbers() -> None:
    assert number(1234567.9) == "1,234,567"
    assert size(12_400_000) == "12.4 MB" and size(5) == "5 bytes"
    assert size(999_999) == "1.0 MB" and size(999_900) == "999.9 kB"
    assert plain_tip("<b>") == "<span>&lt;b&gt;</span>"
    assert percent(3, 4) == "75 %" and percent(3, 0) == ""
    assert counted(1, "file") == "1 file" and counted(2000, "file") == "2,000 files"
    assert counted(0, "more", "more") == "0 more"
