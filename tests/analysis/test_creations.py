"""How often tokens were made, told from how often they are used, against plain merging."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.creations import iter_created
from bpe_studio.bpe.generators import result_of
from tests import oracle_analysis as oracle
from tests.analysis.tables import Pair, make_pair, marked_tokenizer, pairs, texts


def made(pair: Pair, final: Counter[int]) -> Counter[int]:
    ids = pair.tokenizer.table.ids.tolist()
    found = result_of(
        iter_created(pair.tokenizer, np.array([final[token] for token in ids], dtype=np.int64))
    )
    return Counter(dict(zip(ids, found.tolist(), strict=True)))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_equals_merging_every_piece(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    pieces = data.draw(
        st.dictionaries(texts(pair.alphabet).map(str.encode), st.integers(1, 10**9), max_size=6)
    )
    final, created = oracle.used(pair.plain, pieces)
    if pair.plain.whole_piece_first:
        created = Counter()
        for token, count in final.items():
            data_of = pair.plain.bytes_of(token)
            alone = [t for _, _, t in oracle.merged(pair.plain, data_of)] == [token]
            for each in [t for _, _, t in oracle.ever(pair.plain, data_of)] if alone else [token]:
                created[each] += count
    assert made(pair, final) == created


def test_what_no_merge_makes_counts_itself() -> None:
    pair = make_pair([(97, 98, 300)], engine="whole-piece-first", extra={400: b"cab"})
    assert made(pair, Counter({400: 3, 300: 2})) == Counter({400: 3, 300: 2, 97: 2, 98: 2})


def test_marked_vocabularies() -> None:
    tokenizer = marked_tokenizer()
    final = np.array([int(token == 13) for token in tokenizer.table.ids.tolist()], dtype=np.int64)
    created = result_of(iter_created(tokenizer, final))
    found = {t for t, n in zip(tokenizer.table.ids.tolist(), created.tolist(), strict=True) if n}
    assert found == {13, 10, 0, 1, 6}  # low</w>: lo, l, o, w</w>
