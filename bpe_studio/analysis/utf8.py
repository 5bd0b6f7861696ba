"""Tokens that hold half of a character, and the characters that could stand around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, product
from typing import Final, Literal
from unicodedata import category

Utf8 = Literal["valid", "never", "begins", "ends", "both"]

_CONTINUATIONS: Final = range(0x80, 0xC0)
_LEADS: Final = range(0xC2, 0xF5)


def classify(data: bytes) -> Utf8:
    """What bytes are as a part of UTF-8 text.

    ``"valid"`` whole characters; ``"begins"``, ``"ends"`` or ``"both"`` inside a character;
    ``"never"`` in any text.

    >>> [classify(b) for b in (b"a", b"\\xa9", b"a\\xc3", b"\\xa9\\xc3", b"\\xc0")]
    ['valid', 'begins', 'ends', 'both', 'never']
    """
    if is_text(data):
        return "valid"
    head = leading_continuations(data)
    if head > 3:
        return "never"
    ends = False
    try:
        data[head:].decode()
    except UnicodeDecodeError as error:
        if error.reason != "unexpected end of data":
            return "never"
        ends = True
    if ends:
        return "both" if head else "ends"
    return "begins"


def is_text(data: bytes) -> bool:
    """Whether bytes are whole characters."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def leading_continuations(data: bytes) -> int:
    """How many bytes 80–BF come before anything else."""
    return next((n for n, byte in enumerate(data) if not 0x80 <= byte < 0xC0), len(data))


def unfinished(data: bytes) -> bytes:
    """The part of a character at the end of bytes: ``b"a\\xe2\\x82" -> b"\\xe2\\x82"``."""
    for width in range(min(3, len(data)), 0, -1):
        part = data[-width:]
        if part[0] in _LEADS and len(part) < _width(part[0]):
            return part
    return b""


def completions(data: bytes, most: int = 400) -> Iterator[tuple[bytes, bytes]]:
    """(before, after) so that ``before + data + after`` is whole characters, likely ones first."""
    kind = classify(data)
    if kind in ("valid", "never"):
        if kind == "valid":
            yield b"", b""
        return
    head = data[: leading_continuations(data)]
    befores = heads(head) if head else (b"",)
    afters = tails(unfinished(data)) if kind in ("ends", "both") else (b"",)
    pairs: Iterable[tuple[bytes, bytes]] = _diagonal(befores, afters)
    if head == data:
        # All of it may lie in the middle of one character, too.
        pairs = chain(pairs, ((h, t) for h in _open_heads(head) for t in tails(h + head)[:64]))
    for count, pair in enumerate(pairs):
        if count == most:
            return
        yield pair


def _diagonal(
    befores: tuple[bytes, ...], afters: tuple[bytes, ...]
) -> Iterator[tuple[bytes, bytes]]:
    """All pairs, those of two early members first."""
    for total in range(len(befores) + len(afters) - 1):
        for i in range(max(0, total - len(afters) + 1), min(total + 1, len(befores))):
            yield befores[i], afters[total - i]


def _width(lead: int) -> int:
    return 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


@lru_cache(maxsize=512)
def tails(start: bytes) -> tuple[bytes, ...]:
    """Continuations that finish a character: every next byte, and every class of character."""
    missing = _width(start[0]) - len(start)
    fillings = (b"\x80", b"\xa5", b"\xbf") if missing > 1 else (b"",)
    rest = [bytes([b]) + f * (missing - 1) for b in _CONTINUATIONS for f in fillings]
    return _one_of_each_class_first([(start + r, r) for r in rest])


@lru_cache(maxsize=512)
def heads(end: bytes) -> tuple[bytes, ...]:
    """First bytes that make a whole character of its last bytes: every lead, every class."""
    return _one_of_each_class_first([(h + end, h) for h in _starts() if len(h) == _missing(h, end)])


def _missing(head: bytes, end: bytes) -> int:
    return _width(head[0]) - len(end)


def _open_heads(middle: bytes) -> list[bytes]:
    """First bytes after which `middle` leaves the character unfinished."""
    wanted = (h for h in _starts() if _width(h[0]) > len(h) + len(middle))
    return [h for h in wanted if _begins_character(h + middle)]


@lru_cache(maxsize=1)
def _starts() -> tuple[bytes, ...]:
    """Every lead byte, alone and with some continuations."""
    middles = (b"", *(bytes([b]) for b in _CONTINUATIONS), b"\x90\x80", b"\x9f\x98", b"\x80\xbf")
    return tuple(
        bytes([lead]) + middle
        for middle, lead in product(middles, _LEADS)
        if len(middle) + 1 < _width(lead)
    )


def _begins_character(data: bytes) -> bool:
    return classify(data) == "ends"


def _one_of_each_class_first(found: list[tuple[bytes, bytes]]) -> tuple[bytes, ...]:
    """Keeps what is a character; of (character, answer) pairs the answers are returned."""
    valid = []
    for data, answer in found:
        try:
            valid.append((data.decode(), answer))
        except UnicodeDecodeError:
            continue
    first: dict[str, bytes] = {}
    for character, answer in valid:
        first.setdefault(_class_of(character), answer)
    return tuple(dict.fromkeys([*first.values(), *(answer for _, answer in valid)]))


def _class_of(character: str) -> str:
    """Patterns tell letters, marks and numbers apart, and of the rest little."""
    name = category(character)
    return name if name[0] in "LMN" else name[0]
