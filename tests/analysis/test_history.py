"""Why a token is there: against plain searches through the table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.history import History, find_all, history
from bpe_studio.formats import find_table, load
from tests import oracle_analysis as oracle
from tests.analysis.tables import make_pair, pairs, worked


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_every_token_against_a_search(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    tokens = pair.plain.tokens()
    for token in [new for _, _, new in pair.plain.merges] + [97, *pair.plain.extra]:
        told = history(pair.tokenizer, token)
        rows = list(enumerate(pair.plain.merges))
        assert [m.rank for m in told.makings] == [r for r, row in rows if row[2] == token]
        uses = [r for r, row in rows if token in row[:2]]
        assert [m.rank for m in told.next_makings] == uses and told.next_total == len(uses)
        raw = tokens[token]
        longer = [(len(d), i) for i, d in tokens.items() if raw in d and len(d) > len(raw)]
        assert list(told.longer) == [i for _, i in sorted(longer)][:20]
        assert told.longer_total == len(longer) and told.data == raw
        _check_ancestry(pair.plain, told)


def _check_ancestry(table: oracle.PlainTable, told: History) -> None:
    """The joins that happen alone where these end in the token, else a way that is possible."""
    token, ranks = told.token, [made.rank for made in told.ancestry]
    alone = oracle.merged(table, told.data)
    assert told.made_alone == ([t for _, _, t in alone] == [token])
    if told.made_alone:
        assert ranks == list(dict.fromkeys(s.rank for s in oracle.steps(table, told.data)))
    elif table.can_build(token):
        lowest = next(k for k in range(len(table.merges) + 1) if _can_build(table, token, k))
        assert max(ranks) == lowest - 1
    if table.can_build(token):
        made = set(table.base)
        for rank in ranks:
            left, right, new = table.merges[rank]
            assert left in made and right in made  # no part is made by a later step
            made.add(new)
        assert token in made
    elif ranks:
        assert table.merges[ranks[-1]][2] == token
    if ranks:
        used = {part for rank in ranks for part in table.merges[rank][:2]} | {token}
        assert {table.merges[rank][2] for rank in ranks} <= used  # none that leads elsewhere


def _can_build(table: oracle.PlainTable, token: int, merges: int) -> bool:
    """Whether the first merges can make a token, in any order."""
    return token in replace(table, merges=table.merges[:merges]).built


def test_a_part_that_comes_later_is_not_told() -> None:
    """`the` by t + he would be rank 0, but `he` is there only after rank 2."""
    pair = make_pair([(116, 256, 300), (116, 104, 257), (104, 101, 256), (257, 101, 300)])
    told = history(pair.tokenizer, 300)
    assert [made.rank for made in told.ancestry] == [1, 3] and told.made_alone
    assert [made.rank for made in told.makings] == [0, 3]
    never = make_pair([(98, 99, 256), (97, 98, 257), (257, 99, 258)])
    told = history(never.tokenizer, 258)
    assert [made.rank for made in told.ancestry] == [1, 2] and not told.made_alone


def test_what_training_counted() -> None:
    tokenizer = load(find_table("worked-example"))
    assert tokenizer.training is not None
    token = tokenizer.encode(" low")[0]
    told = history(tokenizer, token)
    rank = told.makings[0].rank
    assert told.makings[0].count == int(tokenizer.training.counts[rank]) > 0
    assert told.makings[0].applied == int(tokenizer.training.applied[rank])
    assert [tokenizer.token_bytes(m.id) for m in told.ancestry] == [b"lo", b"low", b" low"]


def test_specials_and_base_symbols() -> None:
    special = history(make_pair([], specials={"<a>": 900}).tokenizer, 900)
    assert special.special and special.data == b"<a>" and special.ancestry == ()
    base = history(worked().tokenizer, 108)
    assert base.base and base.makings == () and [m.id for m in base.next_makings] == [256]
    with pytest.raises(ValueError, match="no token with the id 999"):
        history(worked().tokenizer, 999)


@given(st.binary(max_size=300), st.binary(min_size=1, max_size=3))
def test_find_all(data: bytes, wanted: bytes) -> None:
    data = bytes(b % 3 for b in data)
    wanted = bytes(b % 3 for b in wanted)
    found = find_all(np.frombuffer(data, dtype=np.uint8), wanted).tolist()
    assert found == [n for n in range(len(data)) if data.startswith(wanted, n)]
