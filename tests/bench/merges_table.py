"""How long the merges table sorts and filters.

python -m tests.bench.merges_table [ROWS, 200,000 by default]
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

import numpy as np

from bpe_studio.analysis.merge_rows import COLUMNS, MergeRows
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer

LONGEST = 24
NEW_PARTS = 20_000  # later merges take their parts from the first ones
QUERIES = ("e", "th", "zzz", "rank:100-200000", "count:<5 a", "bytes:>8 e", "")


def big_table(merges: int) -> Tokenizer:
    """A table of random merges, none longer than LONGEST bytes."""
    rng = np.random.default_rng(0)
    rows = np.empty((merges, 3), dtype=np.int32)
    data = [bytes([i]) for i in range(256)]
    for rank in range(merges):
        left, right = (int(n) for n in rng.integers(0, 256 + min(rank, NEW_PARTS), 2))
        if len(data[left]) + len(data[right]) > LONGEST:
            left, right = left % 256, right % 256
        rows[rank] = left, right, 256 + rank
        data.append(data[left] + data[right])
    offsets = np.concatenate(([0], np.cumsum([len(d) for d in data]))).astype(np.int64)
    table = MergeTable(
        base="bytes",
        byte_ids=np.arange(256, dtype=np.int32),
        char_ids={},
        merges=rows,
        token_ids=np.arange(256 + merges, dtype=np.int32),
        token_data=np.frombuffer(b"".join(data), dtype=np.uint8),
        token_offsets=offsets,
    )
    return Tokenizer(table=table, pattern=PRESETS["classic"])


def milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def main() -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication, QTableView

    from bpe_studio.gui.models.merges_model import MergesModel

    app, rows = QApplication([]), int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    model, view = MergesModel(), QTableView()
    model.set_rows(MergeRows(big_table(rows)))
    view.setModel(model)
    view.show()
    view.selectRow(100)
    app.processEvents()
    print(f"{rows:,} rows, with a view and a selected row; milliseconds")
    down = Qt.SortOrder.DescendingOrder
    for place, name in enumerate(COLUMNS):
        print(f"  sort by {name:22} {milliseconds(lambda at=place: model.sort(at, down)):8.1f}")
    for query in QUERIES:
        took = milliseconds(lambda text=query: model.set_filter(text))
        print(f"  filter {query!r:23} {took:8.1f}   {model.rowCount():,} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
