"""The text of minbpe, judged by an encoder as minbpe has it."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
import regex

from bpe_studio import formats
from bpe_studio.bpe.patterns import OTHERS, PRESETS
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats import minbpe

PATTERN = PRESETS["gpt2"].expression
MERGES = [(97, 98), (256, 99), (32, 257), (256, 256), (195, 169)]


def text_of(
    pattern: str = PATTERN,
    specials: tuple[str, ...] = ("<|end of text|> 300", "a b c 301"),
    merges: tuple[str, ...] = tuple(f"{left} {right}" for left, right in MERGES),
) -> str:
    return "\n".join(["minbpe v1", pattern, str(len(specials)), *specials, *merges, ""])


def read(text: str) -> Tokenizer:
    return formats.read(text.encode(), "t.model")


def plain_encode(piece: bytes) -> list[int]:
    """The merge that comes first, everywhere; again and again."""
    numbers = {pair: 256 + rank for rank, pair in enumerate(MERGES)}
    ids = list(piece)
    while True:
        pairs = [pair for pair in pairwise(ids) if pair in numbers]
        if not pairs:
            return ids
        best = min(pairs, key=numbers.__getitem__)
        made: list[int] = []
        for symbol in ids:
            made.append(symbol)
            if tuple(made[-2:]) == best:
                made[-2:] = [numbers[best]]
        ids = made


def test_a_model() -> None:
    assert minbpe.sniff(text_of().encode()[:12])
    tok = read(text_of())
    assert tok.pattern is PRESETS["gpt2"]
    assert (tok.engine, tok.notes) == ("merges", ())
    assert tok.special_ids == {"<|end of text|>": 300, "a b c": 301}
    assert tok.merges == [(left, right, 256 + rank) for rank, (left, right) in enumerate(MERGES)]
    assert tok.encode("ab<|end of text|>", allowed_special="all") == [256, 300]
    chance = random.Random(4)
    for _ in range(200):
        text = "".join(chance.choices("abc é", k=12))
        pieces = regex.findall(PATTERN, text)
        assert tok.encode(text) == [i for piece in pieces for i in plain_encode(piece.encode())]


def test_without_a_pattern() -> None:
    tok = read(text_of("", (), ("97 32", "256 98")))
    assert tok.pattern is OTHERS["whole"]
    assert tok.encode("a ba b") == [257, 257]


def test_line_ends_and_a_mark_in_front() -> None:
    plain = read(text_of())
    for text in (text_of().replace("\n", "\r\n"), "\ufeff" + text_of(), text_of().strip()):
        assert read(text).merges == plain.merges
        assert read(text).special_ids == plain.special_ids
    assert read(text_of(merges=())).merges == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("minbpe v2\n", "line 1 must be 'minbpe v1', not \"minbpe v2\""),
        ("minbpe v1", "line 2 is missing: the pattern should stand there"),
        ("minbpe v1\n(\n0\n", "line 2: the pattern cannot be used: The pattern '(' is"),
        ("minbpe v1\n\n-1\n", "line 3 must be the number of specials"),
        ("minbpe v1\n\n99999999999\n", "line 3 must be the number of specials"),
        ("minbpe v1\n\n1", "line 4 is missing: a special and its id should stand there"),
        (text_of(specials=("<eos>",)), "line 4 must be a special, a space and its id"),
        (text_of(specials=(" 300",)), "line 4 must be a special"),
        (text_of(specials=("<eos> 4294967296",)), "line 4 must be a special"),
        (text_of(specials=("a 300", "b 300")), "line 5 has a special or an id that an earlier"),
        (text_of(specials=("a 300", "a 301")), "line 5 has a special or an id"),
        (text_of(specials=("a 97",)), 'the special "a" has the id 97, as a token has'),
        (text_of(specials=("a 256",)), 'the special "a" has the id 256, as a token has'),
        (text_of(specials=(), merges=("97 256",)), "line 4 uses the id 256, which no earlier"),
        (text_of(specials=(), merges=("97 300",)), "line 4 uses the id 300, which no earlier"),
        (text_of(specials=(), merges=("97 98", "97 98")), "line 5 has a merge that an earlier"),
        (text_of(specials=(), merges=("97",)), "line 4 must be a merge: two ids"),
        (text_of(specials=(), merges=("97 98 99",)), "line 4 must be a merge"),
        (text_of(specials=(), merges=("97 -1",)), "line 4 must be a merge"),
        (text_of(specials=(), merges=("97 1.5",)), "line 4 must be a merge"),
        (text_of(specials=(), merges=("97 ٩",)), "line 4 must be a merge"),
        (text_of(specials=(), merges=("97 " + "9" * 5000,)), "line 4 must be a merge"),
        (text_of(specials=(), merges=("97 98", "", "97 99")), "line 5 must be a merge"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        read(text)
    assert str(caught.value).startswith(f"t.model: {message}")
    assert str(caught.value).endswith(".")


def test_tokens_that_double_are_stopped() -> None:
    merges = ("97 97", *(f"{256 + rank} {256 + rank}" for rank in range(60)))
    with pytest.raises(ValueError, match=r"^t.model: line 24 makes a token of 2,097,152 bytes"):
        read(text_of(specials=(), merges=merges))


def test_what_is_no_text() -> None:
    with pytest.raises(ValueError, match=r"^t.model: line 3 is not valid UTF-8\.$"):
        formats.read(b"minbpe v1\n\n\xff\n", "t.model")
