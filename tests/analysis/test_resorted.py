"""Merges that change places are all found, whichever of the two has moved."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.resorted import _contested, first_other_cut, resorted
from bpe_studio.bpe.lesson import Lesson
from bpe_studio.bpe.lesson_table import tokenizer_of


@settings(max_examples=60)
@given(st.text(alphabet=list("abc "), min_size=6, max_size=60))
def test_every_contest_is_found(text: str) -> None:
    lesson = Lesson(text)
    lesson.run()
    tokenizer = tokenizer_of(lesson)
    used = tokenizer.encode(text)
    ordered = sorted(tokenizer.merges, key=lambda merge: -used.count(merge[2]))  # a stable sort
    other = resorted(tokenizer, text)
    if ordered == tokenizer.merges:
        assert other is None
        return
    assert other is not None and other.merges == ordered
    expected = {
        lesson.name(one[0]) + lesson.name(one[1]) + lesson.name(two[1])
        for rank, one in enumerate(tokenizer.merges)
        for beside, two in enumerate(tokenizer.merges)
        if one[1] == two[0] and (rank < beside) != (ordered.index(one) < ordered.index(two))
    }
    found = {contested.encode() for contested in _contested(tokenizer.table, other.table)}
    assert found == expected
    changed = [t for t in expected if tokenizer.encode(t.decode()) != other.encode(t.decode())]
    if changed:
        cut = first_other_cut(tokenizer, other, text)
        assert cut is not None
        assert tokenizer.encode(cut.text) != other.encode(cut.text)
