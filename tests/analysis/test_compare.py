"""Two tables by brute force."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.compare import FirstDifference, compare_tables, iter_compare_tables
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from tests import oracle_analysis as oracle
from tests.analysis.tables import Pair, make_pair, pairs
from tests.bench import compare_reference


@st.composite
def _variants(draw: st.DrawFn, pair: Pair) -> Pair:
    """The same tokens, of merges that begin as those of the pair do."""
    merges = list(pair.plain.merges)
    kept = draw(st.integers(0, len(merges)))
    rest = draw(st.permutations(merges[kept:]))[: draw(st.integers(0, len(merges)))]
    tokens, made = pair.plain.tokens(), {new for _, _, new in merges[:kept] + rest}
    chars = pair.tokenizer.table.char_ids
    symbols = {*range(256), *chars.values()}
    extra = {n: data for n, data in tokens.items() if n not in made and n not in symbols}
    return make_pair(merges[:kept] + rest, char_ids=chars, extra=extra)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_rows_by_brute_force(data: st.DataObject) -> None:
    a, b = data.draw(pairs()), data.draw(pairs())
    found = compare_tables(a.tokenizer, b.tokenizer)
    tokens_a, tokens_b = (set(p.plain.tokens().values()) for p in (a, b))
    rows = found.data.tolist()
    assert len(set(rows)) == len(rows) and set(rows) == tokens_a | tokens_b
    assert (found.shared, found.only_a, found.only_b) == (
        len(tokens_a & tokens_b), len(tokens_a - tokens_b), len(tokens_b - tokens_a),
    )  # fmt: skip
    assert found.jaccard == len(tokens_a & tokens_b) / len(tokens_a | tokens_b)
    known_a, known_b = _known(a.plain), _known(b.plain)
    for n, token in enumerate(rows):
        assert (found.id_a[n], found.rank_a[n]) == known_a.get(token, (-1, -1))
        assert (found.id_b[n], found.rank_b[n]) == known_b.get(token, (-1, -1))
        if found.has_shift[n]:
            assert found.shift[n] == found.rank_b[n] - found.rank_a[n]


def _known(plain: oracle.PlainTable) -> dict[bytes, tuple[int, int]]:
    """Bytes to the first id and the lowest rank."""
    found: dict[bytes, tuple[int, int]] = {}
    for token, data in plain.tokens().items():
        rank = next((r for r, m in enumerate(plain.merges) if m[2] == token), -1)
        found.setdefault(data, (token, rank))
    return found


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_every_figure_equals_a_plain_computation(data: st.DataObject) -> None:
    """The one that also judges real tables: `python -m tests.bench.compare_reference`."""
    a = data.draw(pairs())
    b = data.draw(pairs() | _variants(a))
    plain = []
    for pair in (a, b):
        tokens = pair.plain.tokens()
        merges = [(tokens[left], tokens[right]) for left, right, _ in pair.plain.merges]
        plain.append(compare_reference.Plain(tokens, merges, set()))
    sizes = range(1, 8)
    expected = compare_reference.plain_figures(plain[0], plain[1], sizes)
    assert compare_reference.our_figures(a.tokenizer, b.tokenizer, sizes) == expected


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_table_with_itself(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    found = compare_tables(pair.tokenizer, pair.tokenizer)
    assert found.same and found.jaccard == 1 and found.first_difference is None
    assert found.ids_moved == found.ranks_moved == 0


def test_other_ids_are_the_only_difference() -> None:
    a = make_pair([(97, 98, 256), (256, 99, 257)], specials={"<a>": 900}).tokenizer
    moved = MergeTable.build(byte_ids=range(10, 266), merges=[(107, 108, 7), (7, 109, 3)])
    b = Tokenizer(table=moved, pattern=a.pattern, special_ids={"<b>": 900})
    found = compare_tables(a, b)
    assert found.first_difference is None and found.jaccard == 1
    assert not found.same and found.ids_moved == 258
    assert (found.specials_only_a, found.specials_only_b, found.specials_shared) == (
        ("<a>",), ("<b>",), (),
    )  # fmt: skip


def test_first_difference() -> None:
    a = make_pair([(97, 98, 256), (256, 99, 257), (120, 121, 258)]).tokenizer
    b = make_pair([(97, 98, 256), (120, 121, 257), (256, 99, 258)]).tokenizer
    found = compare_tables(a, b)
    assert found.first_difference == FirstDifference(1, (b"ab", b"c"), (b"x", b"y"))
    assert found.shift[found.data == b"abc"].tolist() == [1]
    assert found.ranks_moved == 2
    shorter = compare_tables(a, a.prefix(1))
    assert shorter.first_difference == FirstDifference(1, (b"ab", b"c"), None)
    assert shorter.only_a == 2


def test_arrays_and_progress() -> None:
    a = make_pair([(97, 98, 256)]).tokenizer
    steps = list(iter_compare_tables(a, a))
    assert len(steps) > 2 and not isinstance(steps[-1], int)
    assert steps[-1].id_a.dtype == steps[-1].rank_b.dtype == np.int64
