"""One measurement in a process of its own: `python -m tests.bench.child SUBJECT JOB ANSWER`."""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.bench.machine import peak_mb
from tests.bench.rules import Rules, write_merges

Answer = dict[str, Any]


class Clock:
    """Wall and processor seconds between two moments."""

    def __init__(self) -> None:
        gc.collect()
        self._cpu, self._wall = time.process_time(), time.perf_counter()

    def figures(self) -> dict[str, float]:
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        return {"seconds": wall, "cpu": cpu}


def training(job: Answer) -> Answer:
    """Trains a little first: imports are done and code is loaded when the clock starts."""
    from tests.bench.figures import OURS
    from tests.bench.trainers import TRAINERS, train_ours

    competitor, rules = TRAINERS[job["who"]], Rules(**job["rules"])

    def train(path: Path, size: int) -> Any:
        if job["who"] == OURS:
            return train_ours(path, size, rules)
        return competitor.train(path, size)

    train(Path(job["warm"]), 512)
    clock = Clock()
    result = train(Path(job["corpus"]), job["size"])
    figures = {**clock.figures(), "peak_mb": peak_mb()}
    if job["merges"]:
        write_merges(competitor.learned(result), Path(job["merges"]))
    return {"figures": figures}


SUBJECTS: Final[dict[str, Callable[[Answer], Answer]]] = {"training": training}


def main() -> int:
    subject, job, answer = sys.argv[1:4]
    told = SUBJECTS[subject](json.loads(job))
    Path(answer).write_text(json.dumps(told), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
