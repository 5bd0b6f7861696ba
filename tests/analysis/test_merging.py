"""Events against the oracle's steps."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.merging import collect, events, run
from tests import oracle_analysis as oracle
from tests.analysis.tables import make_pair, pairs, texts


@given(st.data())
def test_events_are_the_steps_of_the_oracle(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    piece = data.draw(texts(pair.alphabet, 14)).encode()
    found = events(pair.tokenizer.table, piece)
    base = [(e.start, e.end, e.id) for e in found if e.is_base]
    assert base == oracle.first_symbols(pair.plain, piece)
    merged = [(e.rank, e.start, e.middle, e.end) for e in found if not e.is_base]
    assert merged == [(s.rank, *p) for s in oracle.steps(pair.plain, piece) for p in s.joined]


@given(st.data())
def test_the_plain_trace_agrees(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    piece = data.draw(texts(pair.alphabet, 14)).encode()
    ranks = [step.rank for step in pair.tokenizer.trace(piece) for _ in step.positions]
    assert ranks == [e.rank for e in events(pair.tokenizer.table, piece) if not e.is_base]


def test_half_a_character_is_bytes() -> None:
    pair = make_pair([(0xE2, 0x82, 256)])
    assert [(e.end, e.id) for e in events(pair.tokenizer.table, b"\xe2\x82")] == [
        (1, 0xE2), (2, 0x82), (2, 256),
    ]  # fmt: skip


def test_a_long_piece_takes_no_quadratic_time_and_yields() -> None:
    merges = [(97, 97, 256), (256, 256, 257), (257, 257, 258)]
    table = make_pair(merges).tokenizer.table
    began = time.perf_counter()
    turns = sum(1 for _ in run(table, b"a" * 100_000, 50, 60))
    assert turns > 10
    assert time.perf_counter() - began < 5


@given(st.data())
def test_a_part_of_the_piece(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    piece = data.draw(texts(pair.alphabet, 14)).encode()
    first = data.draw(st.integers(0, len(piece)))
    last = data.draw(st.integers(first, len(piece)))
    every = events(pair.tokenizer.table, piece)
    some = collect(run(pair.tokenizer.table, piece, first, last))
    assert some == [e for e in every if e.start < last and e.end > first]
