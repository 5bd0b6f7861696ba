"""The counts of a text's tokens are those of a plain count."""

from __future__ import annotations

from collections import Counter

import numpy as np

from bpe_studio.gui.models.frequency_rows import FrequencyRows, count_tokens
from tests.gui.small_tables import small_tokenizer
from tests.gui.test_stepwise import drained

TEXT = "low low lowest newer the you 你 low "


def made(text: str) -> FrequencyRows:
    tokenizer = small_tokenizer()
    return drained(count_tokens(tokenizer, np.array(tokenizer.encode(text), np.int32)))[1]


def test_tokens_are_counted() -> None:
    rows = made(TEXT)
    expected = Counter(small_tokenizer().encode(TEXT))
    assert dict(zip(rows.ids.tolist(), rows.counts.tolist(), strict=True)) == expected
    assert rows.counts.tolist() == sorted(expected.values(), reverse=True)
    assert rows.tokens == [small_tokenizer().token_bytes(i) for i in rows.ids.tolist()]
    assert rows.total == sum(expected.values())
    cells = [column.text(0) for column in rows.columns()]
    assert cells[1:3] == [str(rows.ids[0]), str(rows.counts[0])]
    assert cells[3] == f"{100 * rows.counts[0] / rows.total:.2f} %"
    assert rows.row_of(int(rows.ids[3])) == 3
    assert rows.row_of(9_999) == -1


def test_tokens_sort_by_their_bytes() -> None:
    rows = made(TEXT)
    places = rows.columns()[0].key()
    assert [rows.tokens[row] for row in np.argsort(places)] == sorted(rows.tokens)


def test_a_filter_looks_at_bytes_and_ids() -> None:
    rows = made(TEXT)
    assert rows.mask("") is None
    kept = [rows.tokens[row] for row in np.flatnonzero(rows.mask("␠lo"))]
    assert kept
    assert kept == [token for token in rows.tokens if b" lo" in token]
    number = int(rows.ids[2])
    assert rows.mask(str(number))[2]


def test_an_empty_text_has_no_tokens() -> None:
    assert len(made("")) == 0
