"""Pieces that come again are told as if each were told by itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis import explain as explaining
from bpe_studio.analysis.explain import explain
from bpe_studio.analysis.finding import find_parts
from bpe_studio.analysis.story import tell_piece, tell_special
from tests.analysis.tables import pairs, texts, worked


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_every_piece_is_told_where_it_is(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    words = [data.draw(texts(pair.alphabet)) for _ in range(3)]
    text = " ".join(data.draw(st.lists(st.sampled_from(words), max_size=8)))
    parts = find_parts(pair.tokenizer, text, 0, len(text), allowed_special="all")
    alone = [
        tell_special(part) if part.special is not None else tell_piece(pair.tokenizer, part)
        for part in parts
    ]
    assert list(explain(pair.tokenizer, text, allowed_special="all").pieces) == alone


def test_equal_pieces_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(
        explaining, "tell_piece", lambda *a, **k: seen.append(a[1].text) or tell_piece(*a, **k)
    )
    assert len(explain(worked().tokenizer, "low low low é low").pieces) == 5
    assert seen == ["low", " low", " é"]
