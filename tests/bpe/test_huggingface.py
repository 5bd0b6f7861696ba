"""The same ids as the `tokenizers` package, for merges in any order."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.bpe.merge_tables import BYTES, any_merges, any_piece, full_merges

tokenizers = pytest.importorskip("tokenizers")


def both(merges: list[tuple[int, int, int]], *, whole: bool) -> tuple[Tokenizer, Any]:
    """One table for each program; every text is one piece."""
    table = MergeTable.build(byte_ids=BYTES, merges=merges)
    names = {i: table.token_bytes(i).decode() for i in table.ids.tolist() if i < 128 or i > 255}
    model = tokenizers.models.BPE(
        vocab={name: i for i, name in names.items()},
        merges=[(names[left], names[right]) for left, right, _ in merges],
        ignore_merges=whole,
    )
    engine: Any = "whole-piece-first" if whole else "merges"
    return Tokenizer(table, resolve_pattern("(?s).+"), engine=engine), tokenizers.Tokenizer(model)


@given(merges=any_merges(repeats=False), pieces=st.lists(any_piece()), whole=st.booleans())
def test_the_ids_are_those_of_tokenizers(
    merges: list[tuple[int, int, int]], pieces: list[str], whole: bool
) -> None:
    ours, theirs = both(merges, whole=whole)
    for piece in pieces:
        assert ours.encode(piece) == theirs.encode(piece).ids


@given(seed=st.integers(0, 99), pieces=st.lists(any_piece()))
def test_every_merge_there_can_be(seed: int, pieces: list[str]) -> None:
    ours, theirs = both(full_merges("abc", 4, seed), whole=False)
    for piece in pieces:
        assert ours.encode(piece) == theirs.encode(piece).ids
