"""Grouped bars as SVG text: for each name a bar a table, with its number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from bpe_studio.reports.axes import Axis, tick_words
from bpe_studio.reports.svg_frame import picture, share_of, text_at

__all__ = ["BarGroup", "bar_legend", "grouped_bars"]

_NAMES: Final = 170
_ROOM: Final = 470
_STEP: Final = 15
_GAP: Final = 12


@dataclass(frozen=True, slots=True)
class BarGroup:
    """A name and its values, one a colour; NaN for one that is not known."""

    title: str
    values: tuple[float, ...]


def grouped_bars(
    anchor: str,
    title: str,
    text: str,
    axis: str,
    groups: Sequence[BarGroup],
    colours: Sequence[str],
) -> str:
    """Bars from 0 on, one under another, in groups with a name each.

    Parameters
    ----------
    axis : what the values are
    colours : classes of the page, one a value of each group
    """
    high = max((value for group in groups for value in group.values if value == value), default=1)
    scale = Axis(axis, 0.0, high or 1.0)
    foot = len(groups) * (len(colours) * _STEP + _GAP) + 4
    return picture(anchor, title, text, foot + 40, _bars(groups, colours, scale, foot))


def _bars(
    groups: Sequence[BarGroup], colours: Sequence[str], scale: Axis, foot: int
) -> Iterator[str]:
    for tick in scale.ticks():
        x = _NAMES + _ROOM * share_of(scale, tick)
        yield f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{foot}"/>'
        yield text_at(x, foot + 15, tick_words(tick), "tick", "middle")
    yield text_at(_NAMES + _ROOM / 2, foot + 34, scale.title, "axis", "middle")
    y = 8.0
    for group in groups:
        middle = y + len(colours) * _STEP / 2
        yield text_at(_NAMES - 10, middle + 4, _short(group.title), "name", "end")
        for value, colour in zip(group.values, colours, strict=True):
            if value == value:
                wide = _ROOM * share_of(scale, value)
                yield (
                    f'<rect class="bar {colour}" x="{_NAMES}" y="{y:.1f}" width="{wide:.1f}" '
                    f'height="{_STEP - 3}" rx="2"/>'
                )
                yield text_at(_NAMES + wide + 6, y + 10, f"{value:,.2f}", "tick")
            y += _STEP
        y += _GAP


def _short(title: str) -> str:
    return title if len(title) <= 24 else f"{title[:11]}…{title[-11:]}"


def bar_legend(titles: Sequence[str], colours: Sequence[str]) -> str:
    """A list of what the colours are."""
    keys = (
        '<li><svg class="key" viewBox="0 0 14 14" aria-hidden="true">'
        f'<rect class="bar {colour}" x="1" y="1" width="12" height="12" rx="2"/></svg> '
        f"{escape(title)}</li>"
        for title, colour in zip(titles, colours, strict=True)
    )
    return f'<ul class="keys">{"".join(keys)}</ul>'
