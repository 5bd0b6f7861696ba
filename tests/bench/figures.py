"""What was measured, and how it is summed up: medians, spreads, ratios in pairs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any, Final

OURS: Final = "BPE Studio"


@dataclass
class Row:
    """All runs of one competitor in one case.

    Attributes
    ----------
    case : str
        What was asked, such as ``en, 32,768 tokens``.
    who : str
        The competitor.
    runs : list of dict
        Figures by name, one dict a round; an empty one where the round was left out.
    given : str
        The input as this competitor was given it.
    check : str
        What comparing its result has shown.
    error : str
        Why there are no figures, or fewer.
    """

    case: str
    who: str
    runs: list[dict[str, float]] = field(default_factory=list)
    given: str = ""
    check: str = ""
    error: str = ""

    def values(self, name: str) -> list[float]:
        return [run[name] for run in self.runs if name in run]

    def median(self, name: str) -> float | None:
        values = self.values(name)
        return median(values) if values else None


def ratio(row: Row, ours: Row, name: str) -> float | None:
    """The median over rounds of this row's figure by ours, taken round by round.

    Pairs keep the ratio meaningful while the machine's speed drifts. Rounds that one of the two
    lacks do not count.

    >>> mine = Row("c", "b", [{"s": 2.0}, {"s": 3.0}, {"s": 1.0}])
    >>> ratio(Row("c", "a", [{"s": 4.0}, {"s": 9.0}, {}]), mine, "s")
    2.5
    """
    pairs = [
        run[name] / mine[name]
        for run, mine in zip(row.runs, ours.runs, strict=False)
        if name in run and mine.get(name)
    ]
    return median(pairs) if pairs else None


def cases(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows by case, in the order in which they came."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.case, []).append(row)
    return found


def row_of(rows: Iterable[Row], who: str) -> Row | None:
    return next((row for row in rows if row.who == who), None)


@dataclass
class Measured:
    """The rows of one subject, with what a reader needs to repeat them."""

    subject: str
    date: str
    command: str
    machine: str
    versions: dict[str, str]
    rows: list[Row]


def save(measured: Sequence[Measured], path: Path) -> None:
    path.write_text(json.dumps([asdict(one) for one in measured], indent=1) + "\n", "utf-8")


def load(path: Path) -> list[Measured]:
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return [Measured(**{**one, "rows": [Row(**row) for row in one["rows"]]}) for one in found]


def joined(measured: Sequence[Measured]) -> list[Measured]:
    """What was measured about one subject by several commands, as one."""
    found: dict[str, Measured] = {}
    for one in measured:
        before = found.get(one.subject)
        found[one.subject] = one if before is None else _both(before, one)
    return list(found.values())


def _both(one: Measured, other: Measured) -> Measured:
    commands = one.command.split("\n")
    return replace(
        one,
        command="\n".join([*commands, *({other.command} - set(commands))]),
        versions=one.versions | other.versions,
        rows=[*one.rows, *other.rows],
    )
