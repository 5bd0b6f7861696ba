"""Growth as a drawing: seconds against amount, both logarithmic, beside what n log n would be."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, GAP = 400, 320, 56, 48, 40, 24
COLOURS: Final = ("#2f6fde", "#c8641b", "#3a8f5c")
GREY, FAINT = "#6b7580", "#d6dade"


@dataclass(frozen=True)
class Panel:
    """One thing that grows.

    Attributes
    ----------
    title : what the amounts are
    unit : how much of it the axis counts as one
    lines : the parts of the cost, the whole of it first
    """

    title: str
    unit: float
    lines: Mapping[str, Points]


def svg(panels: Sequence[Panel]) -> str:
    """One drawing of all panels, side by side."""
    width = len(panels) * (WIDTH + GAP)
    body = [
        f'<g transform="translate({place * (WIDTH + GAP)} 0)">{_panel(panel)}</g>'
        for place, panel in enumerate(panels)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" '
        f'width="{width}" height="{HEIGHT}" font-family="sans-serif" font-size="12">\n'
        f'<rect width="{width}" height="{HEIGHT}" fill="#ffffff"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


class _Scale:
    """From values to pixels on a logarithmic axis, with room at both ends."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self.low, self.high = math.log10(min(values)) - 0.1, math.log10(max(values)) + 0.1
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self) -> list[float]:
        steps = [m * 10.0**e for e in range(-4, 10) for m in (1, 2, 5)]
        inside = [step for step in steps if self.low <= math.log10(step) <= self.high]
        tens = [step for step in inside if math.log10(step).is_integer()]
        return inside if len(inside) <= 8 else tens


def n_log_n(points: Points) -> list[tuple[float, float]]:
    """What the cost would be if it grew as n log n from the first point.

    >>> [round(cost, 1) for _, cost in n_log_n([(10, 1.0), (100, 7.0)])]
    [1.0, 20.0]
    """
    (first, cost), *_ = points
    per = cost / (first * math.log(first))
    return [(amount, per * amount * math.log(amount)) for amount, _ in points]


def _panel(panel: Panel) -> str:
    lines = panel.lines
    whole = next(iter(lines.values()))
    limit = n_log_n(whole)
    amounts = [amount for amount, _ in whole]
    costs = [cost for points in (*lines.values(), limit) for _, cost in points if cost > 0]
    across = _Scale(amounts, LEFT, WIDTH)
    up = _Scale(costs, HEIGHT - BOTTOM, TOP)
    parts = [_text(LEFT, 20, f"seconds against {panel.title}", "#1b1f24", "start", weight="600")]
    for amount in amounts:
        x = across(amount)
        parts.append(_line(x, TOP, x, HEIGHT - BOTTOM, FAINT))
        parts.append(_text(x, HEIGHT - BOTTOM + 18, f"{amount / panel.unit:,.0f}", GREY))
    for cost in up.ticks():
        y = up(cost)
        parts.append(_line(LEFT, y, WIDTH, y, FAINT))
        parts.append(_text(LEFT - 6, y + 4, f"{cost:g}", GREY, "end"))
    parts.append(_path(limit, across, up, GREY, dashed=True))
    for (name, points), colour in zip(lines.items(), COLOURS, strict=False):
        parts.append(_path([p for p in points if p[1] > 0], across, up, colour))
        parts += [
            f'<circle cx="{across(x)}" cy="{up(y)}" r="3.5" fill="{colour}"><title>'
            f"{escape(name)}: {y:.3g} s</title></circle>"
            for x, y in points
            if y > 0
        ]
    parts.append(_key([*lines, "n log n"]))
    return "".join(parts)


def _key(names: Sequence[str]) -> str:
    parts, x = [], float(LEFT)
    for name, colour in zip(names, [*COLOURS[: len(names) - 1], GREY], strict=True):
        y = HEIGHT - 10
        parts.append(_line(x, y - 4, x + 18, y - 4, colour, 2, dashed=colour == GREY))
        parts.append(_text(x + 24, y, name, "#1b1f24", "start"))
        x += 44 + 7 * len(name)
    return "".join(parts)


def _path(points: Points, across: _Scale, up: _Scale, colour: str, *, dashed: bool = False) -> str:
    at = " ".join(f"{across(x)},{up(y)}" for x, y in points)
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<polyline points="{at}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>'


def _line(
    x: float, y: float, to_x: float, to_y: float, colour: str, width: int = 1, dashed: bool = False
) -> str:
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    return (
        f'<line x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}" stroke="{colour}" '
        f'stroke-width="{width}"{dash}/>'
    )


def _text(
    x: float, y: float, words: str, colour: str, anchor: str = "middle", weight: str = "400"
) -> str:
    return (
        f'<text x="{x}" y="{y}" fill="{colour}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(words)}</text>'
    )
