"""One line that says what the token under the pointer is, byte by byte."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.token_details import describe, shorten
from bpe_studio.gui.models.token_layout import BEGINS_INSIDE, TokenLayout
from bpe_studio.gui.widgets.token_chips import Chip, TokenChips, token_chip

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

HINT = "Point at a token for its bytes; click, or walk with Alt+arrows."
MOST_PARTS = 12


def parts_of_character(layout: TokenLayout, token: int) -> tuple[str, list[int]]:
    """Return the character that a token holds in part, and all tokens that share it."""
    begins = layout.partial[token] & BEGINS_INSIDE
    first, last = layout.characters[token].tolist()
    character = first if begins else last - 1
    begin = bisect_right(layout.characters[:, 1], character)
    end = bisect_right(layout.characters[:, 0], character)
    return layout.text[character : character + 1], list(range(begin, end))[:MOST_PARTS]


class TokenReadout(TokenChips):
    """A line of fixed height: the token as a chip, its id, bytes, rank and span.

    For half a character it goes on with the character and all tokens that it is made of.
    """

    def __init__(self) -> None:
        super().__init__(most_lines=1)
        self.setAccessibleName("Token under the pointer")
        self.clear()

    def clear(self) -> None:
        """Say how to use it."""
        self.set_chips([Chip(HINT)])

    def show_token(
        self, tokenizer: Tokenizer, layout: TokenLayout, token: int, *, flagged: str = ""
    ) -> None:
        """Show a token of a text; `flagged` are the kinds of its flags, in words."""
        details = describe(tokenizer, int(layout.ids[token]))
        begin, end = layout.bytes[token].tolist()
        # What matters least comes last: it is what a narrow window leaves out.
        chips = [
            self._chip(tokenizer, layout, token),
            Chip(f"id {details.id:,}  ·  {details.made}"),
            *([Chip(f"·  flagged: {flagged}")] if flagged else []),
        ]
        if layout.partial[token]:
            character, parts = parts_of_character(layout, token)
            chips.append(Chip(f"·  part of {readable(character.encode())}  ="))
            chips += [self._chip(tokenizer, layout, part) for part in parts]
            chips.append(Chip(f"·  bytes {begin:,} to {end:,}"))
        else:
            chips.append(Chip(f"·  bytes {begin:,} to {end:,}  ·  {shorten(details.hex, 40)}"))
        self.set_chips(chips)

    @staticmethod
    def _chip(tokenizer: Tokenizer, layout: TokenLayout, token: int) -> Chip:
        return token_chip(tokenizer, int(layout.ids[token]), int(layout.hues[token]))
