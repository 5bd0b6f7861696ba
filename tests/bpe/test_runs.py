"""Runs hold the documents whole, in order, cut only where they may be."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bpe_studio.bpe.corpus import Block
from bpe_studio.bpe.runs import Run, RunBuilder, padded
from bpe_studio.bpe.scanner import PADDING


def after_last_comma(data: NDArray[np.uint8], start: int, end: int) -> int:
    """A stand-in for the scanner's rule."""
    assert len(data) >= end + PADDING
    return max(start, start + data[start:end].tobytes().rfind(b",") + 1)


def runs_of(documents: list[str], block: int, size: int) -> list[Run]:
    builder = RunBuilder(size, after_last_comma)
    runs: list[Run] = []
    for number, text in enumerate(documents):
        starts = range(0, max(len(text), 1), block)
        for start in starts:
            data = text[start : start + block].encode()
            runs += builder.take(Block(number, 0, data, start == starts[-1], 0))
    return [*runs, *builder.rest()]


def parts_of(run: Run) -> list[bytes]:
    begins = [0, *run.documents.tolist()]
    return [run.data[a:b].tobytes() for a, b in zip(begins, run.documents, strict=False)]


@given(
    documents=st.lists(st.text("ab,é", max_size=40), max_size=5),
    block=st.integers(1, 20),
    size=st.integers(1, 40),
)
def test_runs_put_together_are_the_documents(documents: list[str], block: int, size: int) -> None:
    found: list[bytes] = []
    goes_on = False
    for number, run in enumerate(runs_of(documents, block, size)):
        parts = parts_of(run)
        assert run.number == number
        assert run.continues == goes_on
        assert run.first_document == len(found) - goes_on
        assert len(run.data) == run.documents[-1] + PADDING
        if run.continues:
            found[-1] += parts.pop(0)
        found += parts
        goes_on = run.goes_on
        if goes_on:
            assert run.data[run.documents[-1] - 1] == ord(",")
    assert not goes_on
    assert found == [text.encode() for text in documents]


def test_runs_have_about_the_size_that_is_asked_for() -> None:
    runs = runs_of(["ab," * 1000, *["x,"] * 500], 50, 200)
    assert len(runs) > 15
    assert max(len(run.data) for run in runs) < 300 + PADDING


def test_text_without_a_cut_is_not_searched_again_and_again() -> None:
    searched = 0

    def nowhere(data: NDArray[np.uint8], start: int, end: int) -> int:
        nonlocal searched
        searched += end - start
        return start

    builder = RunBuilder(10, nowhere)
    for number in range(1000):
        assert not list(builder.take(Block(0, 0, b"0123456789", number == 999, 0)))
    assert searched < 3 * 10_000
    assert [len(run.documents) for run in builder.rest()] == [1]


def test_padding_is_not_to_be_written_and_nothing_is_copied() -> None:
    text = bytearray(b"abc")
    data = padded(text)
    assert data[:3].tobytes() == b"abc" and len(data) == 3 + PADDING
    assert not data.flags.writeable
    text[0] = ord("x")
    assert data[0] == ord("x")
