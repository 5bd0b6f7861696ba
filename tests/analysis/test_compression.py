"""The curve against encoding the corpus again with every prefix of the table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio import api
from bpe_studio.analysis.compression import (
    curve,
    curve_of,
    held_out_curve,
    last_disorder,
    merges_of_size,
    text_curve,
    vocab_sizes,
)
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.traced_text import trace_text
from tests import oracle
from tests.analysis.tables import make_pair
from tests.bpe.merge_tables import any_piece, any_table, are_ordered
from tests.bpe.test_trainer import trained

TEXT = "low low lower lowest\nnewer newest wider widest aaa aaaa éa éa 日本 日本語\n" * 3


@pytest.mark.parametrize("base", ["bytes", "chars"])
def test_exact_at_every_size(tmp_path: Path, base: str) -> None:
    file = tmp_path / "corpus.txt"
    file.write_text(TEXT, encoding="utf-8")
    tokenizer = api.train([file], vocab_size=320, base=base)
    found = curve(tokenizer)
    assert found is not None and len(found) == len(tokenizer.merges) + 1 > 20
    for merges in range(len(found)):
        smaller = tokenizer.prefix(merges)
        assert found.tokens[merges] == len(smaller.encode(TEXT))
        assert found.vocab_sizes[merges] == smaller.vocab_size
    assert (found.characters, found.bytes) == (len(TEXT), len(TEXT.encode()))
    assert found.characters_per_token[-1] == len(TEXT) / found.tokens[-1]
    assert found.bytes_per_token[-1] == len(TEXT.encode()) / found.tokens[-1]


def test_no_training_no_curve() -> None:
    tokenizer = make_pair([(97, 97, 256)]).tokenizer
    assert curve(tokenizer) is None
    assert held_out_curve(tokenizer) is None


def test_what_was_held_out_has_a_curve_of_its_own() -> None:
    documents = [f"low lower éa {n} newest\n" for n in range(40)]
    tokenizer = trained(documents, vocab_size=290, hold_out=0.3)
    held = [text for text in documents if oracle.is_held_out(text, 0.3)]
    found = held_out_curve(tokenizer)
    assert found is not None and held
    assert (found.characters, found.exact_from) == (sum(map(len, held)), 0)
    for merges in range(len(found)):
        smaller = tokenizer.prefix(merges)
        assert found.tokens[merges] == sum(len(smaller.encode(text)) for text in held)
        assert found.vocab_sizes[merges] == smaller.vocab_size
    assert held_out_curve(trained(documents[:1], vocab_size=270)) is None
    assert held_out_curve(trained(documents[:1], vocab_size=270, hold_out=1e-9)) is None


def test_the_curve_of_a_text() -> None:
    tokenizer = trained(["low lower newest é"], vocab_size=270, min_freq=1)
    text = "lowest é <bos>"
    found = text_curve(trace_text(tokenizer, text), text)
    assert (found.characters, found.bytes) == (len(text), len(text.encode()))
    for merges in range(len(found)):
        smaller = tokenizer.prefix(merges)
        assert found.tokens[merges] == len(smaller.encode(text))
        assert found.vocab_sizes[merges] == smaller.vocab_size


@given(table=any_table(), pieces=st.lists(any_piece(), max_size=4))
def test_exact_where_all_that_later_merges_make_is_there(
    table: MergeTable, pieces: list[str]
) -> None:
    whole = Tokenizer(table=table, pattern=PRESETS["classic"])
    merges = len(table.merges)
    exact_from = last_disorder(table)
    assert (exact_from == 0) == are_ordered(table.merges.tolist())
    applied = np.zeros(merges, dtype=np.int64)
    symbols = 0
    for piece in pieces:
        trace = whole.trace_pieces([piece.encode()])
        applied += np.bincount(trace.joins[:, 0], minlength=merges)
        symbols += len(trace.symbols)
    found = curve_of(applied, base_symbols=symbols, characters=0, bytes=0, smallest=0)
    for kept in range(exact_from, merges + 1):
        smaller = whole.prefix(kept)
        assert found.tokens[kept] == sum(len(smaller.encode_piece(p.encode())) for p in pieces)


def test_an_empty_corpus_has_no_ratio() -> None:
    empty = curve_of(np.zeros(0, np.int64), base_symbols=0, characters=0, bytes=0, smallest=262)
    assert empty.vocab_sizes.tolist() == [262]
    assert np.isnan(empty.characters_per_token).all()


def test_a_token_made_by_two_merges_counts_once() -> None:
    found = curve_of(
        np.array([5, 3, 2]),
        base_symbols=20,
        characters=20,
        bytes=20,
        smallest=256,
        is_new=np.array([1, 0, 1]),
    )
    assert found.vocab_sizes.tolist() == [256, 257, 257, 258]
    assert found.tokens.tolist() == [20, 15, 12, 10]


@given(any_table())
def test_vocab_sizes_are_those_of_the_prefixes(table: MergeTable) -> None:
    tokenizer = Tokenizer(table=table, pattern=PRESETS["classic"], special_ids={"<a>": 5_000})
    prefixes = [tokenizer.prefix(merges) for merges in range(len(table.merges) + 1)]
    assert vocab_sizes(tokenizer).tolist() == [prefix.vocab_size for prefix in prefixes]


def test_the_merges_of_a_size() -> None:
    """The second merge makes a token again: of one size, the most merges are meant."""
    tokenizer = make_pair([(97, 97, 256), (256, 97, 257), (97, 256, 257)]).tokenizer
    smallest = tokenizer.vocab_size - 2
    found = [merges_of_size(tokenizer, smallest + more) for more in range(3)]
    assert found == [0, 1, 3]
    for wrong in (smallest - 1, smallest + 3):
        told = f"{smallest:,} to {smallest + 2:,} tokens, not of {wrong:,}"
        with pytest.raises(ValueError, match=told):
            merges_of_size(tokenizer, wrong)
    with pytest.raises(ValueError, match="no merges"):
        merges_of_size(make_pair([]).tokenizer, 256)
