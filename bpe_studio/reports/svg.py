"""Plots as SVG text: bars of counts, and scatters. Colours come from the classes of the page.

Nothing here has a style of its own, refers to anything outside, or runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from bpe_studio.reports.axes import AT_ZERO, Axis, tick_words
from bpe_studio.reports.svg_frame import (
    BOTTOM,
    HEIGHT,
    HIGH,
    LEFT,
    WIDE,
    ZERO,
    axes_lines,
    picture,
    share_of,
    text_at,
)

__all__ = ["Bar", "Marks", "Shape", "bar_chart", "legend", "scatter"]

Shape = Literal["triangle", "square", "diamond", "ring", "cross", "dot"]

_NAMES: Final = 170
_BAR_ROOM: Final = 460
_BAR_STEP: Final = 24


@dataclass(frozen=True, slots=True)
class Bar:
    """A count with its words; `colour` is a class of the page."""

    title: str
    count: int
    colour: str


@dataclass(frozen=True, eq=False)
class Marks:
    """Points of one sort.

    Attributes
    ----------
    title : str
        For the legend.
    shape : Shape
    colour : str
        A class of the page.
    x, y : float64 arrays, shape (n,)
        Shares of the axes.
    names : tuple of str
        What each point is; empty for a crowd without names.
    """

    title: str
    shape: Shape
    colour: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    names: tuple[str, ...] = ()


def bar_chart(anchor: str, title: str, text: str, bars: Sequence[Bar]) -> str:
    """Bars one under another on a scale of logarithms, each with its count."""
    foot = len(bars) * _BAR_STEP + 6
    return picture(anchor, title, text, foot + 36, _bars(bars, foot))


def _bars(bars: Sequence[Bar], foot: int) -> Iterator[str]:
    # From a half on, so that a count of 1 has a bar.
    axis = Axis("", 0.5, max(10, *(bar.count for bar in bars), 1), log=True)
    for tick in axis.ticks():
        x = _NAMES + _BAR_ROOM * share_of(axis, tick)
        yield f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{foot}"/>'
        yield text_at(x, foot + 15, tick_words(tick), "tick", "middle")
    middle = _NAMES + _BAR_ROOM / 2
    yield text_at(middle, foot + 31, "flags, on a scale of logarithms", "axis", "middle")
    for number, bar in enumerate(bars):
        y = number * _BAR_STEP + 16
        yield text_at(_NAMES - 10, y + 4, bar.title, "name" if bar.count else "tick", "end")
        wide = _BAR_ROOM * share_of(axis, bar.count) if bar.count else 0
        if bar.count:
            yield (
                f'<rect class="bar {bar.colour}" x="{_NAMES}" y="{y - 7}" width="{wide:.1f}" '
                'height="14" rx="2"/>'
            )
        yield text_at(_NAMES + wide + 8, y + 4, f"{bar.count:,}", "name" if bar.count else "tick")


def scatter(
    anchor: str,
    title: str,
    text: str,
    axes: tuple[Axis, Axis],
    groups: Sequence[Marks],
    *,
    diagonal: bool = False,
) -> str:
    """Points over two axes; later groups lie on top.

    Parameters
    ----------
    diagonal : whether to draw the line on which both values are the same, of two axes alike
        on which nothing is 0
    """
    zero = axes[1].log and not diagonal
    inside = [*axes_lines(*axes, zero=zero)]
    if diagonal:
        ends = f'x1="{LEFT}" y1="{BOTTOM}" x2="{LEFT + WIDE}" y2="{BOTTOM - HIGH}"'
        inside.append(f'<line class="guide" {ends}/>')
    inside += (part for marks in groups for part in _points(marks))
    return picture(anchor, title, text, HEIGHT if zero else HEIGHT - 18, inside)


def _points(marks: Marks) -> Iterator[str]:
    across = (LEFT + WIDE * marks.x).tolist()
    up = np.where(marks.y == AT_ZERO, ZERO, BOTTOM - HIGH * marks.y).tolist()
    if not len(across):
        return
    if not marks.names:
        path = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in zip(across, up, strict=True))
        yield f'<path class="crowd {marks.colour}" d="{path}"/>'
        return
    shape = _SHAPES[marks.shape]
    yield f'<g class="mark {marks.colour}">'
    for x, y, name in zip(across, up, marks.names, strict=True):
        yield f'<path d="{shape(x, y)}"><title>{escape(name)}</title></path>'
    yield "</g>"


def legend(groups: Iterable[Marks]) -> str:
    """A list of what the marks mean."""
    keys = []
    for marks in groups:
        path = "M7 7h0" if marks.shape == "dot" else _SHAPES[marks.shape](7, 7)
        sort = "crowd" if marks.shape == "dot" else "mark"
        keys.append(
            '<li><svg class="key" viewBox="0 0 14 14" aria-hidden="true">'
            f'<path class="{sort} {marks.colour}" d="{path}"/></svg> {escape(marks.title)}</li>'
        )
    return f'<ul class="keys">{"".join(keys)}</ul>'


def _polygon(*corners: tuple[float, float]) -> Callable[[float, float], str]:
    def path(x: float, y: float) -> str:
        return "M" + "L".join(f"{x + dx:.1f} {y + dy:.1f}" for dx, dy in corners) + "Z"

    return path


def _ring(x: float, y: float) -> str:
    return f"M{x - 3:.1f} {y:.1f}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z"


def _cross(x: float, y: float) -> str:
    return f"M{x - 3:.1f} {y - 3:.1f}l6 6m0 -6l-6 6"


_SHAPES: Final[dict[str, Callable[[float, float], str]]] = {
    "triangle": _polygon((0, -4.6), (4.6, 3.6), (-4.6, 3.6)),
    "square": _polygon((-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)),
    "diamond": _polygon((0, -4.8), (4.8, 0), (0, 4.8), (-4.8, 0)),
    "ring": _ring,
    "cross": _cross,
}
