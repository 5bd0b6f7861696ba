"""Curves as SVG: where they go, how many points they have, and their words escaped."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.reports.axes import Axis
from bpe_studio.reports.svg_lines import Line, line_chart, line_legend
from tests.reports.html_page import parse

AXES = (Axis("across", 1, 10_000, log=True), Axis("up", 0, 2))


def _points(line: Line) -> list[tuple[float, float]]:
    page = parse(line_chart("one", "Title", "text", AXES, [line]).encode())
    paths = [one for one in page.all("path") if one.attributes["class"].startswith("line")]
    return [
        (float(x), float(y))
        for path in paths
        for x, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", path.attributes["d"])
    ]


@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=2_000, unique=True).map(sorted))
def test_a_curve_begins_and_ends_where_its_values_do(xs: list[int]) -> None:
    x = np.array(xs, dtype=np.float64)
    points = _points(Line("a", "cool", x, x / 5_000))
    assert 1 <= len(points) <= min(len(xs), 402)
    assert points == sorted(points)
    for point, value in ((points[0], x[0]), (points[-1], x[-1])):
        assert abs(point[0] - (70 + 636 * np.log10(value) / 4)) < 0.1
        assert abs(point[1] - (350 - 338 * value / 10_000)) < 0.1


def test_no_points_draw_nothing() -> None:
    assert _points(Line("a", "cool", np.zeros(0), np.zeros(0))) == []


def test_words_are_escaped() -> None:
    line = Line("<a&b>", "warm", np.array([1.0, 10.0]), np.array([0.0, 1.0]))
    assert parse(line_legend([line]).encode()).all("li")[0].text == " <a&b>"
    page = parse(line_chart("one", "<T>", "a & b", AXES, [line]).encode())
    assert (page.all("title")[0].text, page.all("desc")[0].text) == ("<T>", "a & b")
    assert {"across", "up", "1", "10,000", "2"} <= {one.text for one in page.all("text")}
