"""Every trap shows what it says, in the tables of lessons and in those of the program."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe_studio as bs
from bpe_studio.analysis.traps import TRAPS, Trap, find_trap, find_traps
from bpe_studio.bpe.lesson import CORPORA, TOY_CORPUS, Lesson, LessonRules
from bpe_studio.bpe.lesson_table import tokenizer_of
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from tests import oracle


def table_of(text: str) -> Tokenizer:
    lesson = Lesson(text, LessonRules(specials=bs.DEFAULT_SPECIALS))
    lesson.run()
    return tokenizer_of(lesson)


TABLES = {
    **{name: (table_of(text), text) for name, text in CORPORA.items()},
    "stdlib-8k": (bs.load("stdlib-8k"), TOY_CORPUS),
    "sample-chars": (bs.load("sample-chars"), TOY_CORPUS),
}


@pytest.fixture(params=list(TABLES), scope="module")
def found(request: pytest.FixtureRequest) -> tuple[Tokenizer, str, dict[str, Trap]]:
    tokenizer, text = TABLES[request.param]
    return tokenizer, text, {trap.key: trap for trap in find_traps(tokenizer, text)}


Found = tuple[Tokenizer, str, dict[str, Trap]]


def test_all_are_told(found: Found) -> None:
    _, _, traps = found
    assert list(traps) == list(TRAPS)
    for trap in traps.values():
        assert trap.sentence.endswith(".")
        assert all(len(side.ids) == len(side.tokens) for side in trap.sides)


def test_the_first_results_are_what_the_table_does(found: Found) -> None:
    tokenizer, _, traps = found
    for key in ("spaces", "numbers", "case", "letters"):
        for side in traps[key].sides:
            assert list(side.ids) == tokenizer.encode(side.text)
            assert b"".join(side.tokens).decode() == side.text


def test_sorted_merges_break_something(found: Found) -> None:
    tokenizer, text, traps = found
    trap = traps["order"]
    assert trap.shown
    before, after = trap.sides
    assert list(before.ids) == tokenizer.encode(before.text)
    used = tokenizer.encode(text)
    ordered = sorted(tokenizer.merges, key=lambda merge: -used.count(merge[2]))  # a stable sort
    byte_ids, char_ids = tokenizer.table.byte_ids.tolist(), tokenizer.table.char_ids
    expression = tokenizer.pattern.expression
    theirs = oracle.encode(before.text, expression, ordered, byte_ids, char_ids)
    if "is cut as" in trap.sentence:
        assert list(after.ids) == theirs != list(before.ids)
        return
    assert theirs == list(before.ids)
    # A rank is an id: the n-th of the sorted merges takes the n-th number.
    numbers = dict(zip((m[2] for m in ordered), (m[2] for m in tokenizer.merges), strict=True))
    assert list(after.ids) == [numbers.get(token, token) for token in before.ids]
    assert tokenizer.decode(after.ids) == after.text != before.text


@settings(max_examples=40)
@given(st.text(alphabet=list("ab "), min_size=8, max_size=60))
def test_another_cut_is_one_for_the_oracle_too(text: str) -> None:
    tokenizer = table_of(text)
    trap = find_trap("order", tokenizer, text)
    if not trap.shown or "is cut as" not in trap.sentence:
        return
    used = tokenizer.encode(text)
    ordered = sorted(tokenizer.merges, key=lambda merge: -used.count(merge[2]))
    cuts = [
        oracle.encode(
            trap.sides[0].text,
            tokenizer.pattern.expression,
            merges,
            tokenizer.table.byte_ids.tolist(),
            {},
        )
        for merges in (tokenizer.merges, ordered)
    ]
    assert cuts == [list(side.ids) for side in trap.sides]
    assert cuts[0] != cuts[1]


def test_a_stripped_word_is_other_tokens(found: Found) -> None:
    tokenizer, text, traps = found
    before, after = traps["spaces"].sides
    assert before.text == f" {after.text}"
    assert traps["spaces"].shown and before.ids != after.ids
    assert f"The whole text has {len(tokenizer.encode(text)):,} tokens" in traps["spaces"].sentence


def test_shifted_ids_read_as_something_else(found: Found) -> None:
    tokenizer, _, traps = found
    before, after = traps["shift"].sides
    first = min(tokenizer.table.ids.tolist())
    assert before.ids == after.ids
    assert tokenizer.decode(before.ids) == before.text
    assert tokenizer.decode([token + first for token in before.ids]) == after.text
    assert after.text != before.text


def test_a_base_shifted_by_six_reads_letters_six_further_on() -> None:
    trap = find_trap("shift", *TABLES["low, lower, lowest"])
    assert trap.sides[1].text.startswith("ru}&ru}&ru}kx")


def test_numbers_are_cut_as_it_says(found: Found) -> None:
    _, _, traps = found
    before, after = traps["numbers"].sides
    if "the next number" in traps["numbers"].sentence:
        assert int(after.text) == int(before.text) + 1
        assert [*map(len, before.tokens)] != [*map(len, after.tokens)]
    else:
        assert "Every digit" in traps["numbers"].sentence
        assert all(len(token) == 1 for token in before.tokens)


def test_digits_grouped_from_the_left() -> None:
    digits = [48 + digit for digit in range(10)]
    pairs = [(a, b, 300 + number) for number, (a, b) in enumerate(product(digits, digits))]
    threes = [
        (pair, digit, 400 + number)
        for number, ((_, _, pair), digit) in enumerate(product(pairs, digits))
    ]
    table = MergeTable.build(byte_ids=range(256), merges=[*pairs, *threes])
    tokenizer = Tokenizer(table, PRESETS["llama3"], engine="whole-piece-first")
    trap = find_trap("numbers", tokenizer, "low")
    assert "123|456|7, and with one digit more 123|456|78" in trap.sentence
    assert [len(token) for token in trap.sides[1].tokens] == [3, 3, 2]


def test_capitals_are_other_tokens(found: Found) -> None:
    _, _, traps = found
    small, title, large = traps["case"].sides
    assert small.text.upper() == large.text and title.text.lower() == small.text
    assert small.ids != large.ids
    if "since merges" in traps["case"].sentence:
        assert len(large.ids) > len(small.ids)


def test_the_letters_are_in_the_tokens_it_names(found: Found) -> None:
    _, _, traps = found
    trap = traps["letters"]
    assert sum(token.count(b"r") for token in trap.sides[0].tokens) == 3
    assert trap.shown is any(len(token) > 1 for token in trap.sides[0].tokens)
    if trap.shown:
        assert " ".join(map(str, trap.sides[0].ids)) in trap.sentence


def test_a_table_without_merges_says_so() -> None:
    table = tokenizer_of(Lesson("low"))
    assert not find_trap("order", table, "low").shown
    assert find_trap("spaces", table, "123").sides[1].text == "hello"
    assert "one special" in find_trap("shift", table, "low").sentence


def test_a_trap_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no trap 'x'; they are order, spaces, shift"):
        find_trap("x", table_of(TOY_CORPUS), TOY_CORPUS)
