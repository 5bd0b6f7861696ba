"""Plots as SVG: what is drawn where, and all words escaped."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.reports.axes import Axis
from bpe_studio.reports.svg import Bar, Marks, bar_chart, legend, scatter
from tests.reports.html_page import Element, parse

words = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12)


def _made(svg: str) -> Element:
    return parse(svg.encode())


@given(st.lists(st.tuples(words, st.integers(0, 10**7)), max_size=8), words)
def test_bars(given: list[tuple[str, int]], text: str) -> None:
    bars = [Bar(name, count, "info") for name, count in given]
    page = _made(bar_chart("one", "Title", text, bars))
    assert page.all("desc")[0].text == text
    told = [one.text for one in page.all("text")]
    wide = [float(bar.attributes["width"]) for bar in page.all("rect")]
    counts = [count for _, count in given if count]
    assert len(wide) == len(counts) and all(0 < width <= 460 for width in wide)
    for one, other in zip(range(len(counts)), range(1, len(counts)), strict=False):
        assert (counts[one] < counts[other]) <= (wide[one] <= wide[other])
    for name, count in given:
        assert name in told and f"{count:,}" in told


@given(words)
def test_marks_have_names_and_a_crowd_has_none(name: str) -> None:
    crowd = Marks("no flag", "dot", "plain", np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    marked = Marks(name, "triangle", "warm", np.array([0.5]), np.array([0.5]), (name,))
    empty = Marks("none", "ring", "green", np.zeros(0), np.zeros(0))
    axes = (Axis("across", 1, 10, log=True), Axis("up", 1, 10, log=True))
    page = _made(scatter("one", "Title", "text", axes, [crowd, empty, marked]))
    (path,) = [one for one in page.all("path") if one.attributes.get("class") == "crowd plain"]
    assert path.attributes["d"] == "M70.0 350.0h0M706.0 12.0h0"
    (group,) = page.all("g")
    assert [title.text for title in group.all("title")] == [name]
    assert {"across", "up", "0", "1", "10"} <= {one.text for one in page.all("text")}
    keys = _made(legend([crowd, marked]))
    assert [key.text for key in keys.all("li")] == [" no flag", f" {name}"]


def test_values_of_zero_lie_below_a_scale_of_logarithms() -> None:
    axes = (Axis("x", 1, 10, log=True), Axis("y", 1, 10, log=True))
    marks = Marks("a", "dot", "plain", np.array([0.0]), axes[1].shares(np.array([0.0])))
    page = _made(scatter("one", "t", "d", axes, [marks]))
    (path,) = [one for one in page.all("path") if "class" in one.attributes]
    assert path.attributes["d"] == "M70.0 368.0h0"
