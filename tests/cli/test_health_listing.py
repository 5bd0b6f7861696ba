"""Lines for people: they wrap in the width of the terminal, and begin where the first one does."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.contexts import Context
from bpe_studio.analysis.corpus_use import DocumentPlace
from bpe_studio.cli import health_listing
from bpe_studio.cli.output import width

texts = st.lists(st.text("ab日é ", min_size=1, max_size=14), min_size=1, max_size=40).map(" ".join)


def _lines(words: str, head: str, columns: int) -> list[str]:
    written: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
        patch.setattr(health_listing, "write_out", written.append)
        health_listing._write_wrapped(words, head=head)
    return "".join(written).splitlines()


@given(texts, st.integers(0, 30), st.integers(20, 200))
def test_wrapped_words_are_all_there_and_fit(text: str, indent: int, columns: int) -> None:
    head = "x" * indent
    lines = _lines(text, head, columns)
    wide = max(80, min(columns, 120))
    assert all(width(line) <= wide for line in lines)
    assert lines[0].startswith(head)
    assert all(line.startswith(" " * indent) for line in lines[1:])
    joined = " ".join(line[indent:].strip() for line in lines)
    assert joined.split() == text.split()


def test_a_control_sequence_reaches_no_terminal() -> None:
    assert _lines("a\x1b[31mb", "", 80) == ["a⟨1B⟩[31mb"]


sides = st.text("ab日é\x1b", max_size=60)


@given(sides, st.text("a日", min_size=1, max_size=40), sides, st.integers(1, 90))
def test_examples_fit_the_terminal(before: str, text: str, after: str, path: int) -> None:
    context = Context(DocumentPlace("p" * path), Path("x"), 0, 1, 2, before, text, after)
    for wide in (74, 110):
        lines = list(health_listing._context_lines(context, wide))
        assert lines[0].startswith("p" * path + ":1:2")
        assert all(width(line) <= max(wide, path + 4) for line in lines)
        assert "[" in lines[-1] and "]" in lines[-1] and len(lines) <= 2
