"""The queue of pairs against a sorted list."""

from __future__ import annotations

import numpy as np
import pytest

from bpe_studio.kernels import queue


@pytest.mark.parametrize("counts", [3, 40, 10**6])
def test_gives_the_largest_count_then_the_least_tie(counts: int) -> None:
    rng = np.random.default_rng(counts)
    entries = np.zeros(6000, dtype=queue.ENTRY)
    sizes = np.zeros(2, dtype=np.int64)
    bound = np.zeros(1, dtype=queue.ENTRY)
    bound["count"] = np.iinfo(np.int64).max
    waiting: list[tuple[int, int]] = []
    tie = 0
    best = counts

    def put(most: int) -> None:
        nonlocal tie
        tie += 1
        count = int(rng.integers(1, most + 1))
        queue.put(entries, sizes, bound, count, tie * 7919 % 6007, tie)
        waiting.append((-count, tie * 7919 % 6007))

    for _ in range(5000):
        put(counts)
    while waiting:
        if sizes[0] == 0:
            queue.refill(entries, sizes, bound)
        assert sizes.sum() == len(waiting)
        top = entries[0]
        least = min(waiting)
        assert (-top["count"], top["tie"]) == least
        best = int(top["count"])
        waiting.remove(least)
        if tie < 5900 and rng.random() < 0.5:
            # Its count has fallen.
            count = int(rng.integers(1, best + 1))
            key = (-count, int(top["tie"]) + 6007)
            waiting.append(key)
            queue.replace_top(entries, sizes, bound, count, key[1])
        else:
            queue.drop_top(entries, sizes)
        if tie < 5900:
            put(best)
