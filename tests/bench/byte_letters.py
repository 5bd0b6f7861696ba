"""The GPT-2 byte alphabet, in which several peers spell their tokens."""

from __future__ import annotations

from functools import cache


@cache
def _bytes_by_letter() -> dict[str, int]:
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    letters = {chr(byte): byte for byte in printable}
    return letters | {chr(256 + place): byte for place, byte in enumerate(others)}


@cache
def _letters_by_byte() -> dict[int, str]:
    return {byte: letter for letter, byte in _bytes_by_letter().items()}


def bytes_of(token: str) -> bytes:
    """The bytes that a token spells.

    >>> bytes_of("Ġlow")
    b' low'
    """
    table = _bytes_by_letter()
    return bytes(table[letter] for letter in token)


def letters_of(token: bytes) -> str:
    """How these bytes are spelled.

    >>> letters_of(b" low")
    'Ġlow'
    """
    table = _letters_by_byte()
    return "".join(table[byte] for byte in token)
