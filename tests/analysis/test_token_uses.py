"""Uses of tokens at every size, against encoding with every prefix of a table and counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.compression import last_disorder
from bpe_studio.analysis.token_uses import rare_tokens, uses_in_trace, uses_in_training
from bpe_studio.bpe.patterns import PRESETS, resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.traced_text import trace_text
from tests import texts
from tests.bpe.merge_tables import any_piece, any_table
from tests.bpe.test_trainer import trained


def rare_by_encoding(tokenizer: Tokenizer, merges: int, texts: Iterable[str], below: int) -> int:
    """Encode with the first merges, count, and look at each token that these make."""
    smaller = tokenizer.prefix(merges)
    used = Counter(token for text in texts for token in smaller.encode(text))
    base = {*tokenizer.table.byte_ids.tolist(), *tokenizer.table.char_ids.values()}
    learned = {new for _, _, new in tokenizer.merges[:merges]} - base
    return sum(used[token] < below for token in learned)


@given(
    documents=texts.documents,
    base=st.sampled_from(["bytes", "chars"]),
    below=st.sampled_from([1, 2, 5]),
)
def test_rare_in_training(documents: list[str], base: str, below: int) -> None:
    if not any(documents):
        return
    tokenizer = trained(documents, vocab_size=420, base=base, min_freq=1)
    uses = uses_in_training(tokenizer)
    assert uses is not None
    found = rare_tokens(uses, below)
    assert len(found) == len(tokenizer.merges) + 1
    for merges in range(0, len(found), max(1, len(found) // 6)):
        assert found[merges] == rare_by_encoding(tokenizer, merges, documents, below)


@given(
    table=any_table(),
    text=st.lists(any_piece(), max_size=4).map(" ".join),
    pattern=st.sampled_from(["classic", "(?s).{1,3}", "(?s)a+|[^a]{1,2}"]),
    engine=st.sampled_from(["merges", "whole-piece-first"]),
    below=st.sampled_from([1, 2, 3]),
)
def test_rare_in_a_text_whatever_the_table(
    table: MergeTable, text: str, pattern: str, engine: str, below: int
) -> None:
    tokenizer = Tokenizer(table=table, pattern=resolve_pattern(pattern), engine=engine)
    if (table.byte_ids < 0).any():
        text = text.replace(" ", "")
    found = rare_tokens(uses_in_trace(trace_text(tokenizer, text).trace), below)
    for merges in range(len(found)):
        assert found[merges] == rare_by_encoding(tokenizer, merges, [text], below)


def test_without_a_training_record() -> None:
    table = MergeTable.build(byte_ids=range(256), merges=[(97, 98, 256)])
    assert uses_in_training(Tokenizer(table=table, pattern=PRESETS["classic"])) is None


def test_a_token_is_rare_again_when_a_later_one_has_taken_it() -> None:
    tokenizer = trained(["abc " * 9 + "ab "], vocab_size=300)
    assert [tokenizer.token_bytes(new) for _, _, new in tokenizer.merges[:3]] == [
        b"ab", b"abc", b" abc"
    ]  # fmt: skip
    uses = uses_in_training(tokenizer)
    assert uses is not None
    assert rare_tokens(uses, 2).tolist()[:4] == [0, 0, 1, 2]
    assert last_disorder(tokenizer.table) == 0
    assert rare_tokens(uses, 0).tolist() == [0] * (len(tokenizer.merges) + 1)


@pytest.mark.parametrize("below", [1, 9])
def test_no_merges(below: int) -> None:
    tokenizer = trained(["ab"], vocab_size=262)
    uses = uses_in_training(tokenizer)
    assert uses is not None
    np.testing.assert_array_equal(rare_tokens(uses, below), [0])
