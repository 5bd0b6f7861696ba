"""How the vocabulary of a Hugging Face file spells bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bpe_studio.formats.ranks.byte_alphabet import to_bytes

__all__ = ["BYTE_TOKEN", "Spelling"]

#: How a byte is spelled where the vocabulary falls back to bytes.
BYTE_TOKEN: Final = re.compile(r"<0x([0-9A-F]{2})>")


@dataclass(frozen=True, slots=True)
class Spelling:
    """
    Attributes
    ----------
    byte_level : bool
        Whether tokens are written in the byte alphabet.
    mark : str
        The character that stands for a space; empty where none does.
    """

    byte_level: bool = False
    mark: str = ""

    def bytes_of(self, token: str) -> bytes | None:
        """The bytes of a token; None where no text can give it, whatever the merges are.

        >>> Spelling(byte_level=True).bytes_of("Ġlow"), Spelling(mark="▁").bytes_of("▁low")
        (b' low', b' low')
        """
        if self.byte_level:
            return to_bytes(token)
        if not self.mark:
            return token.encode()
        return None if " " in token else token.replace(self.mark, " ").encode()
