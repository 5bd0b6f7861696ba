"""The GPT-2 byte alphabet: every byte as one printable character, so that tokens are JSON strings.

A printable byte is the Latin-1 character of its number; the others are those from U+0100 on.
"""

from __future__ import annotations

from typing import Final

from bpe_studio.bpe.table import gpt2_byte_order

__all__ = ["LETTERS", "to_bytes", "to_text"]

_PRINTABLE: Final = 188  # as many bytes come first in the order, and keep their character


def _letters() -> str:
    order = gpt2_byte_order()
    letter = {byte: chr(byte) for byte in order[:_PRINTABLE]}
    letter |= {byte: chr(0x100 + place) for place, byte in enumerate(order[_PRINTABLE:])}
    return "".join(letter[byte] for byte in range(256))


class _Bytes(dict[int, int]):
    """Code point of a letter → its byte; any other code point → one that Latin-1 lacks."""

    def __missing__(self, point: int) -> int:
        return 0x100


#: The letter of every byte, by value.
LETTERS: Final = _letters()
_LETTER_OF: Final = dict(enumerate(LETTERS))
_BYTE_OF: Final = _Bytes({ord(letter): byte for byte, letter in enumerate(LETTERS)})


def to_bytes(text: str) -> bytes | None:
    """The bytes that are spelled; None where a character is not of the alphabet.

    >>> to_bytes("Ġlow"), to_bytes("a b")
    (b' low', None)
    """
    try:
        return text.translate(_BYTE_OF).encode("latin-1")
    except UnicodeEncodeError:
        return None


def to_text(data: bytes) -> str:
    """Bytes in the alphabet.

    >>> to_text(b" low")
    'Ġlow'
    """
    return data.decode("latin-1").translate(_LETTER_OF)
