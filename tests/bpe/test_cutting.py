"""Cuts are those of Hugging Face's `Split`."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe import cutting
from bpe_studio.bpe.cutting import PatternTimeoutError, spans_of
from bpe_studio.bpe.text_rules import Behavior, Split

pre_tokenizers = pytest.importorskip("tokenizers.pre_tokenizers")
Regex = pytest.importorskip("tokenizers").Regex

texts = st.text("ab -é日", max_size=20)


@given(
    texts,
    st.sampled_from(["-", " ", "a+", "[^a]", "ab|-", " ?[ab]+", "é"]),
    st.sampled_from(get_args(Behavior)),
    st.booleans(),
)
def test_spans(text: str, expression: str, behavior: Behavior, invert: bool) -> None:
    theirs = pre_tokenizers.Split(Regex(expression), behavior.replace("-", "_"), invert)
    want = [span for _, span in theirs.pre_tokenize_str(text)]
    assert spans_of(Split(expression, behavior, invert), text) == want


def test_an_expression_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "TIMEOUT_SECONDS", 0.05)
    with pytest.raises(PatternTimeoutError, match=r"The expression \(a\+\)\+b .* is too slow"):
        spans_of(Split("(a+)+b"), "a" * 5000)
