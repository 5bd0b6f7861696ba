"""Running the edits of a normalizer: the changes that a step makes to a text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe import chars_map
from bpe_studio.bpe.cutting import TIMEOUT_SECONDS, PatternTimeoutError, compiled
from bpe_studio.bpe.edits import (
    CharsMap,
    Edit,
    Form,
    Lowercase,
    Nmt,
    Prepend,
    Replace,
    Strip,
    StripAccents,
    Unicode,
)
from bpe_studio.bpe.stretch import Change

__all__ = ["changes_of"]

_CHANGES, _FOLLOWS = 1, 2
_SLICE_CHARS = 1 << 20
_WHITE_SPACE = r"\p{White_Space}"
# As Hugging Face has them: what goes, and what becomes a space.
_NMT_GONE = r"[\u0001-\u0008\u000B\u000E-\u001F\u007F\u008F\u009F]"
_NMT_SPACE = r"[\u0009\u000A\u000C\u000D\u1680\u200B-\u200F\u2028\u2029\u2581\uFEFF\uFFFD]"


def changes_of(step: Edit, text: str, *, first: bool) -> list[Change]:
    """What a step changes, in order; nothing that stays as it is.

    Parameters
    ----------
    first : bool
        Whether the whole text begins with this part.
    """
    match step:
        case Unicode(form):
            return _normalized(form, text)
        case Replace(expression, new):
            return _replaced(expression, new, text)
        case Prepend(new, unless_there, first_only):
            there = unless_there and text.startswith(new)
            wanted = text and not there and (first or not first_only)
            return [(0, 0, new)] if wanted else []
        case Lowercase():
            return _lower(text)
        case Strip(left, right):
            return _stripped(left, right, text)
        case StripAccents():
            return _replaced(r"\p{M}+", "", text)
        case Nmt():
            return _nmt(text)
        case CharsMap(data, by_grapheme, kept):
            return chars_map.edits(data, text, by_grapheme=by_grapheme, kept=kept)


def _replaced(expression: str, new: str, text: str) -> list[Change]:
    try:
        return [
            (*match.span(), new)
            for match in compiled(expression).finditer(text, timeout=TIMEOUT_SECONDS)
            if match.group() != new
        ]
    except TimeoutError:
        raise PatternTimeoutError(expression) from None


def _lower(text: str) -> list[Change]:
    if text.islower():
        return []
    return [
        (place, place + 1, lower)
        for place, char in enumerate(text)
        if (lower := char.lower()) != char
    ]


def _stripped(left: bool, right: bool, text: str) -> list[Change]:
    begin, end = 0, len(text)
    if left and (match := compiled(f"{_WHITE_SPACE}+").match(text)):
        begin = match.end()
    if right and begin < end and (match := compiled(f"(?r){_WHITE_SPACE}+").match(text)):
        end = match.start()
    return [(a, b, "") for a, b in ((0, begin), (end, len(text))) if a < b]


def _nmt(text: str) -> list[Change]:
    found = compiled(f"{_NMT_GONE}|{_NMT_SPACE}").finditer(text)
    gone = compiled(_NMT_GONE)
    return [(*match.span(), "" if gone.match(match.group()) else " ") for match in found]


def _normalized(form: Form, text: str) -> list[Change]:
    if text.isascii() or unicodedata.is_normalized(form, text):
        return []
    changes: list[Change] = []
    kinds = _kinds(form)
    end = 0
    for place in _livelies(kinds, text):
        if place < end:
            continue
        # A character, and what may be reordered or composed with it.
        begin = place - 1 if kinds[ord(text[place])] == _FOLLOWS and place > end else place
        end = place + 1
        while end < len(text) and kinds[ord(text[end])] == _FOLLOWS:
            end += 1
        old = text[begin:end]
        new = unicodedata.normalize(form, old)
        if new != old:
            changes.append((begin, end, new))
    return changes


def _livelies(kinds: NDArray[np.uint8], text: str) -> Iterator[int]:
    """The places of characters that a form may change, alone or with others."""
    for begin in range(0, len(text), _SLICE_CHARS):
        part = text[begin : begin + _SLICE_CHARS]
        if not part.isascii():
            points = np.frombuffer(part.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
            yield from (np.flatnonzero(kinds[points]) + begin).tolist()


@lru_cache(maxsize=4)
def _kinds(form: Form) -> NDArray[np.uint8]:
    """By code point: what changes alone, and what may change with the character before it."""
    kinds = np.zeros(0x110000, dtype=np.uint8)
    seconds = _composing()
    full: Form = "NFKD" if "K" in form else "NFD"
    for point in (*range(0x80, 0xD800), *range(0xE000, 0x110000)):
        char = chr(point)
        first = unicodedata.normalize(full, char)[0]
        if unicodedata.combining(first) or first in seconds:
            kinds[point] = _FOLLOWS
        elif first != char or unicodedata.normalize(form, char) != char:
            kinds[point] = _CHANGES
    return kinds


@lru_cache(maxsize=1)
def _composing() -> frozenset[str]:
    """The characters that may become one with the character before them."""
    found = set(map(chr, [*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)]))
    for point in range(0x80, 0x110000):
        parts = unicodedata.decomposition(chr(point)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            found.add(chr(int(parts[1], 16)))
    return frozenset(found)
