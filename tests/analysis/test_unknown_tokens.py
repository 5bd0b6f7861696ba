"""Tokens that stand for text which a table cannot spell."""

from __future__ import annotations

import numpy as np

from bpe_studio.analysis.unknown_tokens import unknown_ids
from tests.analysis.tables import make_pair, marked_tokenizer


def test_they_are_counted_where_a_table_has_one() -> None:
    marked = marked_tokenizer()
    ids = marked.encode_array("low xyz lower")
    assert unknown_ids(marked, ids) == np.count_nonzero(ids == 20) > 0
    assert unknown_ids(make_pair([]).tokenizer, np.array([20, 97])) == 0
