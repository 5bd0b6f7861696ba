"""Ranks, parts and the first k tokens of two tables against plain Python; uses by row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.compare import compare_tables
from bpe_studio.analysis.corpus_comparison import CorpusComparison, TableFigures
from bpe_studio.analysis.table_uses import uses_by_row
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.analysis.tables import make_pair, pairs, worked
from tests.oracle_analysis import PlainTable


def _first_merges(plain: PlainTable) -> dict[bytes, tuple[int, bytes, bytes]]:
    """Bytes to the lowest rank that makes them, and the parts."""
    tokens = plain.tokens()
    found: dict[bytes, tuple[int, bytes, bytes]] = {}
    for rank, (left, right, new) in enumerate(plain.merges):
        found.setdefault(tokens[new], (rank, tokens[left], tokens[right]))
    return found


def _parts_of(plain: PlainTable, token: bytes) -> set[tuple[bytes, bytes]]:
    """The parts of all merges that make some bytes."""
    data = plain.tokens()
    return {(data[left], data[right]) for left, right, new in plain.merges if data[new] == token}


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_merges_of_both(data: st.DataObject) -> None:
    a, b = data.draw(pairs()), data.draw(pairs())
    found = compare_tables(a.tokenizer, b.tokenizer)
    made_a, made_b = _first_merges(a.plain), _first_merges(b.plain)
    other = 0
    for row, token in enumerate(found.data.tolist()):
        assert token == found.token(row)
        one, two = made_a.get(token), made_b.get(token)
        assert found.parts_a(row) == (one and one[1:])
        assert found.parts_b(row) == (two and two[1:])
        is_other = (
            one is not None
            and two is not None
            and not _parts_of(a.plain, token) & _parts_of(b.plain, token)
        )
        assert found.other_merge[row] == is_other
        other += is_other
    assert found.other_merge.sum() == other
    assert not (found.other_merge & found.shares_merge).any()
    in_order = sorted(range(len(found)), key=lambda row: found.data[row])
    assert found.places[in_order].tolist() == list(range(len(found)))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_the_first_k_of_both(data: st.DataObject) -> None:
    a, b = data.draw(pairs()), data.draw(pairs())
    curve = compare_tables(a.tokenizer, b.tokenizer).overlap()
    in_order = [
        sorted(made, key=made.__getitem__) for made in map(_first_merges, (a.plain, b.plain))
    ]
    length = min(map(len, in_order))
    assert len(curve) == length and curve.k.tolist() == list(range(1, length + 1))
    for k, shared, share in zip(curve.k, curve.shared, curve.overlap, strict=True):
        expected = len(set(in_order[0][:k]) & set(in_order[1][:k]))
        assert shared == expected and share == expected / k


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_rank_correlation(data: st.DataObject) -> None:
    a, b = data.draw(pairs()), data.draw(pairs())
    made_a, made_b = _first_merges(a.plain), _first_merges(b.plain)
    both = sorted(made_a.keys() & made_b.keys(), key=made_a.__getitem__)
    found = compare_tables(a.tokenizer, b.tokenizer).rank_correlation
    if len(both) < 2:
        assert np.isnan(found)
        return
    place = {token: n for n, token in enumerate(sorted(both, key=made_b.__getitem__))}
    squares = sum((n - place[token]) ** 2 for n, token in enumerate(both))
    assert found == pytest.approx(1 - 6 * squares / (len(both) * (len(both) ** 2 - 1)))


def _figures(tokenizer: Tokenizer, uses: dict[int, int]) -> TableFigures:
    ids = tokenizer.table.ids
    none = np.zeros(0, dtype=np.int64)
    final = np.array([uses.get(number, 0) for number in ids.tolist()], dtype=np.int64)
    return TableFigures(len(ids), ids, final, int(final.sum()), none, none, 0, 0)


def _corpus(*tables: TableFigures) -> CorpusComparison:
    none = np.zeros(0, dtype=np.int64)
    return CorpusComparison(tables, None, 0, 0, 0, (), none, none, none, (), none, 0, 0, 0)


def test_uses_by_row() -> None:
    a = worked().tokenizer
    b = make_pair([(108, 111, 256)], extra={400: b"er", 401: b"lo", 402: b"er"}).tokenizer
    found = compare_tables(a, b)
    uses = uses_by_row(
        found, _corpus(_figures(a, {97: 3, 257: 5}), _figures(b, {256: 2, 400: 4, 401: 1, 402: 6}))
    )
    rows = {token: row for row, token in enumerate(found.data.tolist())}
    columns = [{token: int(column[row]) for token, row in rows.items()} for column in uses]
    told = {t: (columns[0][t], columns[1][t]) for t in (b"a", b"b", b"low", b"lo", b"er")}
    # Tokens with the same bytes count together: "lo" is there twice in B, and so is "er".
    assert told == {b"a": (3, 0), b"b": (0, 0), b"low": (5, -1), b"lo": (0, 3), b"er": (-1, 10)}
    assert uses[0].dtype == uses[1].dtype == np.int64


def test_copies_are_told() -> None:
    a = make_pair([(97, 98, 256)], extra={300: b"ab"}).tokenizer
    b = make_pair([(97, 98, 256)]).tokenizer
    found = compare_tables(a, b)
    assert (found.a.duplicates, found.b.duplicates) == (1, 0)
    assert found.jaccard == 1 and found.first_difference is None
    assert not found.same and not found.same_but_ids
    moved = make_pair([(97, 98, 256)], extra={301: b"ab"}).tokenizer
    found = compare_tables(a, moved)
    assert found.same_but_ids and not found.same and found.ids_moved == 0


def test_of_two_copies_the_base_symbol_is_told() -> None:
    table = MergeTable.build(byte_ids=range(100, 356), tokens={5: b"a", 6: b"zz", 7: b"zz"})
    a = Tokenizer(table, worked().tokenizer.pattern)
    found = compare_tables(a, worked().tokenizer)
    ids = {token: int(found.id_a[row]) for row, token in enumerate(found.data.tolist())}
    assert (ids[b"a"], ids[b"zz"]) == (197, 6) == (table.find(b"a"), table.find(b"zz"))


def test_which_of_two_copies_a_merge_uses() -> None:
    tokens = {300: b"ab", 301: b"ab"}
    a, b = (
        Tokenizer(
            MergeTable.build(byte_ids=range(256), merges=[(part, 99, 400)], tokens=tokens),
            worked().tokenizer.pattern,
        )
        for part in (300, 301)
    )
    found = compare_tables(a, b)
    assert found.first_difference is None and found.same_but_ids and not found.same
    assert compare_tables(a, replace(a)).same


def test_a_table_that_was_cut_keeps_its_ranks() -> None:
    # "ab" is made by a merge that comes after the one that needs it.
    whole = make_pair([(300, 99, 301), (120, 121, 302), (97, 98, 300)]).tokenizer
    cut = whole.prefix(2)
    assert cut.table.ranks_at(np.arange(1)).tolist() == [1]
    found = compare_tables(whole, cut)
    assert found.rank_b[found.data == b"xy"].tolist() == [1] and found.ranks_moved == 0
    first = found.first_difference
    assert first is not None and (first.rank, first.a, first.b) == (0, (b"ab", b"c"), None)


def test_one_of_several_merges_is_enough() -> None:
    a = make_pair([(97, 98, 256), (98, 99, 257), (256, 99, 258), (97, 257, 258)]).tokenizer
    b = make_pair([(98, 99, 256), (97, 256, 257)]).tokenizer
    found = compare_tables(a, b)
    row = found.data.tolist().index(b"abc")
    assert found.parts_a(row) == (b"ab", b"c") and found.parts_b(row) == (b"a", b"bc")
    assert not found.other_merge.any()
    other = compare_tables(make_pair([(97, 98, 256), (256, 99, 257)]).tokenizer, b)
    assert other.data[other.other_merge].tolist() == [b"abc"]
