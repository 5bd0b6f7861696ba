"""The plots of two tables: rank against rank, and the overlap of the first k tokens."""

from __future__ import annotations

from typing import Final

import numpy as np

from bpe_studio.reports.axes import Axis, thinned
from bpe_studio.reports.compare_subject import CompareSubject
from bpe_studio.reports.compare_words import overlap_words
from bpe_studio.reports.page import Plot
from bpe_studio.reports.svg import Marks, legend, scatter
from bpe_studio.reports.svg_frame import HIGH, WIDE
from bpe_studio.reports.svg_lines import Line, line_chart
from bpe_studio.reports.words import ratio

__all__ = ["MOST_POINTS", "overlap_plot", "ranks_plot"]

MOST_POINTS: Final = 3_000
"""Tokens of each sort that the scatter shows."""


def ranks_plot(subject: CompareSubject) -> Plot | None:
    """Rank against rank of the tokens that merges make in both; None where there are none."""
    tables = subject.tables
    rows = np.flatnonzero(tables.has_shift)
    if not len(rows):
        return None
    a, b = ((ranks[rows] + 1).astype(np.float64) for ranks in (tables.rank_a, tables.rank_b))
    high = max(10.0, float(a.max()), float(b.max()))
    axes = (
        Axis("merge in A, counted from 1", 1.0, high, log=True),
        Axis("merge in B, counted from 1", 1.0, high, log=True),
    )
    x, y = axes[0].shares(a), axes[1].shares(b)
    other = tables.other_merge[rows]
    groups, drawn = [], 0
    for title, colour, chosen in (
        ("made of other parts", "warm", other),
        ("made of the same parts", "cool", ~other),
    ):
        places = np.flatnonzero(chosen)
        if not len(places):
            continue
        places = places[thinned(x[places], y[places], MOST_POINTS, wide=WIDE, high=HIGH, cell=2.0)]
        drawn += len(places)
        groups.append(Marks(title, "dot", colour, x[places], y[places]))
    some = (
        "Each point is one"
        if drawn == len(rows)
        else f"{drawn:,} points stand for them, one for those that coincide"
    )
    text = (
        f"{len(rows):,} tokens that merges make in both; rank correlation "
        f"{ratio(tables.rank_correlation)}. {some}. On the dashed line a token has the same rank "
        "in both; above it B learned it later."
    )
    title = "Rank against rank of the shared tokens"
    picture = scatter("plot-ranks", title, text, axes, groups, diagonal=True)
    return Plot(title, text, picture + legend(groups))


def overlap_plot(subject: CompareSubject) -> Plot | None:
    """The part of the first k tokens that is the same, for every k; None without merges in both."""
    curve = subject.tables.overlap()
    if not len(curve):
        return None
    k = curve.k.astype(np.float64)
    axes = (
        Axis("first k tokens that merges make", 1.0, max(10.0, float(k[-1])), log=True),
        Axis("part that is shared", 0.0, 1.0),
    )
    line = Line("overlap", "cool", k, curve.overlap)
    title = "Overlap of the first k tokens"
    text = f"{overlap_words(curve)}. Which tokens these are counts, not their order."
    return Plot(title, text, line_chart("plot-overlap", title, text, axes, [line]))
