"""The tokens of a text after an edit, from those before it: only what the edit touched is new."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.reencode import can_reencode, edit_between, stretch_of
from bpe_studio.gui.models.display_breaks import LONG_LINE, needs_breaks
from bpe_studio.gui.models.token_layout import HUES, TokenLayout, lay_out

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

LARGE = 1 << 17  # characters of a stretch from which all may as well be encoded


def lay_out_after(tokenizer: Tokenizer, old: TokenLayout, text: str) -> TokenLayout | None:
    """As `lay_out(tokenizer, text)`, from the layout of another text under the same tokenizer.

    None where it would be no less work than all of it, or cannot be known.

    Raises
    ------
    ValueError
        When the table cannot encode what is new.
    """
    if old.breaks.size or not len(old) or not text or not can_reencode(tokenizer):
        return None
    part = stretch_of(tokenizer.pattern, old.text, text, edit_between(old.text, text))
    line = text.rfind("\n", 0, part.begin) + 1
    line_end = text.find("\n", max(part.new_end - 1, 0))
    line_end = len(text) if line_end < 0 else line_end
    if max(part.new_end, line_end) - min(part.begin, line) > min(LARGE, LONG_LINE):
        return None
    if needs_breaks(text[line : max(line_end, part.new_end)]):
        return None
    middle = lay_out(tokenizer, text[part.begin : part.new_end])
    first, last = old.first_at_character(part.begin), old.first_at_character(part.old_end)
    spliced = _spliced(old, middle, first, last, text)
    _number_hues(spliced, line, line_end)
    return spliced


def _spliced(
    old: TokenLayout, middle: TokenLayout, first: int, last: int, text: str
) -> TokenLayout:
    """Put a layout in the place of the tokens `first` to `last` of another."""
    end = first + len(middle)
    count = end + len(old) - last

    def joined(
        before: NDArray[np.generic],
        new: NDArray[np.generic],
        begin: int = 0,
        moved: int = 0,
    ) -> NDArray[np.generic]:
        rows = np.empty((count, *before.shape[1:]), before.dtype)
        rows[:first] = before[:first]
        rows[first:end] = new
        rows[end:] = before[last:]
        if begin:
            rows[first:end] += begin
        if moved:
            rows[end:] += moved
        return rows

    def moved(before: NDArray[np.int32], new: NDArray[np.int32], whole: int) -> NDArray[np.int32]:
        """Places of tokens, of which those of the middle count from its start."""
        begin = int(before[first - 1, 1]) if first else 0
        stop = int(before[last - 1, 1]) if last else 0
        return joined(before, new, begin, begin + whole - stop)

    units = int(middle.positions[-1, 1]) if len(middle) else 0
    return replace(
        old,
        text=text,
        ids=joined(old.ids, middle.ids),
        bytes=moved(old.bytes, middle.bytes, middle.byte_count),
        characters=moved(old.characters, middle.characters, len(middle.text)),
        positions=moved(old.positions, middle.positions, units),
        partial=joined(old.partial, middle.partial),
        inside=joined(old.inside, middle.inside),
        special=joined(old.special, middle.special),
        hues=joined(old.hues, middle.hues),
        byte_count=old.byte_count + middle.byte_count - _bytes_between(old, first, last),
    )


def _bytes_between(layout: TokenLayout, first: int, last: int) -> int:
    if first == last:
        return 0
    return int(layout.bytes[last - 1, 1] - layout.bytes[first, 0])


def _number_hues(layout: TokenLayout, line: int, line_end: int) -> None:
    """Number the tokens anew that begin in the lines between two characters."""
    first, last = layout.first_at_character(line), layout.first_at_character(line_end + 1)
    part = layout.text[line:line_end]
    newlines = np.array([i for i, char in enumerate(part) if char == "\n"], np.int64) + line
    lines = np.searchsorted(newlines, layout.characters[first:last, 0], side="left")
    begins = np.searchsorted(lines, lines, side="left")
    layout.hues[first:last] = (np.arange(last - first) - begins) % HUES
