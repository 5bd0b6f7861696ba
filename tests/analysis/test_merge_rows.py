"""Columns of merges against plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.merge_rows import COLUMNS, Growing, MergeRows, gathered
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord


def tokenizer(pairs: list[tuple[int, int]]) -> Tokenizer:
    """A table from pairs of places among the tokens made so far; equal results are left out."""
    tokens = {i: bytes([i]) for i in range(256)}
    merges = []
    for left, right in pairs:
        left, right = left % len(tokens), right % len(tokens)
        made = tokens[left] + tokens[right]
        if made not in tokens.values() and len(made) <= 60:
            merges.append((left, right, len(tokens)))
            tokens[len(tokens)] = made
    counts = np.arange(len(merges), 0, -1, dtype=np.int64) // 2
    return Tokenizer(
        table=MergeTable.build(byte_ids=range(256), merges=merges),
        pattern=PRESETS["classic"],
        training=TrainingRecord(counts=counts, applied=np.maximum(counts - 1, 0)),
    )


PAIRS = st.lists(st.tuples(st.integers(0, 400), st.integers(90, 300)), max_size=60)


def column(made: Tokenizer, name: str) -> list[object]:
    """What a column holds, in plain Python."""
    rows = made.table.merges.tolist()
    assert made.training is not None
    return {
        "rank": list(range(len(rows))),
        "left": [made.token_bytes(row[0]) for row in rows],
        "right": [made.token_bytes(row[1]) for row in rows],
        "token": [made.token_bytes(row[2]) for row in rows],
        "id": [row[2] for row in rows],
        "count": made.training.counts.tolist(),
        "applied": made.training.applied.tolist(),
        "bytes": [len(made.token_bytes(row[2])) for row in rows],
    }[name]


@given(PAIRS, st.sampled_from(COLUMNS), st.booleans())
def test_the_order_is_that_of_a_stable_sort(
    pairs: list[tuple[int, int]], name: str, descending: bool
) -> None:
    made = tokenizer(pairs)
    values = column(made, name)
    expected = sorted(range(len(values)), key=values.__getitem__, reverse=descending)
    assert MergeRows(made).order(name, descending=descending).tolist() == expected


@given(PAIRS, st.integers(0, 60))
def test_rows_that_grow_are_those_of_the_table(pairs: list[tuple[int, int]], cut: int) -> None:
    made = tokenizer(pairs)
    cut = min(cut, len(made.table.merges))
    rows = MergeRows(_cut(made, cut))
    record = made.training
    assert record is not None
    for first in range(cut, len(made.table.merges), 7):
        part = slice(first, first + 7)
        rows.append(made.table.merges[part], record.counts[part], record.applied[part])
    assert len(rows) == len(made.table.merges)
    for row in range(len(rows)):
        assert rows.token(row) == column(made, "token")[row]
        assert rows.parts(row) == (column(made, "left")[row], column(made, "right")[row])
        assert [rows.value(row, name) for name in ("rank", "id", "count", "applied", "bytes")] == [
            column(made, name)[row] for name in ("rank", "id", "count", "applied", "bytes")
        ]


def _cut(made: Tokenizer, cut: int) -> Tokenizer:
    record = made.training
    assert record is not None
    return Tokenizer(
        table=made.table.prefix(cut),
        pattern=made.pattern,
        training=TrainingRecord(counts=record.counts[:cut], applied=record.applied[:cut]),
    )


def test_without_a_record_counts_are_unknown() -> None:
    made = tokenizer([(97, 98), (256, 99)])
    rows = MergeRows(Tokenizer(table=made.table, pattern=made.pattern))
    assert rows.value(0, "count") is None and rows.value(1, "bytes") == 3
    assert rows.rank_of(257) == 1 and rows.rank_of(97) is None


def test_an_empty_table() -> None:
    rows = MergeRows(tokenizer([]))
    assert len(rows) == 0
    assert [rows.order(name).tolist() for name in COLUMNS] == [[]] * len(COLUMNS)


def test_growing_keeps_what_was_there() -> None:
    column = Growing(np.int64)
    for first in range(0, 1000, 10):
        column.extend(np.arange(first, first + 10))
    assert column.values.tolist() == list(range(1000))


@pytest.mark.parametrize("sizes", [[], [0], [3], [2, 0, 1]])
def test_gathered(sizes: list[int]) -> None:
    data = np.arange(10, dtype=np.uint8)
    starts = np.array([4, 1, 7][: len(sizes)], dtype=np.int64)
    expected = [v for a, n in zip(starts.tolist(), sizes, strict=True) for v in range(a, a + n)]
    assert gathered(data, starts, np.array(sizes, dtype=np.int64)).tolist() == expected
