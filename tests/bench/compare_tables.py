"""How long two tables take to compare, sort and filter, and how long another thread waits.

    python -m tests.bench.compare_tables A B [--rounds 5]

A and B are tokenizer files, or how many random merges a table is to have. Told of several rounds
is the median: of a comparison all told and on its own thread; its longest slice, after which it
can be cancelled; how late another thread was at most that wanted to run every millisecond
meanwhile; and how long the table of all tokens sorts by every column and filters. Under load the
times on the thread say more than those of the clock.
"""

from __future__ import annotations

import argparse
import os
import pickle
import statistics
import sys
import threading
import time
from collections.abc import Callable, Generator
from typing import Any

from tests.bench.merges_table import big_table

FILTERS = (("all", "e"), ("shared", "tion"), ("only A", ""), ("rank", "the"), ("all", ""))


class Waiting:
    """Another thread, and how late it came at most, in milliseconds."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        last = time.perf_counter()
        while not self._done.is_set():
            time.sleep(0.001)
            now = time.perf_counter()
            self.longest, last = max(self.longest, 1000 * (now - last) - 1), now

    def __enter__(self) -> Waiting:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()


def sliced(steps: Generator[Any, None, Any]) -> tuple[Any, float, float, float]:
    """What a generator returns, and its milliseconds: in all, on its thread, the longest slice."""
    clock, thread = time.perf_counter(), time.thread_time()
    longest, last = 0.0, clock
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            result = stop.value
            break
        finally:
            now = time.perf_counter()
            longest, last = max(longest, now - last), now
    took = time.perf_counter() - clock, time.thread_time() - thread, longest
    return result, *(1000 * each for each in took)  # type: ignore[return-value]


def milliseconds(work: Callable[[], object], rounds: int) -> float:
    taken = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication, QTableView

    from bpe_studio.formats import load
    from bpe_studio.gui.models.array_table import ArrayTable
    from bpe_studio.gui.models.compare_columns import compare_columns
    from bpe_studio.gui.models.compare_rows import compare_rows

    app = QApplication([])
    kept = [
        pickle.dumps(big_table(int(each)) if each.isdecimal() else load(each))
        for each in (asked.a, asked.b)
    ]
    rounds = []
    for _ in range(asked.rounds):
        fresh = [pickle.loads(each) for each in kept]  # nothing computed before is left
        with Waiting() as waiting:
            rows, *times = sliced(compare_rows(*fresh))
        rounds.append((*times, waiting.longest))
    found = rows.comparison
    print(f"{len(found.a.token_ids):,} and {len(found.b.token_ids):,} tokens, {len(found):,} rows,")
    print(f"{found.shared:,} shared; milliseconds, the median of {asked.rounds}")
    for name, taken in zip(
        ("comparison", "  on its thread", "  longest slice", "another thread late"),
        zip(*rounds, strict=True),
        strict=True,
    ):
        print(f"  {name:32} {statistics.median(taken):8.1f}")
    print(f"  {'overlap curve':32} {milliseconds(found.overlap, asked.rounds):8.1f}")
    model, view = ArrayTable(columns=compare_columns(rows), rows=len(found)), QTableView()
    view.setModel(model)
    view.show()
    view.selectRow(100)
    app.processEvents()
    for place, column in enumerate(model.columns):
        for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
            took = milliseconds(lambda at=place, by=order: model.sort(at, by), asked.rounds)
            print(f"  {f'sort by {column.title}, {order.name[:3]}':32} {took:8.1f}")
    for shown, text in FILTERS:
        took = milliseconds(lambda s=shown, t=text: rows.mask(shown=s, text=t), asked.rounds)
        mask = rows.mask(shown=shown, text=text)
        both = took + milliseconds(lambda m=mask: model.set_filter(m), asked.rounds)
        print(f"  {f'filter {shown} {text!r}':32} {both:8.1f}   {model.rowCount():,} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
