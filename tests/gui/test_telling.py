"""One span, told from one trace."""

from __future__ import annotations

import pytest

from bpe_studio.analysis import merging
from bpe_studio.analysis.explain import explain, why_not_one_token
from bpe_studio.analysis.letters import grid
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.tracer import Tracer
from bpe_studio.gui.models.telling import tell_span
from tests.gui.small_tables import small_tokenizer


def test_a_long_piece_is_traced_once_for_all_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer, text = small_tokenizer(), "lowestnewer" * 40
    expected = (
        why_not_one_token(tokenizer, text, 200, 205),
        explain(tokenizer, text, start=200, end=205).pieces,
        grid(tokenizer, text, 200, 205),
    )
    traced: list[bytes] = []
    trace = Tracer.trace

    def counted(self: Tracer, data: bytes, ends: object) -> object:
        traced.append(data)
        return trace(self, data, ends)

    monkeypatch.setattr(Tracer, "trace", counted)
    monkeypatch.setattr(merging, "LONG_PIECE", 100)
    told = result_of(tell_span(tokenizer, text, 200, 205))
    assert traced.count(text.encode()) == 1
    assert (told.reason, told.pieces, told.grid) == expected
