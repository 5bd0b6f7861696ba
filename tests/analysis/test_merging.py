"""Events against the oracle's steps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis import merging
from bpe_studio.analysis.merging import (
    LastMerging,
    events,
    events_of,
    iter_merging,
    merging_of,
)
from tests import oracle_analysis as oracle
from tests.analysis.tables import make_pair, pairs, texts


@given(st.data())
def test_events_are_the_steps_of_the_oracle(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    piece = data.draw(texts(pair.alphabet, 14)).encode()
    found = events(pair.tokenizer, piece)
    base = [(e.start, e.end, e.id) for e in found if e.is_base]
    assert base == oracle.first_symbols(pair.plain, piece)
    merged = [(e.rank, e.start, e.middle, e.end) for e in found if not e.is_base]
    assert merged == [(s.rank, *p) for s in oracle.steps(pair.plain, piece) for p in s.joined]


@given(st.data())
def test_the_plain_trace_agrees(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    piece = data.draw(texts(pair.alphabet, 14)).encode()
    ranks = [step.rank for step in pair.tokenizer.trace(piece) for _ in step.positions]
    assert ranks == [e.rank for e in events(pair.tokenizer, piece) if not e.is_base]


@given(st.data())
def test_a_few_symbols_by_themselves(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    piece = data.draw(texts(pair.alphabet, 14)).encode()
    every = events(pair.tokenizer, piece)
    base = [e for e in every if e.is_base]
    bounds = [0, *(e.end for e in base)]
    ranks = pair.tokenizer.table.merge_ranks
    assert events_of([e.id for e in base], bounds, ranks) == every


@given(st.data())
def test_what_remains(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    piece = data.draw(texts(pair.alphabet, 14)).encode()
    merging = merging_of(pair.tokenizer, piece)
    bounds = merging.token_bounds.tolist()
    found = list(zip(bounds, bounds[1:], merging.ids.tolist(), strict=False))
    assert found == oracle.merged(pair.plain, piece)
    whole = pair.plain.find(piece) if pair.plain.whole_piece_first else None
    assert merging.whole == whole


def test_half_a_character_is_bytes() -> None:
    pair = make_pair([(0xE2, 0x82, 256)])
    assert [(e.end, e.id) for e in events(pair.tokenizer, b"\xe2\x82")] == [
        (1, 0xE2), (2, 0x82), (2, 256),
    ]  # fmt: skip


def test_a_long_piece_yields() -> None:
    tokenizer = make_pair([(97, 97, 256), (256, 256, 257), (257, 257, 258)]).tokenizer
    assert sum(1 for _ in iter_merging(tokenizer, b"a" * 100_000)) > 1


@given(st.data())
def test_a_part_of_the_piece(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    piece = data.draw(texts(pair.alphabet, 14)).encode()
    first = data.draw(st.integers(0, len(piece)))
    last = data.draw(st.integers(first, len(piece)))
    every = events(pair.tokenizer, piece)
    some = merging_of(pair.tokenizer, piece).events(first, last)
    assert some == [e for e in every if e.start < last and e.end > first]


def test_a_long_piece_is_traced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "LONG_PIECE", 4)
    tokenizer, other, last = (
        make_pair([(108, 111, 256)]).tokenizer,
        make_pair([(108, 111, 256)]).tokenizer,
        LastMerging(),
    )
    found = merging_of(tokenizer, b"lowest", last=last)
    assert merging_of(tokenizer, bytes(bytearray(b"lowest")), last=last) is found
    assert merging_of(other, b"lowest", last=last) is not found
    assert merging_of(tokenizer, b"lowest") is not found
    merging_of(tokenizer, b"newest", last=last)
    again = merging_of(tokenizer, b"lowest", last=last)
    assert again is not found and again.ids.tolist() == found.ids.tolist()
    merging_of(tokenizer, b"low", last=last)  # too short to be kept
    assert merging_of(tokenizer, b"lowest", last=last) is again
