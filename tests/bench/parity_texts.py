"""What tokenizers are compared on: documents of some lines, and texts of chance."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bpe_studio.bpe.tokenizer import Tokenizer
from tests.texts import HARD_PARTS
from tests.unicode_differences import read_differences

SAMPLE: Final = Path("bpe_studio/resources/sample.txt")
DIFFERENT: Final = read_differences()
_DOCUMENT: Final = 8192  # characters
_RANDOM: Final = 4000


@dataclass
class Texts:
    """One source of documents.

    Attributes
    ----------
    name : str
    documents : list of str
    left_out : int
        Lines with a character on which the versions of Unicode differ.
    """

    name: str
    documents: list[str]
    left_out: int = 0


def texts_of(path: Path, size: int) -> Texts:
    """The first `size` bytes of a file, without the lines that programs see differently."""
    with path.open("rb") as file:
        lines = file.read(size).decode("utf-8", "ignore").split("\n")
    kept = [line for line in lines if DIFFERENT.isdisjoint(line)]
    return Texts(path.name, list(_documents(kept)), len(lines) - len(kept))


def _documents(lines: Sequence[str]) -> Iterator[str]:
    """Lines together until they are long enough; the last has no end of a line."""
    waiting: list[str] = []
    length = 0
    for line in lines:
        waiting.append(line)
        length += len(line) + 1
        if length >= _DOCUMENT:
            yield "\n".join(waiting) + "\n"
            waiting, length = [], 0
    if waiting:
        yield "\n".join(waiting)


def random_texts(tokenizer: Tokenizer, sample: str) -> Texts:
    """Hard characters, words of the sample, tokens and specials of the tokenizer, any of them
    beside any other; the same for the same tokenizer."""
    chance = random.Random(20)
    words = sample.split(" ")
    specials = [*tokenizer.specials, *(token.content for token in tokenizer.rules.added)]
    specials = chance.sample(specials, min(len(specials), 40)) or [""]
    tokens = [_text(token) for token in chance.sample(tokenizer.table.token_list, 200)]

    def part() -> str:
        kind = chance.randrange(12)
        if kind < 3:
            return chance.choice(HARD_PARTS)
        if kind < 5:
            return chance.choice(words)
        if kind < 7:
            return chance.choice(tokens)
        if kind == 7:
            return chance.choice(specials)
        if kind == 8:
            return chance.choice(" \n\t▁") * chance.randrange(1, 20)
        if kind == 9:
            return chr(chance.choice((chance.randrange(0x250), chance.randrange(0x3000))))
        if kind == 10:
            return chr(chance.choice((chance.randrange(0xD800), chance.randrange(0xE000, 0x20000))))
        return " "

    documents = [
        "".join(
            c for c in "".join(part() for _ in range(chance.randrange(40))) if c not in DIFFERENT
        )
        for _ in range(_RANDOM)
    ]
    return Texts("random", documents)


def _text(token: bytes) -> str:
    return token.decode("utf-8", "ignore")
