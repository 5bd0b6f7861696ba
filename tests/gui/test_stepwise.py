"""Encoding in steps gives what encoding at once gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.gui.models.stepwise import encode_in_steps, lay_out_in_steps
from bpe_studio.gui.models.token_layout import lay_out
from tests.gui.small_tables import small_tokenizer


def drained(steps: object) -> tuple[list[float], object]:
    shares = []
    while True:
        try:
            shares.append(next(steps))
        except StopIteration as end:
            return shares, end.value


@given(st.text("low est\n你é ", max_size=80), st.integers(1, 30))
def test_steps_change_nothing(text: str, size: int) -> None:
    tokenizer = small_tokenizer()
    shares, found = drained(encode_in_steps(tokenizer, text, size=size))
    expected = tokenizer.encode_with_offsets(text)
    assert found.ids.tolist() == expected.ids.tolist()
    assert found.offsets.tolist() == np.reshape(expected.offsets, (-1, 2)).tolist()
    assert shares == sorted(shares)
    assert not text or shares[-1] == 1.0


@pytest.mark.parametrize("text", ["", "low lowest 你\nnewest"])
def test_layouts_are_the_same(text: str) -> None:
    _, found = drained(lay_out_in_steps(small_tokenizer(), text))
    expected = lay_out(small_tokenizer(), text)
    assert found.ids.tolist() == expected.ids.tolist()
    assert found.positions.tolist() == expected.positions.tolist()
