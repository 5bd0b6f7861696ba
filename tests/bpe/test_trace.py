"""Traces of pieces: every join in order, and tokens at every size as encoding again gives them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.scanner import PADDING
from bpe_studio.bpe.table import MergeTable, MissingByteError
from bpe_studio.bpe.text_rules import TextRules, Unknown
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.trace import Trace
from tests import oracle
from tests.bpe.merge_tables import BYTES, any_merges, any_piece, full_merges, judged

Merges = list[tuple[int, int, int]]


def tokenizer_of(merges: Sequence[tuple[int, int, int]], **more: object) -> Tokenizer:
    table = MergeTable.build(byte_ids=BYTES, merges=merges)
    return replace(Tokenizer(table, resolve_pattern("(?s:.+)")), **more)


def pieces_at(trace: Trace, merges: int) -> list[list[int]]:
    """The tokens of every piece at a size, by where they begin in bytes."""
    ids, bounds = trace.cut(merges)
    borders = trace.bounds[trace.pieces]
    places = np.searchsorted(bounds[:-1], borders)
    return [ids[a:b].tolist() for a, b in zip(places, places[1:], strict=False)]


@given(merges=any_merges(), pieces=st.lists(any_piece(), max_size=5))
def test_tokens_at_every_size_are_those_of_the_first_merges(
    merges: Merges, pieces: list[str]
) -> None:
    trace = tokenizer_of(merges).trace_pieces([piece.encode() for piece in pieces])
    counts = trace.counts().tolist()
    for k in range(len(merges) + 1):
        expected = [judged(piece, merges[:k]) for piece in pieces]
        assert pieces_at(trace, k) == expected
        assert counts[k] == trace.tokens_at(k) == sum(map(len, expected))
    assert len(counts) == len(merges) + 1


@given(seed=st.integers(0, 99), pieces=st.lists(any_piece(), max_size=3))
def test_every_merge_there_can_be(seed: int, pieces: list[str]) -> None:
    """Nearly every join makes pairs of lower rank, so that ranks fall on the way."""
    merges = full_merges("ab" if seed % 2 else "abc", 5 if seed % 2 else 3, seed)
    trace = tokenizer_of(merges).trace_pieces([piece.encode() for piece in pieces])
    for k in (0, 1, 2, len(merges) // 2, len(merges) - 1, len(merges)):
        assert pieces_at(trace, k) == [judged(piece, merges[:k]) for piece in pieces]


@given(merges=any_merges(), piece=any_piece())
def test_joins_are_in_the_order_of_merging(merges: Merges, piece: str) -> None:
    tokenizer = tokenizer_of(merges)
    trace = tokenizer.trace_pieces([piece.encode()])
    assert trace.joins[:, 0].tolist() == oracle.join_all(list(piece.encode()), merges)
    assert trace.sizes.tolist() == (np.maximum.accumulate(trace.joins[:, 0]) + 1).tolist()
    data = piece.encode()
    for (_, place, middle, end), made in zip(trace.joins.tolist(), trace.made, strict=True):
        assert place < middle < end
        assert tokenizer.token_bytes(int(made)) == data[trace.bounds[place] : trace.bounds[end]]


@given(merges=any_merges(), pieces=st.lists(any_piece(), max_size=5), data=st.data())
def test_weights(merges: Merges, pieces: list[str], data: st.DataObject) -> None:
    weights = np.array([data.draw(st.integers(0, 9)) for _ in pieces], dtype=np.int64)
    counts = tokenizer_of(merges).trace_pieces([p.encode() for p in pieces]).counts(weights)
    for k in (0, len(merges) // 2, len(merges)):
        lengths = [len(judged(piece, merges[:k])) for piece in pieces]
        assert counts[k] == sum(n * w for n, w in zip(lengths, weights.tolist(), strict=True))


@given(merges=any_merges(repeats=False), pieces=st.lists(any_piece(), min_size=1, max_size=5))
def test_whole_pieces_first(merges: Merges, pieces: list[str]) -> None:
    """A token takes the whole piece from the size on that has it."""
    extra = {900: pieces[0].encode()} if len(pieces[0]) > 1 else {}
    known = {new for *_, new in merges}
    table = MergeTable.build(byte_ids=BYTES, merges=merges)
    if extra and table.find(pieces[0].encode()) is None and 900 not in known:
        table = MergeTable.build(byte_ids=BYTES, merges=merges, tokens=extra)
    tokenizer = Tokenizer(table, resolve_pattern("(?s:.+)"), engine="whole-piece-first")
    trace = tokenizer.trace_pieces([piece.encode() for piece in pieces])
    for k in range(len(merges) + 1):
        smaller = tokenizer.prefix(k)
        expected = [smaller.encode_piece(piece.encode()) for piece in pieces]
        assert pieces_at(trace, k) == expected
        assert trace.counts()[k] == sum(map(len, expected))


@given(pieces=st.lists(st.text("abé日c😀", max_size=12), max_size=6))
def test_characters_as_symbols(pieces: list[str]) -> None:
    chars = {"é": 256, "日": 257}
    merges = [(97, 256, 258), (257, 257, 259), (0xF0, 0x9F, 260), (258, 98, 261)]
    table = MergeTable.build(base="chars", byte_ids=BYTES, char_ids=chars, merges=merges)
    trace = Tokenizer(table, resolve_pattern("(?s:.+)")).trace_pieces([p.encode() for p in pieces])
    for k in range(len(merges) + 1):
        expected = [oracle.encode_piece(piece, merges[:k], BYTES, chars) for piece in pieces]
        assert pieces_at(trace, k) == expected
    assert trace.bounds[-1] == sum(len(piece.encode()) for piece in pieces)


def test_vocabularies_with_word_ends() -> None:
    tokens = {1: b"l", 2: b"o", 3: b"w</w>", 4: b"w", 5: b"o</w>"}
    merges = [(1, 2, 6), (6, 3, 7)]
    table = MergeTable.build(byte_ids=[-1] * 256, merges=merges, tokens=tokens)
    tokenizer = Tokenizer(
        table, resolve_pattern("words"), special_ids={"<unk>": 9},
        rules=TextRules(word_end="</w>", unknown=Unknown(9)),
    )  # fmt: skip
    trace = tokenizer.trace_pieces([b"low", b"lo", b"?w"])
    assert pieces_at(trace, 2) == [[7], [1, 5], [9, 3]]
    assert pieces_at(trace, 0) == [[1, 2, 3], [1, 5], [9, 3]]
    assert trace.bounds.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]


def test_a_byte_that_the_table_lacks() -> None:
    table = MergeTable.build(byte_ids=[-1, *range(1, 256)], merges=[(97, 98, 256)])
    with pytest.raises(MissingByteError, match="0x00"):
        Tokenizer(table, resolve_pattern("(?s:.+)")).trace_pieces([b"ab\0"])


def test_no_piece_and_no_merge() -> None:
    assert tokenizer_of([]).trace_pieces([]).counts().tolist() == [0]
    assert tokenizer_of([]).trace_pieces([b"", b"ab"]).counts().tolist() == [2]


@pytest.mark.parametrize("letters", ["a", "ab"])
def test_a_piece_of_one_megabyte(letters: str) -> None:
    tokenizer = tokenizer_of(full_merges("ab", 6, 3))
    piece = "".join(random.Random(1).choices(letters, k=1_000_000)).encode()
    trace = tokenizer.trace_pieces([piece])
    ids, bounds = trace.cut(len(tokenizer.table.merges))
    assert ids.tolist() == tokenizer.encode_piece(piece)
    assert bounds[-1] == len(piece)


@given(
    merges=any_merges(),
    pieces=st.lists(any_piece(), min_size=1, max_size=6),
    engine=st.sampled_from(["merges", "whole-piece-first"]),
    size=st.integers(0, 12),
)
def test_sized_pieces_are_those_of_the_trace(
    merges: Merges, pieces: list[str], engine: str, size: int
) -> None:
    tokenizer = tokenizer_of(merges, engine=engine)
    size = min(size, len(merges))
    raw = [piece.encode() for piece in pieces]
    offsets = np.cumsum([0, *map(len, raw)], dtype=np.int64)
    data = np.frombuffer(b"".join(raw) + bytes(PADDING), dtype=np.uint8)
    found = tokenizer.tracer.sized(data, offsets, size)
    trace = tokenizer.trace_pieces(raw)
    ids = tokenizer.table.ids
    for column, tokens, merged in ((0, found.tokens, len(merges)), (1, found.at_size, size)):
        cut = [ids[tokens[a:b]].tolist() for a, b in pairwise(found.borders[:, column].tolist())]
        assert cut == pieces_at(trace, merged)
    lost = np.bincount(found.gone, minlength=len(merges) + 1)
    assert (found.pieces[-1] - np.cumsum(lost)).tolist() == trace.counts().tolist()
