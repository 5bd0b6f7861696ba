"""Where each token lies in a text document: bytes → characters → UTF-16 units → positions.

The tokenizer counts bytes, Python counts characters, Qt counts UTF-16 units, and the document
of the text pane has a few positions more where a very long line is broken for display. All four
are arrays here, made away from the GUI thread in one pass of numpy.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_studio.gui.models.byte_places import BytePlaces, counted_before
from bpe_studio.gui.models.display_breaks import break_places, broken
from bpe_studio.gui.models.document_text import DocumentText

if TYPE_CHECKING:
    from bpe_studio.bpe.encoder import Encoding
    from bpe_studio.bpe.tokenizer import Tokenizer

BEGINS_INSIDE = 1
ENDS_INSIDE = 2
HUES = 6
_TOKENS_AT_ONCE = 1 << 15

# Qt ends a paragraph at the first five, and nobody sees the others, some of which turn the writing
# round: they stand in the document as noncharacters, which have a width and no direction.
_INVISIBLE = (
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
)
_JOINERS = "\u200c\u200d"
_ALONE = re.compile(f"(?<![^\x00-\x7f])[{_JOINERS}](?![^\x00-\x7f])")
_FIRST_STAND_IN = 0xFDD2
_REAL = "\r\u2029\u2028\ufdd0\ufdd1" + _INVISIBLE + _JOINERS
_HIDDEN = {real: chr(_FIRST_STAND_IN + place) for place, real in enumerate(_REAL)}
_SHOWN = {"\u2029": "\n"} | {stand_in: real for real, stand_in in _HIDDEN.items()}
STAND_INS = {_HIDDEN["\r"]: "␍", _HIDDEN["\u2029"]: "¶", _HIDDEN["\u2028"]: "↵"} | {
    _HIDDEN[real]: f"{ord(real):04X}" for real in _INVISIBLE + _JOINERS
}
"""Sign to paint for each character that the document holds under another code."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A text as the document holds it.

    `breaks` are the UTF-16 positions in the text before which a long line was broken; it is
    empty for an ordinary text. `faithful` is false for a text that holds the very codes that stand
    in for others.
    """

    document: str
    breaks: NDArray[np.int64]
    faithful: bool = True

    @property
    def editable(self) -> bool:
        """Whether the document can be read back as the text."""
        return self.faithful and not self.breaks.size


@dataclass(frozen=True, slots=True)
class TokenLayout:
    """The tokens of one text with their places, as arrays with one row a token.

    `bytes`, `characters` and `positions` are (n, 2) half-open spans; characters and positions
    cover the whole of a character that the token holds only in part. `partial` has the bits
    BEGINS_INSIDE and ENDS_INSIDE; `inside` (n, 2) says how far after the start of its first
    character the token begins, from 0 to 1, and before the end of its last one it ends, from 0
    to -1. `hues` number the tokens of each line
    modulo HUES, so that an edit leaves the colours of the other lines alone. Tokens `gone[0]` to
    `gone[1]` are in the text no more (see `moved`).
    """

    text: str
    ids: NDArray[np.int32]
    bytes: NDArray[np.int32]
    characters: NDArray[np.int32]
    positions: NDArray[np.int32]
    partial: NDArray[np.uint8]
    inside: NDArray[np.float32]
    special: NDArray[np.bool_]
    hues: NDArray[np.uint8]
    byte_count: int
    breaks: NDArray[np.int64]
    gone: tuple[int, int] = (0, 0)

    def __len__(self) -> int:
        return len(self.ids)

    def at_position(self, position: int) -> int | None:
        """Return the last token that begins at or before a document position."""
        index = bisect_right(self.positions[:, 0], position) - 1
        return index if index >= 0 else None

    # numpy's own search copies a column of a larger array before it looks for one number.

    def first_ending_after(self, position: int) -> int:
        """Return the first token that ends after a document position."""
        return bisect_right(self.positions[:, 1], position)

    def first_at(self, position: int) -> int:
        """Return the first token that begins at a document position or after it."""
        return bisect_left(self.positions[:, 0], position)

    def first_at_character(self, character: int) -> int:
        """Return the first token that begins at a character of the text or after it."""
        return bisect_left(self.characters[:, 0], character)


def show_text(text: str) -> Shown:
    """Return the text for the document, lines that Qt cannot bear broken for display."""
    document, faithful = _hidden(text)
    places = break_places(text)
    if not places.size:
        return Shown(document, places, faithful)
    return Shown(broken(document, places), DocumentText(text).units_at(places), faithful)


def display_breaks(text: str) -> NDArray[np.int64]:
    """Return the UTF-16 positions in the text before which `show_text` breaks a line."""
    places = break_places(text)
    return DocumentText(text).units_at(places) if places.size else places


def read_document(raw: str) -> str:
    """Turn the raw text of a document without display breaks back into the text."""
    return _replaced(raw, _SHOWN)


def unit_of_position(breaks: NDArray[np.int64], position: int) -> int:
    """Return the UTF-16 position of a document position."""
    places = breaks + np.arange(len(breaks))
    return position - int(np.searchsorted(places, position, side="left"))


def lay_out(tokenizer: Tokenizer, text: str) -> TokenLayout:
    """Encode a text and place every token in its document.

    The text must hold no lone surrogates; `TextState` replaces them.

    Raises
    ------
    ValueError
        When the table cannot encode the text; the message says where.
    """
    return lay_out_encoding(tokenizer, text, tokenizer.encode_with_offsets(text))


def lay_out_encoding(tokenizer: Tokenizer, text: str, encoding: Encoding) -> TokenLayout:
    """Place the tokens that a text was encoded to."""
    spans = np.asarray(encoding.offsets, np.int64).reshape(-1, 2)
    ids = np.asarray(encoding.ids, np.int32)
    special_ids = np.fromiter(tokenizer.special_ids.values(), np.int64)
    return place_tokens(text, ids, spans, special=np.isin(ids, special_ids))


def place_tokens(
    text: str,
    ids: NDArray[np.int32],
    spans: NDArray[np.int64],
    *,
    special: NDArray[np.bool_] | None = None,
) -> TokenLayout:
    """Place tokens with known byte spans (n, 2)."""
    return place_in(TextPlaces.of(text), ids, spans, special=special)


@dataclass(frozen=True, slots=True)
class TextPlaces:
    """What is known of the places of a text before it has tokens."""

    text: str
    bytes: BytePlaces
    astral: NDArray[np.int32]
    breaks: NDArray[np.int64]
    newlines: NDArray[np.int64]

    @classmethod
    def of(cls, text: str) -> TextPlaces:
        """Read a text."""
        places = BytePlaces.of(text)
        newlines = np.flatnonzero(places.data == 0x0A)
        return cls(text, places, places.astral(), display_breaks(text), newlines)


def place_in(
    known: TextPlaces,
    ids: NDArray[np.int32],
    spans: NDArray[np.int64],
    *,
    special: NDArray[np.bool_] | None = None,
    before: int = 0,
) -> TokenLayout:
    """Place tokens of a text that is known; `before` tokens stand in the first one's line."""
    count, places = len(ids), known.bytes
    # In an ordinary text one array does for all three. A text of the pane is far below 2 GB.
    spans_in_bytes = np.empty((count, 2), np.int32)
    characters = np.empty_like(spans_in_bytes) if places.inside.size else spans_in_bytes
    same = not (known.astral.size or known.breaks.size)
    positions = characters if same else np.empty_like(characters)
    partial, inside = np.zeros(count, np.uint8), np.zeros((count, 2), np.float32)
    hues = np.empty(count, np.uint8)
    # In parts, whose memory is used over and over: new pages cost more than what is done in them.
    for first in range(0, count, _TOKENS_AT_ONCE):
        part = slice(first, first + _TOKENS_AT_ONCE)
        spans_in_bytes[part] = spans[part]
        begin, stop = (np.ascontiguousarray(spans_in_bytes[part, side]) for side in (0, 1))
        if first and _lines_between(known.newlines, spans_in_bytes[first - 1, 0], begin[0]):
            before = 0
        before = _number_hues(known.newlines, begin, before, hues[part])
        if characters is not spans_in_bytes:
            insides = places.are_inside(begin), places.are_inside(stop)
            characters[part, 0] = places.starts(begin, insides[0])
            characters[part, 1] = places.ends(stop)
            for side, ends, bit in ((0, begin, BEGINS_INSIDE), (1, stop, ENDS_INSIDE)):
                rows = np.flatnonzero(insides[side])
                partial[first + rows] |= bit
                inside[first + rows, side] = places.shares(ends[rows]) - side
        if not same:
            _position(characters[part], known.astral, known.breaks, positions[part])
    return TokenLayout(
        text=known.text,
        ids=ids,
        bytes=spans_in_bytes,
        characters=characters,
        positions=positions,
        partial=partial,
        inside=inside,
        special=np.zeros(count, np.bool_) if special is None else special,
        hues=hues,
        byte_count=len(places.data),
        breaks=known.breaks,
    )


def _position(
    characters: NDArray[np.int32],
    astral: NDArray[np.int32],
    breaks: NDArray[np.int64],
    out: NDArray[np.int32],
) -> None:
    """Write the positions of characters to `out`."""
    out[:] = characters
    if astral.size:
        for side in (0, 1):
            out[:, side] += counted_before(astral, np.ascontiguousarray(characters[:, side]))
    if breaks.size:
        breaks = breaks.astype(np.int32)
        for side, which in ((0, "right"), (1, "left")):
            out[:, side] += np.searchsorted(breaks, out[:, side], side=which).astype(np.int32)


def moved(layout: TokenLayout, *, position: int, removed: int, added: int) -> TokenLayout:
    """Return the layout after an edit: later tokens moved, touched tokens gone.

    It bridges the moment until the edited text is encoded, so that colours stay in place. It runs
    at every key: only the positions are copied.
    """
    last = layout.first_ending_after(position)
    first = max(layout.first_at(position + removed), last)
    positions = layout.positions.copy()
    positions[last:first] = position
    positions[first:] += added - removed
    begin, end = layout.gone
    if last == first:
        last, first = begin, end
    elif begin < end:
        last, first = min(last, begin), max(first, end)
    return replace(layout, positions=positions, gone=(last, first))


def _lines_between(newlines: NDArray[np.int64], first: np.int32, last: np.int32) -> bool:
    """Whether a line ends at a byte from `first` on and before `last`."""
    begin, end = np.searchsorted(newlines, (first, last)).tolist()
    return begin < end


def _number_hues(
    newlines: NDArray[np.int64], starts: NDArray[np.int32], before: int, out: NDArray[np.uint8]
) -> int:
    """Number the tokens of each line from 0 to HUES - 1, over and over, into `out`.

    `before` tokens stand in the line of the first one; returns how many there are with the last
    one in its line.
    """
    count = len(starts)
    # Of a part of the text only its own lines are looked for.
    low, high = np.searchsorted(newlines, (starts[0], starts[-1])).tolist()
    heads = np.searchsorted(starts, newlines[low:high].astype(np.int32), side="right")
    heads = heads[heads < count]
    first = np.full(count, -before, np.int32)
    first[heads] = heads
    np.maximum.accumulate(first, out=first)
    np.subtract(np.arange(count, dtype=np.int32), first, out=first)
    out[:] = first % HUES
    return int(first[-1]) + 1


def _present(text: str) -> set[str]:
    """Which of the characters that the document cannot hold, or holds for others, are there."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    high = codes[codes >= ord(min(_INVISIBLE))]
    found = high[_special_codes()[high]]
    return {"\r", *map(chr, np.unique(found).tolist())}


@lru_cache(maxsize=1)
def _special_codes() -> NDArray[np.bool_]:
    table = np.zeros(sys.maxunicode + 1, np.bool_)
    table[[ord(character) for character in _REAL + "".join(_HIDDEN.values())]] = True
    return table


def _hidden(text: str) -> tuple[str, bool]:
    """The text with stand-ins, and whether it can be had back from them."""
    if text.isascii():
        return text.replace("\r", _HIDDEN["\r"]), True
    present = _present(text)
    wanted = [real for real in _REAL if real in present and real not in _JOINERS]
    shown = _replaced(text, {real: _HIDDEN[real] for real in wanted})
    if not present.isdisjoint(_JOINERS):  # others join letters, or emoji
        shown = _ALONE.sub(lambda found: _HIDDEN[found.group()], shown)
    return shown, present.isdisjoint(_HIDDEN.values())


def _replaced(text: str, pairs: dict[str, str]) -> str:
    """Replace single characters; far faster than `str.translate` where few occur."""
    for old, new in pairs.items():
        text = text.replace(old, new)
    return text
