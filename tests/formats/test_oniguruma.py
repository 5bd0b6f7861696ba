"""Expressions translated from the library's dialect and into it cut as they did."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, pre_tokenizers

from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.formats.dialects.oniguruma import ExpressionError, from_oniguruma, to_oniguruma
from bpe_studio.formats.dialects.spellings import preset_spelled, spelling_of
from tests.unicode_differences import read_differences

ALPHABET = "abAB sS  \n\r\t12²٣éßſK'-_.,!?你あアمΩ\u200d\u0301()[]|{xyz"
DIFFERENT = read_differences()

KNOWN = [
    *(r"^a|b$", r"a$", r"^\s+", r"\Aa", r"a\z", r"\s\Z", r"\h+|\H", r"\w+", r"\W+", r"[\w']+"),
    *(r"[^\w\s]+", r"[^\W\d_]+", r"[\W_]+", r"\p{N}{1,3}+", r"\p{N}{2}?x?a", r"a{1,2}?b"),
    *(r"a{,2}b", r"a{2,}", r" ?[^(\s|[.,!?…。，、।۔،])]+", r"(?i)sa|k", r"(?m:.+)", r".+"),
    *(r"[[:punct:]]+", r"[[:alpha:]]+|[[:^alpha:]]", r"[a[b-d]]+|[^a[^b]]", r"\bx|a\b", r"\R"),
    *(r"(?<=a)b+", r"(?<!a)b", r"(?>a+)b", r"(?<n>a)b", r"[一-龥぀-ゟ゠-ヿ]+", r"[a\-z.]+"),
    *(r"[-a]+", r"[a-]+", r"\u00e9|\x41|\x{62}", r"\s+(?!\S)|\s+", r"\s++$", r"[\[\]]", r"x{y"),
    *(r"[a-z&&[^b]]+|[^\W&&\d]", r"[^a-z&&[b-x]&&\p{L}]+", r"[\p{Lo}\p{M}&&[^\p{Han}]]+|\S"),
    *(r"[[:digit:][:upper:]]+", r"\p{Han}+|\p{^L}", r"\P{L}+", r"(?i:'s|'t|'re)|\p{L}+", r"{a"),
]
REFUSED = {
    r"a\1": r"the escape \1",
    r"a*": "empty text",
    r"a|": "empty text",
    r"(?=a)": "empty text",
    r"[a&&]": "an empty class",
    r"(?i:[a-z])": "a range in any case",
    r"(?i:ss)": "fold together",
    r"(?i:é)": "é in any case",
    r"\Gx": r"the escape \G",
    r"\X": r"the escape \X",
    r"a**": "a repeat of a repeat",
    r"*a": "a repeat of nothing",
    r"[]a]": "begins with ]",
    r"[a-\w]": "ends with a class",
    r"[\w-a]": "begins with a class",
    r"[b-a]": "wrong way round",
    r"\p{Foo}": r"\p{Foo}",
    r"(?~a)": "the group (?~",
    r"a)": "a ) too many",
    r"(a": "without its )",
    r"[a": "ends in the middle",
    "(" * 60 + "a" + ")" * 60: "groups deeper than 50",
    r"a{2000}": "too large",
    r"\xe3": r"the escape \x",
}


def theirs(expression: str, text: str) -> list[str]:
    split = pre_tokenizers.Split(Regex(expression), "isolated")
    return [text[a:b] for _, (a, b) in split.pre_tokenize_str(text)]


def ours(expression: str, text: str) -> list[str]:
    pieces, done = [], 0
    for match in regex.finditer(expression, text):
        pieces += [text[done : match.start()], match.group()]
        done = match.end()
    return [piece for piece in (*pieces, text[done:]) if piece]


some_text = st.text(st.sampled_from(ALPHABET) | st.characters(exclude_categories=["Cs", "Cn"]))


@pytest.mark.parametrize("expression", KNOWN)
@settings(max_examples=30)
@given(text=some_text.filter(DIFFERENT.isdisjoint))
def test_what_is_translated_cuts_as_in_the_library(expression: str, text: str) -> None:
    translated = from_oniguruma(expression)
    assert ours(translated, text) == theirs(expression, text)
    if expression != r"\R":
        assert theirs(to_oniguruma(translated), text) == theirs(expression, text)


@pytest.mark.parametrize("expression", REFUSED)
def test_what_is_not_known_is_refused(expression: str) -> None:
    with pytest.raises(ExpressionError) as raised:
        from_oniguruma(expression)
    assert REFUSED[expression] in str(raised.value)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_known_in_their_spelling(name: str) -> None:
    assert preset_spelled(spelling_of(PRESETS[name])) is PRESETS[name]


@pytest.mark.parametrize(
    "expression", [r"\w+|\W", r"^a|b$", r"a\Z", r"\p{N}{1,3}+", r"(?s:.)", r"[^\W\d]+", r"\xe9"]
)
@settings(max_examples=30)
@given(text=some_text.filter(DIFFERENT.isdisjoint))
def test_expressions_of_our_own_are_translated_too(expression: str, text: str) -> None:
    assert theirs(to_oniguruma(expression), text) == ours(expression, text)


@given(st.text("ab^$\\[](){}?*+|.,-&:pLdws1i<>=!", max_size=12))
def test_no_other_error_is_raised(expression: str) -> None:
    try:
        translated = from_oniguruma(expression)
    except ExpressionError:
        return
    regex.compile(translated)
