"""What is said about one token, wherever it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.legible import legible

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

MOST_BYTES = 48
MOST_CHARACTERS = 64


@dataclass(frozen=True, slots=True)
class TokenDetails:
    """One token: its id, bytes, how it reads, and the ranks of the merges that make it."""

    id: int
    data: bytes
    readable: str
    ranks: tuple[int, ...]
    special: bool
    partial: bool

    @property
    def hex(self) -> str:
        """The bytes in hexadecimal, cut after a while."""
        rest = len(self.data) - MOST_BYTES
        shown = self.data[:MOST_BYTES].hex(" ").upper()
        return f"{shown} … {rest:,} more" if rest > 0 else shown

    @property
    def short(self) -> str:
        """How it reads, cut after a while."""
        return shorten(self.readable)

    @property
    def made(self) -> str:
        """By which merge it is made, in words."""
        if self.special:
            return "special token"
        if not self.ranks:
            one = len(self.data) == 1 or (not self.partial and len(self.data.decode()) == 1)
            return "base symbol" if one else "no merge"
        ranks = ", ".join(f"{rank:,}" for rank in self.ranks[:4])
        more = " …" if len(self.ranks) > 4 else ""
        return f"rank {ranks}{more}" if len(self.ranks) == 1 else f"ranks {ranks}{more}"


def describe(tokenizer: Tokenizer, token_id: int) -> TokenDetails:
    """Return what is to be said about a token.

    Raises
    ------
    ValueError
        When no token has this id.
    """
    data = tokenizer.token_bytes(token_id)
    special = tokenizer.is_special(token_id)
    return TokenDetails(
        id=token_id,
        data=data,
        readable=data.decode() if special else readable(data),
        ranks=() if special else tokenizer.table.ranks_of(token_id),
        special=special,
        partial=not special and is_partial(data),
    )


def is_partial(data: bytes) -> bool:
    """Whether the bytes are not whole characters.

    >>> is_partial("é".encode()), is_partial("é".encode()[:1])
    (False, True)
    """
    try:
        data.decode()
    except UnicodeDecodeError:
        return True
    return False


def shorten(text: str, most: int = MOST_CHARACTERS) -> str:
    """Cut a text for display."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def tooltip(
    details: TokenDetails,
    *,
    span: tuple[int, int] | None = None,
    rows: Sequence[tuple[str, str]] = (),
) -> str:
    """Return the tooltip as rich text, with more `rows` at its end; everything is escaped."""
    told = [("id", f"{details.id:,}"), ("bytes", details.hex), ("made by", details.made)]
    if span is not None:
        told.append(("in the text", f"bytes {span[0]:,} to {span[1]:,}"))
    if details.partial:
        told.append(("note", "not whole characters"))
    cells = "".join(
        f"<tr><td style='padding-right:8px'>{escape(name)}</td><td>{escape(value)}</td></tr>"
        for name, value in (*told, *rows)
    )
    name = escape(legible(details.short))
    return f"<p style='white-space:pre'><b>{name}</b></p><table>{cells}</table>"
