"""Parts of a text: those of a neighbourhood are those of the whole."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bpe_studio.analysis.finding import find_parts
from bpe_studio.analysis.parts import Part
from bpe_studio.bpe.edits import Prepend, Unicode
from bpe_studio.bpe.text_rules import AddedToken, TextRules
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.analysis.tables import make_pair

WORDS = ("low", "e\u0301te\u0301", "a\u0323\u0307", "<a>", "12", "日本", "\n", "!")


def _told(part: Part) -> tuple[object, ...]:
    middle = part.character_at(len(part.data) // 2)
    places = part.bytes_of(part.start, part.end)
    return (
        part.start, part.end, part.byte_start, part.text, part.special, part.alternative,
        part.edited is None, middle, places,
    )  # fmt: skip


@pytest.mark.parametrize("rules", [(Unicode("NFC"),), (Unicode("NFD"),), (Prepend(" "),), ()])
def test_a_span_far_into_a_long_text(
    rules: tuple[Unicode, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    added = (AddedToken("<a>", 900),)
    tokenizer = replace(
        make_pair([(97, 98, 256)], specials={"<a>": 900}).tokenizer,
        rules=TextRules(normalizer=rules, added=added),
    )
    chance = random.Random(7)
    text = " ".join(chance.choices(WORDS, k=20_000))
    spans = [(n := chance.randrange(len(text) - 40), n + chance.randint(1, 40)) for _ in range(30)]
    near = [[_told(part) for part in find_parts(tokenizer, text, *span)] for span in spans]
    monkeypatch.setattr(Tokenizer, "may_cut", lambda *_: False)
    every = [_told(part) for part in find_parts(tokenizer, text, 0, len(text))]
    for (start, end), found in zip(spans, near, strict=True):
        assert found == [told for told in every if told[0] < end and told[1] > start]


def test_of_many_pieces_only_some_are_asked_who_made_them() -> None:
    tokenizer = make_pair([]).tokenizer
    made = [p.alternative for p in find_parts(tokenizer, "low " * 10, 0, 40, made_by=3)]
    assert [number is None for number in made] == [False] * 3 + [True] * (len(made) - 3)
