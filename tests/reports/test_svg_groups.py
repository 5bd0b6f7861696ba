"""Grouped bars as SVG: as long as their values, with names and numbers."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.reports.svg_groups import BarGroup, bar_legend, grouped_bars
from tests.reports.html_page import parse

values = st.one_of(st.floats(0, 1e6), st.just(math.nan))


@given(st.lists(st.tuples(st.text("ab<&", max_size=9), values, values), max_size=6))
def test_bars_are_as_long_as_their_values(given: list[tuple[str, float, float]]) -> None:
    groups = [BarGroup(name, (one, other)) for name, one, other in given]
    page = parse(grouped_bars("one", "T", "d", "unit", groups, ["cool", "warm"]).encode())
    known = [value for _, *pair in given for value in pair if not math.isnan(value)]
    wide = [float(bar.attributes["width"]) for bar in page.all("rect")]
    high = max(known, default=0.0) or 1.0
    assert len(wide) == len(known)
    assert all(
        abs(width - 470 * value / high) < 0.1 for width, value in zip(wide, known, strict=True)
    )
    told = [text.text for text in page.all("text")]
    assert {name for name, *_ in given} | {f"{value:,.2f}" for value in known} <= set(told)


def test_a_long_name_keeps_its_ends() -> None:
    groups = [BarGroup("a" * 20 + "/" + "b" * 20, (1.0,))]
    page = parse(grouped_bars("one", "T", "d", "unit", groups, ["cool"]).encode())
    assert f"{'a' * 11}…{'b' * 11}" in [text.text for text in page.all("text")]
    legend = parse(bar_legend(["A: <x>"], ["cool"]).encode())
    assert legend.all("li")[0].text.strip() == "A: <x>"
