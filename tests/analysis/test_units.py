"""Characters, words and byte pairs of one text, each against a plain count."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.units import TITLES, Unit, side_by_side, unseen_word
from bpe_studio.bpe.lesson import TOY_CORPUS, Lesson
from bpe_studio.bpe.lesson_table import tokenizer_of
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.word_tokenizer import END_OF_TEXT, UNKNOWN

TEXT = "The cat, the hat. Low, lower!"


def table_of(text: str) -> Tokenizer:
    lesson = Lesson(text)
    lesson.run()
    return tokenizer_of(lesson)


def units_of(text: str, word: str | None = None) -> dict[str, Unit]:
    return {unit.kind: unit for unit in side_by_side(table_of(text), text, word).units}


@settings(max_examples=30)
@given(st.text(alphabet=list("ab é,."), min_size=1, max_size=40))
def test_sizes_are_those_of_a_plain_count(text: str) -> None:
    units = units_of(text, "q")
    words = text.replace(",", " , ").replace(".", " . ").split()
    assert units["characters"].vocab_size == len(set(text))
    assert len(units["characters"].text) == len(text)
    assert units["words"].vocab_size == len(set(words))
    assert units["words-unk"].vocab_size == len(set(words)) + 2
    assert list(units["words"].text.tokens) == words
    table = table_of(text)
    assert units["bpe"].vocab_size == table.vocab_size
    assert len(units["bpe"].text) == len(table.encode(text))
    assert units["characters"].text.decoded == units["bpe"].text.decoded == text


def test_they_stand_in_order_with_titles() -> None:
    found = side_by_side(table_of(TEXT), TEXT)
    assert [unit.title for unit in found.units] == list(TITLES.values())
    assert found.word == "slowest"


def test_a_word_never_seen() -> None:
    units = units_of(TOY_CORPUS, "slowest")
    assert units["words"].unseen.error and "“slowest” was never seen" in units["words"].sentence
    assert "word 1" not in units["words"].sentence
    assert units["words-unk"].unseen.decoded == UNKNOWN
    assert "lost" in units["words-unk"].sentence
    assert units["bpe"].unseen.tokens == ("s", "low", "est")
    assert units["bpe"].unseen.decoded == units["characters"].unseen.decoded == "slowest"
    assert "spelled with 3 tokens" in units["bpe"].sentence
    assert "no 'q'" in units_of(TOY_CORPUS, "quiz")["characters"].sentence


def test_a_word_that_is_there() -> None:
    units = units_of(TOY_CORPUS, "low")
    assert units["words"].sentence == "“low” is in the text, and is a token."
    assert units["bpe"].sentence == "“low” is in the text, and is one token."


def test_words_decode_with_their_signs_where_they_were() -> None:
    assert units_of(TEXT)["words"].text.decoded == TEXT


def test_specials_of_the_words_are_no_plain_words() -> None:
    units = units_of(f"low {END_OF_TEXT} {UNKNOWN}")
    assert units["words-unk"].vocab_size == units["words"].vocab_size == 3


def test_the_word_is_one_that_the_text_lacks() -> None:
    assert unseen_word(TEXT) == unseen_word("  ") == "slowest"
    assert unseen_word("slowest widening tokenizer unseen xylophone") not in (
        "slowest", "widening", "tokenizer", "unseen", "xylophone",
    )  # fmt: skip


def test_a_table_for_viewing_says_so() -> None:
    from dataclasses import replace

    viewed = replace(table_of(TEXT), view_only="It can only be viewed.")
    assert side_by_side(viewed, TEXT).units[-1].sentence == "It can only be viewed."
