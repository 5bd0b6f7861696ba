"""The words of a command line that are more than one value."""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal

import typer

__all__ = [
    "PATTERN_NAMES",
    "AllowSpecial",
    "Base",
    "TablePattern",
    "TextKey",
    "Ties",
    "VocabSize",
    "parse_allowed_special",
    "parse_range",
    "parse_share",
    "parse_size",
    "parse_specials",
    "spread_lists",
    "whole_number",
]


class Base(StrEnum):
    bytes = "bytes"
    chars = "chars"


class Ties(StrEnum):
    first_seen = "first-seen"
    smallest_ids = "smallest-ids"


def whole_number(text: str | int) -> int:
    """`8000` → 8000; ValueError in one sentence for what is no whole number."""
    number = str(text).strip()
    if not re.fullmatch("[+-]?[0-9]{1,18}", number):
        raise ValueError(f"{number[:20]!r} is no whole number")
    return int(number)


# Written out, because the module that has them takes a while to import.
PATTERN_NAMES = "classic, gpt2, cl100k, llama3, qwen2, o200k, tekken"

TablePattern = Annotated[
    str | None,
    typer.Option(
        "--pattern",
        metavar="NAME|REGEX",
        help=f"How a text is cut, where the file of a TABLE does not tell it: {PATTERN_NAMES}, "
        "or an expression.",
    ),
]

TextKey = Annotated[
    str | None,
    typer.Option(
        "--text-key",
        metavar="KEY",
        help="Key of the text in .jsonl rows, or its column in .parquet (default: text).",
    ),
]

AllowSpecial = Annotated[
    str | None,
    typer.Option(
        "--allow-special",
        metavar="all|none|A,B",
        help="Specials that are recognised in the text; without this the table decides.",
    ),
]

VocabSize = Annotated[
    int | None,
    typer.Option(
        "--vocab-size",
        metavar="N",
        parser=whole_number,
        help="Use only the first merges of the table, as many as make a vocabulary of N tokens.",
    ),
]

# Options that take no word, of the commands below.
_FLAGS = ("--json", "--probe", "--help", "-h")
# Options that take several words, and how many other words their command needs.
_LISTS = {
    "health": (("--corpus",), 1),
    "compare": (("--text", "--corpus", "--parallel"), 2),
    "explain": (("--corpus",), 0),
}


def spread_lists(arguments: list[str]) -> list[str]:
    """`--corpus a b` → `--corpus a --corpus b`, which is what the parser understands.

    Where the command's own words come last, they are left to it:
    `health --corpus a b TABLE` → `health --corpus a --corpus b TABLE`. What follows `--` are words
    of the command.
    """
    if "--" not in arguments:
        return _spread(arguments, alone=True)
    at = arguments.index("--")
    return [*_spread(arguments[:at], alone=False), *arguments[at:]]


def _spread(arguments: list[str], *, alone: bool) -> list[str]:
    """As `spread_lists`; `alone`: no words of the command follow elsewhere."""
    options, needed = _LISTS.get(arguments[0] if arguments else "", ((), 0))
    if not set(options) & set(arguments):
        return arguments
    spread, others = [arguments[0]], 0
    lists: list[tuple[str, list[str]]] = []
    takes_words = takes_one = False
    for word in arguments[1:]:
        if word.startswith("-") and word != "-":
            takes_words = word in options
            takes_one = not takes_words and word not in _FLAGS and "=" not in word
            if takes_words:
                lists.append((word, []))
            else:
                spread.append(word)
        elif takes_words:
            lists[-1][1].append(word)
        else:
            # The word after another option belongs to that.
            others += not takes_one
            takes_one = False
            spread.append(word)
    if not all(words for _, words in lists):
        return arguments  # the parser will say what is missing
    own = _own_words([words for _, words in lists], needed - others if alone else 0)
    return [*spread, *(part for name, words in lists for word in words for part in (name, word)),
            *own]  # fmt: skip


def _own_words(lists: list[list[str]], wanted: int) -> list[str]:
    """Takes from the end of the last list that can spare some what the command needs itself."""
    for words in reversed(lists):
        if wanted > 0 and len(words) > 1:
            at = max(len(words) - wanted, 1)
            words[at:], own = [], words[at:]
            return own
    return []


def parse_share(text: str | float) -> float:
    """`2%` and `0.02` → 0.02; ValueError in one sentence for what is no share below the whole."""
    number = str(text).strip()
    match = re.fullmatch(r"([0-9]{0,18}(?:\.[0-9]{0,18})?) ?(%?)", number)
    if match is None or not any(map(str.isdigit, match[1])):
        raise ValueError(f"{number[:20]!r} is no share; write it as 2% or 0.02")
    # As decimals: 7 / 100 is not the number that 0.07 is.
    share = float(Decimal(match[1]) / 100 if match[2] else Decimal(match[1]))
    if share >= 1:
        raise ValueError(f"{number[:20]!r} is the whole or more; write a share as 2% or 0.02")
    return share


def parse_specials(text: str | None) -> tuple[str, ...] | None:
    """`default`, `none` or a list of names with commas between them."""
    if text is None:
        return None
    if text == "default":
        from bpe_studio.api import DEFAULT_SPECIALS

        return DEFAULT_SPECIALS
    return () if text == "none" else tuple(text.split(","))


def parse_allowed_special(text: str | None) -> Collection[str] | Literal["all"] | None:
    """`all`, `none` or a list of names with commas; None leaves it to the table."""
    if text is None or text == "all":
        return "all" if text else None
    return () if text == "none" else tuple(text.split(","))


def parse_size(text: str) -> tuple[int, int]:
    """`1280x800` → (1280, 800); ValueError for anything else."""
    width, _, height = text.lower().partition("x")
    if width.isdecimal() and height.isdecimal():
        size = int(width), int(height)
        if min(size) >= 100 and max(size) <= 16_384:
            return size
    raise ValueError(f"{text!r} is no size; write it as 1280x800, from 100 to 16384 each")


def parse_range(text: str) -> tuple[int, int]:
    """`4:10` → (4, 10); ValueError for anything else, and where nothing lies between."""
    start, _, end = text.partition(":")
    if start.isdecimal() and end.isdecimal() and int(start) < int(end):
        return int(start), int(end)
    raise ValueError(f"{text!r} is no span; write it as 4:10, the first character and the end")
