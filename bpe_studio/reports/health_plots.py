"""The plots of a report on tokens: counts per kind, rank against uses, two indicators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.flags import KINDS, SEVERITIES
from bpe_studio.analysis.makers import lowest_ranks
from bpe_studio.analysis.naming import quoted
from bpe_studio.reports.axes import Axis, thinned
from bpe_studio.reports.health_subject import HealthSubject
from bpe_studio.reports.page import Plot
from bpe_studio.reports.svg import Bar, Marks, Shape, bar_chart, legend, scatter
from bpe_studio.reports.svg_frame import HIGH, WIDE

__all__ = ["MOST_MARKS", "MOST_POINTS", "counts_plot", "indicators_plot", "uses_plot"]

MOST_POINTS: Final = 3_000
"""Tokens without a mark that a scatter shows."""
MOST_MARKS: Final = 300
"""Marked tokens of each group."""


class _Group(NamedTuple):
    """Kinds with one mark; of crowded ones those that touch are left out."""

    title: str
    kinds: tuple[str, ...]
    shape: Shape
    colour: str
    crowded: bool = False


_CROWD: Final = _Group("no flag", (), "dot", "plain")
# A token is in the last group that one of its flags is of, and that one is drawn on top.
_GROUPS: Final = (
    _Group("other flags", (), "cross", "grey", crowded=True),
    _Group("rare or absent", ("rare", "absent"), "ring", "green", crowded=True),
    _Group(
        "scaffold or never emitted",
        ("scaffold", "never-emitted"),
        "diamond",
        "cool",
        crowded=True,
    ),
    _Group("under-trained", ("under-trained",), "square", "violet"),
    _Group("concentrated", ("concentrated",), "triangle", "warm"),
)


@dataclass(frozen=True, eq=False)
class _Cloud:
    """Tokens with two values each."""

    ids: NDArray[np.int32]
    x: NDArray[np.float64]
    y: NDArray[np.float64]


def counts_plot(subject: HealthSubject) -> Plot:
    """A bar for each kind that was looked for."""
    counts = subject.report.counts
    bars = [
        Bar(KINDS[kind].title, count, SEVERITIES.get(kind, "info"))
        for kind, count in counts.items()
    ]
    found = [f"{KINDS[kind].title} {count:,}" for kind, count in counts.items() if count]
    rest = "." if len(found) == len(counts) else "; no other kind that was looked for."
    title = "Flags of each kind"
    text = f"{', '.join(found)}{rest}" if found else "Nothing was found."
    return Plot(title, text, bar_chart("plot-counts", title, text, bars))


def uses_plot(subject: HealthSubject) -> Plot | None:
    """Rank against F1; None without a corpus, or where no merge makes a token."""
    use, table = subject.use, subject.tokenizer.table
    if use is None or not len(table) or not len(use.ids):
        return None
    places = np.minimum(np.searchsorted(table.ids, use.ids), len(table) - 1)
    ranks = np.where(table.ids[places] == use.ids, lowest_ranks(table)[places], -1)
    made = np.flatnonzero(ranks >= 0)
    if not len(made):
        return None
    cloud = _Cloud(use.ids[made], ranks[made] + 1.0, use.final[made].astype(np.float64))
    axes = (
        Axis("merge, counted from 1", 1, max(10, cloud.x.max()), log=True),
        Axis("uses in the corpus (F1)", 1, max(10, cloud.y.max()), log=True),
    )

    def name(place: int) -> str:
        return f"rank {cloud.x[place] - 1:,.0f}, F1 {cloud.y[place]:,.0f}"

    why = (
        "Later merges are used less. Far below its neighbours lies what goes on into longer "
        "tokens, far above often text that few documents repeat."
    )
    title = "The merge of each token, and its uses"
    return _plot(subject, "plot-uses", title, cloud, axes, name, why)


def indicators_plot(subject: HealthSubject) -> Plot | None:
    """The first two indicators of the embeddings; None where there are fewer."""
    found = subject.report.undertrained
    if found is None or len(found.indicators) < 2:
        return None
    first, second = found.indicators[:2]
    known = np.isfinite(first.values) & np.isfinite(second.values) & found.judged
    if not known.any():
        return None
    cloud = _Cloud(found.ids[known], first.values[known], second.values[known])
    axes = (
        Axis(first.title, float(cloud.x.min()), float(cloud.x.max())),
        Axis(second.title, float(cloud.y.min()), float(cloud.y.max())),
    )

    def name(place: int) -> str:
        return f"{first.title} {cloud.x[place]:.3g}, {second.title} {cloud.y[place]:.3g}"

    title = f"{first.title[:1].upper()}{first.title[1:]} and {second.title}"
    why = "The lower both values, the less training has moved the row of the token."
    return _plot(subject, "plot-indicators", title, cloud, axes, name, why)


def _plot(
    subject: HealthSubject,
    anchor: str,
    title: str,
    cloud: _Cloud,
    axes: tuple[Axis, Axis],
    name: Callable[[int], str],
    why: str,
) -> Plot:
    groups = _groups(subject, cloud, axes, name)
    drawn, total = sum(len(marks.x) for marks in groups), len(cloud.ids)
    some = (
        "Each point is one"
        if drawn == total
        else f"{drawn:,} points stand for them, one for those that coincide"
    )
    text = f"{total:,} tokens. {some}. {why}"
    picture = scatter(anchor, title, text, axes, groups)
    return Plot(title, text, picture + legend(groups))


def _groups(
    subject: HealthSubject, cloud: _Cloud, axes: tuple[Axis, Axis], name: Callable[[int], str]
) -> list[Marks]:
    """The crowd without flags first, then the marked groups that there are."""
    x, y = axes[0].shares(cloud.x), axes[1].shares(cloud.y)
    group = _group_of(subject, cloud.ids)
    found = []
    for number, known in enumerate((_CROWD, *_GROUPS)):
        places = np.flatnonzero(group == number)
        most = MOST_MARKS if number else MOST_POINTS
        cell = 6.0 if known.crowded else 2.0
        chosen = thinned(x[places], y[places], most, wide=WIDE, high=HIGH, cell=cell)
        places = places[chosen]
        if not len(places):
            continue
        names = (f"{_token(subject, cloud, place)}: {name(place)}" for place in places.tolist())
        told = tuple(names) if number else ()
        found.append(Marks(known.title, known.shape, known.colour, x[places], y[places], told))
    return found


def _group_of(subject: HealthSubject, ids: NDArray[np.int32]) -> NDArray[np.int8]:
    """The number of the group of each token, 0 for one without a flag."""
    numbers = {kind: n for n, group in enumerate(_GROUPS, start=1) for kind in group.kinds}
    best: dict[int, int] = {}
    for flag in subject.report.flags:
        best[flag.id] = max(best.get(flag.id, 1), numbers.get(flag.kind, 1))
    return np.array([best.get(token, 0) for token in ids.tolist()], dtype=np.int8)


def _token(subject: HealthSubject, cloud: _Cloud, place: int) -> str:
    token = int(cloud.ids[place])
    return f"{quoted(subject.tokenizer.token_bytes(token))}, id {token:,}"
