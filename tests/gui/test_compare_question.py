"""Which answers still hold."""

from __future__ import annotations

from dataclasses import replace

from bpe_studio.gui.models.compare_question import Question, same_matter
from bpe_studio.gui.state.open_tables import OpenTable
from tests.gui.small_tables import small_tokenizer


def test_a_newer_tokenizer_is_the_same_matter_and_another_text_is_not() -> None:
    one, other = small_tokenizer(merges=5), small_tokenizer()
    a, b = OpenTable(tokenizer=one, name="a"), OpenTable(tokenizer=one, name="b")
    asked = Question(a, b, one, one, "low")
    assert same_matter(asked, replace(asked, b=other))
    assert not same_matter(asked, replace(asked, text="lower"))
    assert not same_matter(asked, replace(asked, table_a=b, table_b=a))
    assert not same_matter(asked, None)
