"""Where a text, a token or an id stands in a text: by arrays, so that 10 MB are no matter."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.row_filter import plain
from bpe_studio.gui.models.token_details import shorten
from bpe_studio.gui.models.token_layout import TokenLayout

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

PLACES = ("Character", "Byte")
"""Kinds that are gone to; the others are found."""
KINDS = ("Text", "Token", "Id", *PLACES)
NO_TOKEN = "No such token"
NOT_YET = "Not at this size"
SLICE = 1 << 22  # characters looked at between two turns of other threads
OVERLAPPING = 1 << 16


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for: one of KINDS, as it was typed."""

    kind: str
    wanted: str
    any_case: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Where it is: (n, 2) characters of the text, in order; for tokens also which tokens."""

    spans: NDArray[np.int64]
    tokens: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.spans)


def search(
    question: Question,
    text: str,
    layout: TokenLayout | None,
    tokenizer: Tokenizer | None,
    *,
    whole: Tokenizer | None = None,
) -> Generator[None, None, Hits]:
    """Look for something in a text, or among its tokens.

    `whole` is the tokenizer with all its merges, where the other has but the first of them.

    Raises
    ------
    ValueError
        What was typed cannot be looked for; why, in a sentence.
    """
    if question.kind == "Text":
        starts = yield from find_text(text, question.wanted, any_case=question.any_case)
        return Hits(np.stack((starts, starts + len(question.wanted)), axis=1))
    if question.kind in PLACES:
        return _place(question, text)
    if layout is None or tokenizer is None:
        raise ValueError("The text has no tokens here.")
    ids = _ids(question, tokenizer)
    if not ids:
        known_later = whole is not None and _ids(question, whole)
        raise ValueError(NOT_YET if known_later else NO_TOKEN)
    tokens = tokens_with(layout, ids)
    return Hits(layout.characters[tokens].astype(np.int64), tokens)


def find_text(
    text: str, wanted: str, *, any_case: bool = False
) -> Generator[None, None, NDArray[np.int64]]:
    """Return the characters at which a text begins in another, (n,), in order; none overlap.

    With `any_case` ASCII letters match in both cases.
    """
    if not wanted or len(wanted) > len(text):
        return np.empty(0, np.int64)
    parts = []
    for start in range(0, len(text), SLICE):
        codes = _codes(text[start : start + SLICE + len(wanted) - 1], any_case)
        parts.append(_places(codes, _codes(wanted, any_case).tolist()) + start)
        yield
    return (yield from _without_overlap(np.concatenate(parts), len(wanted)))


def ids_written(tokenizer: Tokenizer, written: str) -> list[int]:
    """Return the ids of the tokens with these bytes, written as they are shown or as text.

    >>> ids_written(tokenizer, "␠low"), ids_written(tokenizer, "⟨E2 82⟩")  # doctest: +SKIP
    ([2093], [158])
    """
    found = [number for name, number in tokenizer.special_ids.items() if name == written]
    for data in dict.fromkeys((written.encode("utf-8", "replace"), plain(written))):
        number = tokenizer.table.find(data) if data else None
        if number is not None and number not in found:
            found.append(number)
    return found


def tokens_with(layout: TokenLayout, ids: list[int]) -> NDArray[np.int64]:
    """Return which tokens of a text have one of these ids."""
    mask = np.zeros(len(layout), np.bool_)
    for number in ids:
        mask |= layout.ids == number
    return np.flatnonzero(mask)


def character_of_byte(text: str, byte: int) -> int:
    """Return the character of a text that a byte of its UTF-8 is in.

    Raises
    ------
    ValueError
        The text has no such byte.
    """
    data = text.encode()
    if byte > len(data):
        raise ValueError(f"The text has {len(data):,} bytes.")
    return len(data[:byte].decode("utf-8", "ignore"))


def _ids(question: Question, tokenizer: Tokenizer) -> list[int]:
    if question.kind == "Id":
        number = _number(question.wanted)
        known = number in tokenizer.table or tokenizer.is_special(number)
        return [number] if known else []
    return ids_written(tokenizer, question.wanted)


def _place(question: Question, text: str) -> Hits:
    """The character at an offset; after the last one there is an empty place."""
    number = _number(question.wanted)
    if question.kind == "Byte":
        number = character_of_byte(text, number)
    elif number > len(text):
        raise ValueError(f"The text has {len(text):,} characters.")
    return Hits(np.array([[number, min(number + 1, len(text))]], np.int64))


def _number(typed: str) -> int:
    digits = typed.strip().lstrip("#").replace(",", "").replace("_", "")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 12):
        raise ValueError(f"This takes a whole number, not {shorten(typed, 20)!r}.")
    return int(digits)


def _codes(text: str, any_case: bool) -> NDArray[np.unsignedinteger]:
    kind, coding = (np.uint8, "ascii") if text.isascii() else (np.uint32, "utf-32-le")
    codes = np.frombuffer(text.encode(coding, "surrogatepass"), kind)
    if any_case:
        capital = (codes >= ord("A")) & (codes <= ord("Z"))
        codes = codes + 32 * capital.astype(codes.dtype)
    return codes


def _places(codes: NDArray[np.unsignedinteger], wanted: list[int]) -> NDArray[np.int64]:
    last = len(codes) - len(wanted) + 1
    places = np.flatnonzero(codes[: max(last, 0)] == wanted[0])
    for offset, code in enumerate(wanted[1:], start=1):
        if not len(places):
            break
        places = places[codes[places + offset] == code]
    return places


def _without_overlap(
    places: NDArray[np.int64], length: int
) -> Generator[None, None, NDArray[np.int64]]:
    """Of places that overlap, keep the first, and go on after it."""
    if len(places) < 2 or (np.diff(places) >= length).all():
        return places
    kept, end = [], -1
    for first in range(0, len(places), OVERLAPPING):
        for place in places[first : first + OVERLAPPING].tolist():
            if place >= end:
                kept.append(place)
                end = place + length
        yield
    return np.array(kept, np.int64)
