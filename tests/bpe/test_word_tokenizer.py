"""Words as tokens: sorted, case kept, signs split off; what was never seen has no token."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.word_tokenizer import (
    END_OF_TEXT,
    UNKNOWN,
    UnknownWordError,
    WordTokenizer,
    join_words,
    split_words,
)

TEXT = 'The cat sat. "The hat," it said -- (softly); didn\'t it? Yes!'
WORDS = st.lists(st.sampled_from(["The", "the", "cat", "Cat", "5", "naïve", "x-y"]), max_size=12)


@given(st.text(alphabet=list("aB é.,:;?!_\"()'- \n\t"), max_size=40))
def test_words_are_what_the_usual_expression_gives(text: str) -> None:
    parts = re.split(r"""([,.:;?_!"()']|--|\s)""", text)
    assert split_words(text) == [part for part in parts if part.strip()]


@given(WORDS, WORDS)
def test_it_encodes_and_decodes(words: list[str], others: list[str]) -> None:
    text = " ".join(words)
    plain, marked = WordTokenizer.of_text(text), WordTokenizer.of_text(text, specials=True)
    assert list(plain.vocabulary) == sorted(set(words))
    assert marked.vocabulary == (*plain.vocabulary, END_OF_TEXT, UNKNOWN)
    assert plain.decode(plain.encode(text)) == text
    known = [word if word in words else UNKNOWN for word in others]
    assert marked.decode(marked.encode(" ".join(others))) == " ".join(known)


def test_spaces_around_signs_are_repaired() -> None:
    words = WordTokenizer.of_text(TEXT)
    assert words.decode(words.encode(TEXT)) == TEXT
    assert join_words(["a", ",", "b"]) == "a, b"


def test_a_word_never_seen_fails_by_its_name() -> None:
    words = WordTokenizer.of_text(TEXT)
    with pytest.raises(UnknownWordError, match=r"no token for 'dog' .word 2 of") as error:
        words.encode("cat dog")
    assert error.value.word == "dog"
    with pytest.raises(UnknownWordError, match="'the'"):
        words.encode("the")
    assert "cat" in words and "dog" not in words


def test_texts_are_joined_by_the_end_of_text() -> None:
    words = WordTokenizer.of_text(TEXT, specials=True)
    ids = words.encode(f"cat {END_OF_TEXT} dog")
    assert ids[1:] == [words.vocab_size - 2, words.vocab_size - 1]
    assert words.decode(ids) == f"cat {END_OF_TEXT} {UNKNOWN}"


def test_an_id_that_is_not_there_is_told() -> None:
    with pytest.raises(ValueError, match=r"no word with the id 9 \(position 1\)"):
        WordTokenizer.of_text("a b").decode([0, 9])
