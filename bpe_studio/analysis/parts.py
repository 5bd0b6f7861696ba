"""A special or a piece of a text, with its places; and what can be asked about."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.stretch import Stretch
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.traced_text import check_traceable


@dataclass(frozen=True, slots=True)
class Part:
    """A special, or a piece that the pattern made.

    Attributes
    ----------
    start, end : int
        Characters in the text.
    byte_start : int
        Bytes of the text before it.
    text : str
    special : int or None
        The id of a special; None for a piece.
    alternative : int or None
        Which of ``pattern.alternatives`` made the piece; None for a special, and for a piece that
        the rules of the tokenizer have made.
    edited : Stretch or None
        The text of the piece, which knows where it came from, where the tokenizer has changed it.
    places : int64 array or None
        Where each character of the whole text begins in bytes, for an edited piece.
    raw : bytes or None
        The bytes of a piece that is no text, for a token that is none.
    unknown : bool
        `special` is the token of text that the table cannot spell.
    """

    start: int
    end: int
    byte_start: int
    text: str
    special: int | None
    alternative: int | None
    edited: Stretch | None = None
    places: NDArray[np.int64] | None = None
    raw: bytes | None = None
    unknown: bool = False

    @property
    def data(self) -> bytes:
        return self.text.encode() if self.raw is None else self.raw

    def bytes_of(self, start: int, end: int) -> tuple[int, int]:
        """The bytes of the piece that characters start:end of the text became."""
        if self.edited is not None and self.edited.origin is not None:
            origin = self.edited.origin
            inside = np.flatnonzero((origin.starts < end) & (origin.stops > start))
            first, last = (int(inside[0]), int(inside[-1]) + 1) if len(inside) else (0, 0)
        else:
            first, last = max(start - self.start, 0), max(end - self.start, 0)
        begin = len(self.text[:first].encode())
        return begin, begin + len(self.text[first:last].encode())

    def character_at(self, byte: int) -> int:
        """The character of the text that stands at a byte of the piece."""
        inside = len(self.data[:byte].decode("utf-8", "ignore"))
        if self.edited is None:
            return self.start + inside
        return (
            self.edited.original_span(inside, inside + 1)[0]
            if inside < len(self.text)
            else self.end
        )


def check_span(text: str, start: int, end: int) -> None:
    """Refuses a span that is empty or not in the text.

    Raises
    ------
    ValueError
    """
    if start < 0 or end > len(text):
        raise ValueError(
            f"The span {start}:{end} is not in the text, which has {len(text):,} characters."
        )
    if start >= end:
        raise ValueError(
            f"The span {start}:{end} holds no character; its end must be after its start."
        )


def check_text(text: str) -> None:
    """Refuses a text that no UTF-8 can hold.

    Raises
    ------
    ValueError
        With the position of the lone surrogate.
    """
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        raise ValueError(
            f"The text holds a lone surrogate (U+{code:04X}) at character {error.start:,}; "
            "replace it, for example with U+FFFD."
        ) from None


def check_explainable(tokenizer: Tokenizer) -> None:
    """Refuses a tokenizer whose merges cannot be followed.

    Raises
    ------
    ValueError
    """
    check_traceable(tokenizer)
