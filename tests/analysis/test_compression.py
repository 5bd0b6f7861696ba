"""The curve against encoding the corpus again with every prefix of the table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bpe_studio import api
from bpe_studio.analysis.compression import curve, curve_of
from tests.analysis.tables import make_pair

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
    assert curve(make_pair([(97, 97, 256)]).tokenizer) is None


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
