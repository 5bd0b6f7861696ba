from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable, gpt2_byte_order
from bpe_studio.bpe.tokenizer import Tokenizer
from tests import oracle
from tests.bpe.merge_tables import any_piece, any_table, judged

BYTES = range(256)


def test_the_gpt2_byte_order() -> None:
    assert list(gpt2_byte_order()) == oracle.gpt2_order()


def test_token_bytes_follow_from_the_merges() -> None:
    table = MergeTable.build(byte_ids=BYTES, merges=[(97, 98, 256), (256, 256, 900)])
    assert table.token_bytes(900) == b"abab"
    assert table.find(b"abab") == 900
    assert table.find(b"aba") is None
    assert (900 in table, 257 in table, "x" in table) == (True, False, False)
    assert len(table) == 258
    assert table.ranks_of(900) == (1,)
    assert table.ranks_of(97) == ()
    assert table.rank_of_pair(97, 98) == 0
    assert table.rank_of_pair(98, 97) is None
    with pytest.raises(ValueError, match="no token with the id 257"):
        table.token_bytes(257)


def test_a_part_may_be_made_by_a_later_rank() -> None:
    table = MergeTable.build(byte_ids=BYTES, merges=[(256, 99, 257), (97, 98, 256)])
    assert table.token_bytes(257) == b"abc"


def test_a_token_may_have_several_merges() -> None:
    merges = [(97, 98, 256), (98, 99, 257), (256, 99, 258), (97, 257, 258)]
    table = MergeTable.build(byte_ids=BYTES, merges=merges)
    assert table.ranks_of(258) == (2, 3)
    assert len(table) == 259
    assert table.prefix(3).ranks_of(258) == (2,)
    assert len(table.prefix(3)) == 259


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"merges": [(97, 300, 256)]}, "Merge 0 uses the id 300, which nothing makes"),
        ({"merges": [(97, 98, 99)]}, "Merge 0 makes b'ab' under the id 99, which is b'c'"),
        ({"merges": [(97, 98, 2**31)]}, "outside"),
        ({"byte_ids": [0] * 256}, "Two tokens share the id 0"),
        ({"byte_ids": [1, 2]}, "256 byte ids, not 2"),
        ({"tokens": {-1: b"x"}}, "The id -1 is outside"),
        ({"char_ids": {"é": 5}}, "Two tokens share the id 5"),
    ],
)
def test_bad_tables_are_refused(arguments: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        MergeTable.build(**{"byte_ids": BYTES, **arguments})  # type: ignore[arg-type]


def test_symbols_of_a_chars_base() -> None:
    table = MergeTable.build(base="chars", byte_ids=BYTES, char_ids={"é": 256, "日": 257})
    assert table.symbols("aé日è".encode()) == (97, 256, 257, 0xC3, 0xA8)
    assert table.symbols("é".encode()[:1] + "日".encode()) == (0xC3, 257)


def test_tables_are_immutable_and_take_a_copy_nowhere_writable() -> None:
    table = MergeTable.build(byte_ids=BYTES, merges=[(97, 98, 256)])
    for array in (table.merges, table.ids, table.byte_ids, table.token_data):
        with pytest.raises(ValueError, match="read-only"):
            array[:1] = 0


def test_prefix() -> None:
    table = MergeTable.build(byte_ids=BYTES, merges=[(97, 98, 256), (256, 99, 257)])
    prefix = table.prefix(1)
    assert prefix.merges.tolist() == [[97, 98, 256]]
    assert prefix.ids.tolist() == [*range(257)]
    assert np.array_equal(table.prefix(2).ids, table.ids)
    with pytest.raises(ValueError, match="has 2 merges, not 3"):
        table.prefix(3)


@given(any_table(), st.data())
def test_prefix_has_what_the_first_merges_make(table: MergeTable, data: st.DataObject) -> None:
    merges = data.draw(st.integers(0, len(table.merges)))
    rows = table.merges.tolist()
    never_made = set(table.ids.tolist()) - {new for _, _, new in rows}
    there = never_made | {new for _, _, new in rows[:merges]}
    prefix = table.prefix(merges)
    assert prefix.ids.tolist() == sorted(there)
    assert prefix.token_list == [table.token_bytes(token) for token in sorted(there)]
    fit = [row for row in rows[:merges] if row[0] in there and row[1] in there]
    assert prefix.merges.tolist() == fit
    for rank, row in enumerate(rows[:merges]):
        if row in fit and rows.index(row) == rank:  # the first of equal merges
            assert prefix.rank_of_pair(*row[:2]) == rank in prefix.ranks_of(row[2])
            assert prefix.merge_of(rank) == tuple(row)
    made = [new for _, _, new in rows]
    assert table.made_at.tolist() == [
        0 if token in never_made else made.index(token) + 1 for token in table.ids.tolist()
    ]


@given(any_table(), any_piece(), st.data())
def test_prefix_encodes_with_the_first_merges_alone(
    table: MergeTable, piece: str, data: st.DataObject
) -> None:
    """Also where a part is made by a later merge, and its place is taken by no other token."""
    merges = data.draw(st.integers(0, len(table.merges)))
    tokenizer = Tokenizer(table=table, pattern=PRESETS["classic"]).prefix(merges)
    rows = [(left, right, new) for left, right, new in table.merges[:merges].tolist()]
    assert tokenizer.encode_piece(piece.encode()) == judged(piece, rows)


def test_prefix_keeps_the_ranks_of_the_whole_table() -> None:
    """Here merge 0 waits for merge 3, and so is left out of what is smaller."""
    merges = [(256, 99, 257), (97, 98, 258), (258, 258, 259), (98, 98, 256)]
    table = MergeTable.build(byte_ids=BYTES, merges=merges)
    for prefix in (table.prefix(3), pickle.loads(pickle.dumps(table.prefix(3)))):
        assert prefix.merges.tolist() == [[97, 98, 258], [258, 258, 259]]
        assert prefix.ranks_of(259) == (2,) and prefix.merge_of(2) == (258, 258, 259)
        assert prefix.merge_ranks[97, 98] == (1, 258)
        assert prefix.prefix(1).ranks_of(258) == (1,)
        assert prefix.prefix(1).cut_from.table is prefix.cut_from.table
    alone = table.prefix(3).alone()
    assert alone.cut_from is None and alone.ranks_of(259) == (1,)
    assert alone.merges.tolist() == table.prefix(3).merges.tolist()
    assert table.alone() is table


def test_prefix_keeps_base_symbols_that_a_merge_makes_too() -> None:
    made = [(0xC3, 0xA9, 300), (97, 300, 301)]
    table = MergeTable.build(base="chars", byte_ids=BYTES, char_ids={"é": 300}, merges=made)
    assert table.prefix(0).ids.tolist() == [*range(256), 300]
    assert table.prefix(1).merges.tolist() == [[0xC3, 0xA9, 300]]
