"""What all plots are drawn on: the picture, its axes, and words at a place.

Colours come from the classes of the page. Nothing here has a style of its own, refers to anything
outside, or runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

import numpy as np

from bpe_studio.reports.axes import Axis, tick_words

__all__ = [
    "BOTTOM",
    "HEIGHT",
    "HIGH",
    "LEFT",
    "RIGHT",
    "TOP",
    "WIDE",
    "WIDTH",
    "ZERO",
    "axes_lines",
    "picture",
    "share_of",
    "text_at",
]

WIDTH: Final = 720
HEIGHT: Final = 420
LEFT, RIGHT, TOP, BOTTOM = 70, 706, 12, 350
"""The plot of a scatter, in pixels of the picture; values of 0 stand below it."""
WIDE: Final = RIGHT - LEFT
HIGH: Final = BOTTOM - TOP
ZERO: Final = BOTTOM + 18


def picture(anchor: str, title: str, text: str, height: int, inside: Iterable[str]) -> str:
    """An `svg` element with a title and a description for those who do not see it."""
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-labelledby="{anchor}-title {anchor}-text">'
        f'<title id="{anchor}-title">{escape(title)}</title>'
        f'<desc id="{anchor}-text">{escape(text)}</desc>{"".join(inside)}</svg>'
    )


def text_at(x: float, y: float, words: str, kind: str, anchor: str = "start") -> str:
    """Words that begin, end or have their middle at a place."""
    place = f'text-anchor="{anchor}" x="{x:.1f}" y="{y:.1f}"'
    return f'<text class="{kind}" {place}>{escape(words)}</text>'


def share_of(axis: Axis, value: float) -> float:
    """Where a value lies on an axis, from 0 to 1."""
    return float(axis.shares(np.array([float(value)]))[0])


def axes_lines(x: Axis, y: Axis, *, zero: bool) -> Iterator[str]:
    """Lines and numbers at the ticks, and the titles; with `zero` a line for what has no logarithm.

    Numbers stand where those lines would leave room for them, so that plots are alike.
    """
    numbers = BOTTOM + (40 if zero else 22)
    for tick in x.ticks():
        px = LEFT + WIDE * share_of(x, tick)
        yield f'<line class="grid" x1="{px:.1f}" x2="{px:.1f}" y1="{TOP}" y2="{BOTTOM}"/>'
        yield text_at(px, numbers, tick_words(tick), "tick", "middle")
    for tick in y.ticks():
        py = BOTTOM - HIGH * share_of(y, tick)
        yield f'<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{py:.1f}" y2="{py:.1f}"/>'
        yield text_at(LEFT - 8, py + 4, tick_words(tick), "tick", "end")
    if zero:
        yield f'<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{ZERO}" y2="{ZERO}"/>'
        yield text_at(LEFT - 8, ZERO + 4, "0", "tick", "end")
    yield text_at((LEFT + RIGHT) / 2, numbers + 22, x.title, "axis", "middle")
    middle = (TOP + BOTTOM) / 2
    yield (
        f'<text class="axis" text-anchor="middle" transform="rotate(-90 14 {middle:g})" x="14" '
        f'y="{middle:g}">{escape(y.title)}</text>'
    )
