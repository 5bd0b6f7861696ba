"""Characters and tokens: what holds what."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.letters import MOST_LETTERS, grid
from bpe_studio.bpe.edits import Prepend, Unicode
from bpe_studio.bpe.text_rules import TextRules
from tests import oracle_analysis as oracle
from tests.analysis.tables import make_pair, pairs, texts, worked


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_letters_against_the_oracle(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    text = data.draw(texts(pair.alphabet, 14))
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    found = grid(pair.tokenizer, text, start, end)
    places = [len(text[:n].encode()) for n in range(len(text) + 1)]
    tokens = [
        t for t in oracle.encode(pair.plain, text) if t[0] < places[end] and t[1] > places[start]
    ]
    assert [(t.start, t.end, t.id) for t in found.tokens] == tokens
    assert [letter.character for letter in found.letters] == list(text[start:end])
    for position, letter in enumerate(found.letters, start):
        first, last = places[position], places[position + 1]
        holding = [n for n, (a, b, _) in enumerate(tokens) if a < last and b > first]
        assert (letter.position, letter.first, letter.last) == (position, holding[0], holding[-1])
        assert letter.split == (len(holding) > 1)


def test_strawberry_and_numbers() -> None:
    pair = make_pair([(49, 50, 256)], pattern=r"[\s\S]+")
    found = grid(pair.tokenizer, "Strawberry R 1234", 0, 17)
    assert found.repeated == (("r", 4),)
    assert [(n.text, n.position, n.groups) for n in found.numbers] == [
        ("1234", 13, ("12", "3", "4"))
    ]


def test_characters_that_tokens_split() -> None:
    found = grid(make_pair([(0x97, 0xA5, 256)]).tokenizer, "a日", 0, 2)
    assert [(x.first, x.last, x.split) for x in found.letters] == [(0, 0, False), (1, 2, True)]


def test_edited_texts() -> None:
    rules = TextRules(normalizer=(Prepend("▁"), Unicode("NFD")))
    tokenizer = replace(worked().tokenizer, rules=rules)
    found = grid(tokenizer, "éé", 0, 2)
    assert [letter.split for letter in found.letters] == [True, True]  # e and what is over it
    composed = replace(worked().tokenizer, rules=TextRules(normalizer=(Unicode("NFC"),)))
    found = grid(composed, "e\u0301x", 0, 3)
    assert [(x.first, x.last) for x in found.letters] == [(0, 1), (0, 1), (2, 2)]


def test_a_long_span() -> None:
    found = grid(worked().tokenizer, "low " * 1_000, 4, 4_000)
    assert len(found.letters) == MOST_LETTERS and found.left_out == 3_996 - MOST_LETTERS
    assert ("w", MOST_LETTERS // 4) in found.repeated  # of the letters that are told
