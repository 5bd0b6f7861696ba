"""Competitors in turn, round after round, so that a machine that changes its speed is fair."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.bench.figures import Row
from tests.bench.processes import Outcome


@dataclass(frozen=True)
class Round:
    number: int

    @property
    def first(self) -> bool:
        return self.number == 0


def in_rounds(
    case: str,
    competitors: Mapping[str, Callable[[Round], Outcome]],
    *,
    rounds: int,
    once_above: float = float("inf"),
) -> list[Row]:
    """Runs everyone `rounds` times, one after another; who fails is not asked again.

    Parameters
    ----------
    once_above : float
        Seconds; whoever takes longer in the first round has had its turn.
    """
    rows = {name: Row(case, name) for name in competitors}
    resting: set[str] = set()
    for number in range(rounds):
        for name, run in competitors.items():
            if name in resting:
                rows[name].runs.append({})
                continue
            began = time.perf_counter()
            outcome = run(Round(number))
            took = time.perf_counter() - began
            rows[name].runs.append(outcome.figures)
            rows[name].check = rows[name].check or outcome.text
            if outcome.error:
                rows[name].error = outcome.error
                resting.add(name)
            elif number == 0 and outcome.figures.get("seconds", took) > once_above:
                resting.add(name)
            told = outcome.error or f"{outcome.figures.get('seconds', took):.2f} s"
            print(f"{case}: round {number + 1}, {name}: {told}", file=sys.stderr, flush=True)
    return list(rows.values())
