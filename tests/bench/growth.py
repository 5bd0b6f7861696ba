"""How cost grows with the corpus and with the vocabulary, as a table and as a plot.

Nothing may grow faster than n log n: doubling the work may not cost more than a little over twice.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from tests.bench import plot
from tests.bench.blocks import head
from tests.bench.figures import OURS, Row
from tests.bench.processes import run_job
from tests.bench.rounds import in_rounds
from tests.bench.table import markdown, number, spread

BYTES: Final = (10_000_000, 100_000_000, 1_000_000_000)
SIZES: Final = (8192, 32768, 131072)
SIZE, CORPUS, LARGE = 32768, "en", "mixed_1gb"
PARTS: Final = (("seconds", "all"), ("counting", "counting"), ("merging", "merging"))
# What the machine's own unsteadiness may add.
SLACK: Final = 1.15


def measure(corpora: Path, *, rounds: int, limit: float, once_above: float) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        for corpus, sizes in _jobs(corpora, Path(name)):
            for size in sizes:
                job = {"corpus": str(corpus), "size": size}
                by_corpus = corpus.parent == Path(name)
                amount = corpus.stat().st_size if by_corpus else size
                case = f"{round(amount / 1e6):,} MB" if by_corpus else f"{amount:,} tokens"
                run = {OURS: lambda _, job=job: run_job("growth", job, limit)}
                for row in in_rounds(case, run, rounds=rounds, once_above=once_above):
                    for figures in row.runs:
                        figures["amount"] = amount
                    row.given = LARGE if by_corpus else CORPUS
                    yield row


def _jobs(corpora: Path, folder: Path) -> Iterator[tuple[Path, tuple[int, ...]]]:
    large, corpus = corpora / f"{LARGE}.txt", corpora / f"{CORPUS}.txt"
    if large.exists():
        for count in (count for count in BYTES if large.stat().st_size > 0.9 * count):
            part = folder / "part.txt"
            part.write_bytes(head(large, count))
            yield part, (SIZE,)
    if corpus.exists():
        yield corpus, SIZES


def exponents(points: Sequence[tuple[float, float]]) -> list[float]:
    """Between neighbours: how the cost grows, as a power of how the amount grows.

    >>> exponents([(10, 1.0), (100, 10.0), (1000, 50.0)])
    [1.0, 0.7]
    """
    return [
        round(math.log(cost / before) / math.log(amount / less), 2)
        for (less, before), (amount, cost) in pairwise(points)
    ]


def within_n_log_n(points: Sequence[tuple[float, float]], slack: float = SLACK) -> bool:
    """Whether no step costs more than n log n allows.

    >>> within_n_log_n([(1000, 1.0), (10000, 12.0)]), within_n_log_n([(1000, 1.0), (10000, 20.0)])
    (True, False)
    """
    return all(
        cost / before <= slack * (amount * math.log(amount)) / (less * math.log(less))
        for (less, before), (amount, cost) in pairwise(points)
    )


def points_of(rows: Sequence[Row], part: str) -> list[tuple[float, float]]:
    return [
        (amount, cost)
        for row in rows
        if (amount := row.median("amount")) is not None and (cost := row.median(part)) is not None
    ]


def groups(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """By what grows: the corpus, or the vocabulary."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault("corpus" if row.given == LARGE else "vocabulary", []).append(row)
    return found


def drawing(rows: Sequence[Row]) -> str:
    """The plot, as SVG."""
    panels = []
    for what, members in groups(rows).items():
        title, unit = ("MB of corpus", 1e6) if what == "corpus" else ("tokens of vocabulary", 1.0)
        lines = {part: points_of(members, name) for name, part in PARTS}
        panels.append(plot.Panel(title, unit, lines))
    return plot.svg(panels)


def tables(rows: Sequence[Row], short: bool) -> str:
    parts = []
    for what, members in groups(rows).items():
        shown = number if short else None
        lines = [
            [
                row.case,
                *(shown(row.median(name)) if shown else spread(row, name) for name, _ in PARTS),
                number(row.median("peak_mb")),
                row.error,
            ]
            for row in members
        ]
        header = [f"{what} grows", *(f"{title}, s" for _, title in PARTS), "peak MB", ""]
        verdicts = ", ".join(_verdict(members, name, title) for name, title in PARTS)
        parts.append(f"{markdown(header, lines)}\n\nGrowth, as a power: {verdicts}.")
    return "\n\n".join(parts)


def _verdict(rows: Sequence[Row], name: str, title: str) -> str:
    points = points_of(rows, name)
    powers = " and ".join(map(str, exponents(points))) or "unknown"
    return f"{title} {powers} ({'within' if within_n_log_n(points) else 'BEYOND'} n log n)"
