"""What a model has of every size, against the plain sums at some sizes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.compression import Curve
from bpe_studio.analysis.sizing import (
    Measured,
    ModelShape,
    attention_work,
    measured,
    sizing,
    spaced_sizes,
)
from bpe_studio.bpe.tokenizer import Tokenizer
from tests import oracle
from tests.bpe.test_trainer import trained

DOCUMENTS = [f"low lower {n} newest the then lowest\n" * (1 + n % 3) for n in range(60)]


def known(tokenizer: Tokenizer, text: Curve | None = None) -> Measured:
    found = measured(tokenizer, text)
    assert found is not None
    return found


def work_of(tokens: int, context: int) -> int:
    """Every window by itself."""
    return sum(min(context, tokens - begin) ** 2 for begin in range(0, tokens, context))


def test_every_column_at_every_size() -> None:
    tokenizer = trained(DOCUMENTS, vocab_size=300, hold_out=0.3)
    held = [text for text in DOCUMENTS if oracle.is_held_out(text, 0.3)]
    found = sizing(known(tokenizer), ModelShape(width=64, tied=True, context=40), current=20)
    assert (found.measured.source, found.measured.documents) == ("held-out", len(held))
    for merges in range(0, len(tokenizer.merges) + 1, 5):
        smaller = tokenizer.prefix(merges)
        tokens = sum(len(smaller.encode(text)) for text in held) / len(held)
        assert found.embedding_parameters[merges] == smaller.vocab_size * 64
        assert found.tokens_per_document[merges] == tokens
        assert found.documents_in_context[merges] == 40 / tokens
    assert found.attention_work[20] == 1
    assert (np.diff(found.attention_work) <= 0).all()
    untied = sizing(known(tokenizer), ModelShape(width=64))
    assert (untied.embedding_parameters == 2 * found.embedding_parameters).all()
    assert untied.attention_work[-1] == 1
    assert sizing(known(tokenizer), ModelShape(), current=10**9).current == len(tokenizer.merges)


@given(tokens=st.integers(0, 500), context=st.integers(1, 90))
def test_attention_is_within_windows(tokens: int, context: int) -> None:
    assert attention_work(np.array([float(tokens)]), context)[0] == work_of(tokens, context)


def test_what_is_measured_on() -> None:
    text = Curve(np.arange(5), np.array([9, 8, 7, 6, 5]), characters=9, bytes=9)
    tokenizer = trained(DOCUMENTS, vocab_size=290)
    assert known(tokenizer, text).source == "training"
    assert known(tokenizer).documents == 60
    bare = Tokenizer(table=tokenizer.table, pattern=tokenizer.pattern)
    assert measured(bare) is None
    assert (known(bare, text).source, known(bare, text).documents) == ("text", 1)
    nothing = trained(DOCUMENTS[:1], vocab_size=290, hold_out=1e-9)
    assert known(nothing).source == "training"


def test_a_text_of_nothing_has_no_ratio() -> None:
    empty = Curve(np.array([262]), np.array([0]), characters=0, bytes=0)
    found = sizing(Measured("text", empty, 1), ModelShape())
    assert np.isnan(found.attention_work).all() and np.isnan(found.documents_in_context).all()


@pytest.mark.parametrize("shape", [{"width": 0}, {"context": -1}])
def test_no_model(shape: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="is at least 1, not"):
        ModelShape(**shape)  # type: ignore[arg-type]


def test_sizes_are_round_and_spaced() -> None:
    sizes = np.arange(262, 128_001)
    chosen = [int(sizes[place]) for place in spaced_sizes(sizes)]
    assert chosen[0] == 262 and chosen[-1] == 128_000
    assert {4000, 8000, 40_000} <= set(chosen) and 9 <= len(chosen) <= 13
    assert spaced_sizes(np.array([262])) == [0]
    assert spaced_sizes(np.arange(262, 266)) == [0, 1, 2, 3]
    assert len(spaced_sizes(np.arange(262, 300))) >= 6
    twice = np.array([256, 257, 257, 258])  # of merges that make no new token, all are taken
    assert spaced_sizes(twice) == [0, 2, 3]
