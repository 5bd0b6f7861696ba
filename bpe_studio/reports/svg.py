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

__all__ = ["HIGH", "WIDE", "Bar", "Marks", "Shape", "bar_chart", "legend", "scatter"]

Shape = Literal["triangle", "square", "diamond", "ring", "cross", "dot"]

WIDTH: Final = 720
HEIGHT: Final = 420
LEFT, RIGHT, TOP, BOTTOM = 70, 706, 12, 350
"""The plot of a scatter, in pixels of the picture; values of 0 stand below it."""
WIDE: Final = RIGHT - LEFT
HIGH: Final = BOTTOM - TOP
_ZERO: Final = BOTTOM + 18
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
    return _picture(anchor, title, text, foot + 36, _bars(bars, foot))


def _bars(bars: Sequence[Bar], foot: int) -> Iterator[str]:
    # From a half on, so that a count of 1 has a bar.
    axis = Axis("", 0.5, max(10, *(bar.count for bar in bars), 1), log=True)
    for tick in axis.ticks():
        x = _NAMES + _BAR_ROOM * _share(axis, tick)
        yield f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{foot}"/>'
        yield _text(x, foot + 15, tick_words(tick), "tick", "middle")
    middle = _NAMES + _BAR_ROOM / 2
    yield _text(middle, foot + 31, "flags, on a scale of logarithms", "axis", "middle")
    for number, bar in enumerate(bars):
        y = number * _BAR_STEP + 16
        yield _text(_NAMES - 10, y + 4, bar.title, "name" if bar.count else "tick", "end")
        wide = _BAR_ROOM * _share(axis, bar.count) if bar.count else 0
        if bar.count:
            yield (
                f'<rect class="bar {bar.colour}" x="{_NAMES}" y="{y - 7}" width="{wide:.1f}" '
                'height="14" rx="2"/>'
            )
        yield _text(_NAMES + wide + 8, y + 4, f"{bar.count:,}", "name" if bar.count else "tick")


def _share(axis: Axis, value: float) -> float:
    return float(axis.shares(np.array([float(value)]))[0])


def scatter(
    anchor: str, title: str, text: str, axes: tuple[Axis, Axis], groups: Sequence[Marks]
) -> str:
    """Points over two axes; later groups lie on top."""
    inside = [*_axes(*axes), *(part for marks in groups for part in _points(marks))]
    return _picture(anchor, title, text, HEIGHT, inside)


def _axes(x: Axis, y: Axis) -> Iterator[str]:
    for tick in x.ticks():
        px = LEFT + WIDE * _share(x, tick)
        yield f'<line class="grid" x1="{px:.1f}" x2="{px:.1f}" y1="{TOP}" y2="{BOTTOM}"/>'
        yield _text(px, BOTTOM + 40, tick_words(tick), "tick", "middle")
    for tick in y.ticks():
        py = BOTTOM - HIGH * _share(y, tick)
        yield f'<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{py:.1f}" y2="{py:.1f}"/>'
        yield _text(LEFT - 8, py + 4, tick_words(tick), "tick", "end")
    if y.log:
        yield f'<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{_ZERO}" y2="{_ZERO}"/>'
        yield _text(LEFT - 8, _ZERO + 4, "0", "tick", "end")
    yield _text((LEFT + RIGHT) / 2, HEIGHT - 8, x.title, "axis", "middle")
    middle = (TOP + BOTTOM) / 2
    yield (
        f'<text class="axis" text-anchor="middle" transform="rotate(-90 14 {middle:g})" x="14" '
        f'y="{middle:g}">{escape(y.title)}</text>'
    )


def _points(marks: Marks) -> Iterator[str]:
    across = (LEFT + WIDE * marks.x).tolist()
    up = np.where(marks.y == AT_ZERO, _ZERO, BOTTOM - HIGH * marks.y).tolist()
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


def _picture(anchor: str, title: str, text: str, height: int, inside: Iterable[str]) -> str:
    """An `svg` element with a title and a description for those who do not see it."""
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-labelledby="{anchor}-title {anchor}-text">'
        f'<title id="{anchor}-title">{escape(title)}</title>'
        f'<desc id="{anchor}-text">{escape(text)}</desc>{"".join(inside)}</svg>'
    )


def _text(x: float, y: float, words: str, kind: str, anchor: str = "start") -> str:
    place = f'text-anchor="{anchor}" x="{x:.1f}" y="{y:.1f}"'
    return f'<text class="{kind}" {place}>{escape(words)}</text>'


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
