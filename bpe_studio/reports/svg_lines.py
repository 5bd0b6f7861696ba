"""Plots of lines as SVG text: several curves over two axes, each with its name in a legend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.reports.axes import Axis
from bpe_studio.reports.svg_frame import (
    BOTTOM,
    HEIGHT,
    HIGH,
    LEFT,
    WIDE,
    axes_lines,
    picture,
)

__all__ = ["Line", "line_chart", "line_legend"]

_MOST_POINTS: Final = 400


@dataclass(frozen=True, eq=False)
class Line:
    """A curve.

    Attributes
    ----------
    title : str
        For the legend.
    colour : str
        A class of the page.
    x, y : float64 arrays, shape (n,), x ascending
    """

    title: str
    colour: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]


def line_chart(
    anchor: str, title: str, text: str, axes: tuple[Axis, Axis], lines: Sequence[Line]
) -> str:
    """Curves over two axes; later ones lie on top."""
    inside = [*axes_lines(*axes, zero=False), *(_path(axes, line) for line in lines)]
    return picture(anchor, title, text, HEIGHT - 18, inside)


def _path(axes: tuple[Axis, Axis], line: Line) -> str:
    x, y = axes[0].shares(line.x), axes[1].shares(line.y)
    places = _chosen(x)
    points = zip(
        (LEFT + WIDE * x[places]).tolist(), (BOTTOM - HIGH * y[places]).tolist(), strict=True
    )
    path = "L".join(f"{px:.1f} {py:.1f}" for px, py in points)
    return f'<path class="line {line.colour}" d="M{path}"/>' if path else ""


def _chosen(x: NDArray[np.float64]) -> NDArray[np.int64]:
    """The first point of each stretch of the axis, and the last of all."""
    columns = np.floor(x * _MOST_POINTS).astype(np.int64)
    first = np.flatnonzero(np.append(True, np.diff(columns) != 0)) if len(x) else columns
    return np.unique(np.append(first, len(x) - 1)) if len(x) else first


def line_legend(lines: Iterable[Line]) -> str:
    """A list of what the lines are."""
    keys = (
        '<li><svg class="key" viewBox="0 0 14 14" aria-hidden="true">'
        f'<path class="line {line.colour}" d="M0 7h14"/></svg> {escape(line.title)}</li>'
        for line in lines
    )
    return f'<ul class="keys">{"".join(keys)}</ul>'
