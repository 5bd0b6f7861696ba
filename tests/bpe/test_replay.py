"""Merges replayed on counted pieces, against joining one pair at a time."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.corpus import Block
from bpe_studio.bpe.counting import count_words
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.replay import Replay, replay
from bpe_studio.bpe.table import MergeTable, MissingByteError
from bpe_studio.bpe.words import WordCounts
from tests import oracle, texts
from tests.bpe.test_trainer import trained


def words_of(documents: list[str]) -> WordCounts:
    blocks = [Block(n, n, text.encode(), True, 0) for n, text in enumerate(documents)]
    *_, last = count_words(blocks, PRESETS["classic"])
    assert last.words is not None
    return last.words


def replayed(words: WordCounts, table: MergeTable) -> Replay:
    steps = replay(words, table)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Replay = end.value
            return found


@given(seen=texts.documents, unseen=texts.documents, base=st.sampled_from(["bytes", "chars"]))
def test_applied_as_the_oracle_joins(seen: list[str], unseen: list[str], base: str) -> None:
    if not any(seen):
        return
    table = trained(seen, vocab_size=400, min_freq=1, base=base).table
    found = replayed(words_of(unseen), table)
    rows, bytes_ = table.merges.tolist(), table.byte_ids.tolist()
    applied: Counter[int] = Counter()
    symbols = 0
    for document in unseen:
        for piece in oracle.split(PRESETS["classic"].expression, document):
            word = oracle.to_symbols(piece, bytes_, dict(table.char_ids))
            symbols += len(word)
            applied.update(oracle.join_all(word, rows))
    assert found.base_symbols == symbols
    assert found.applied.tolist() == [applied[rank] for rank in range(len(rows))]


def test_of_no_pieces() -> None:
    table = MergeTable.build(byte_ids=range(256), merges=[(97, 98, 256)])
    assert replayed(words_of([]), table).base_symbols == 0
    assert replayed(words_of([]), table).applied.tolist() == [0]


def test_a_byte_that_the_table_lacks() -> None:
    ids = [-1 if byte == 120 else byte for byte in range(256)]
    with pytest.raises(MissingByteError):
        replayed(words_of(["axb"]), MergeTable.build(byte_ids=ids))
