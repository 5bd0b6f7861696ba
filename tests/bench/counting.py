"""Counting alone: from a file to its distinct pieces and their frequencies, on one core and all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.bench.figures import OURS, Row
from tests.bench.machine import cores
from tests.bench.processes import Outcome, run_job
from tests.bench.rounds import Round, in_rounds
from tests.bench.table import compact, details

CORPORA: Final = ("en", "code", "multi", "mixed_1gb")
# What MB/s are wanted on all cores of a machine with two.
AIMS: Final = {"en": 120, "code": 120, "multi": 60}


def measure(
    corpora: Path, *, names: Sequence[str], rounds: int, limit: float, once_above: float
) -> Iterator[Row]:
    for name in CORPORA:
        path = corpora / f"{name}.txt"
        if not path.exists() or (names and name not in names):
            continue
        runs = {
            f"{OURS}, {threads} thread{'s' * (threads > 1)}": _runner(path, threads, limit)
            for threads in sorted({1, cores()}, reverse=True)
        }
        yield from in_rounds(name, runs, rounds=rounds, once_above=once_above)


def _runner(path: Path, threads: int, limit: float) -> Callable[[Round], Outcome]:
    job = {"corpus": str(path), "threads": threads}
    return lambda _: run_job("counting", job, limit)


def tables(rows: Sequence[Row], short: bool) -> str:
    for row in rows:
        row.check = f"aim {AIMS[row.case]}" if row.case in AIMS and row is not None else ""
    if short:
        return compact(rows, "mb_s", "peak_mb", " MB")
    columns = (("mb_s", "MB/s"), ("seconds", "s"), ("cpu", "CPU s"), ("peak_mb", "peak MB"))
    return details(rows, columns, "mb_s")
