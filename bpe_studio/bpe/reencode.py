"""Encoding a text again after an edit: only the stretch that the edit may have changed.

A *safe cut* (`Pattern.safe_cut`) is a place where a piece begins whatever stands further away on
either side. So from the last such place before an edit to the first one after it, in both texts,
all pieces may be others, and outside of that none is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from bpe_studio.bpe.encoder import Encoding
from bpe_studio.bpe.patterns import Pattern
from bpe_studio.bpe.scanner import cut_blocks, last_safe_cut
from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.tokenizer import Tokenizer

# What a safe cut looks at lies within this many characters of it on either side.
_CONTEXT: Final = 4
# A cut is looked for within this many characters of the edit; without one, all that is on that
# side is encoded again.
_REACH: Final = 1 << 16
_COMPARED: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Edit:
    """At character `position`, `removed` characters became `added`."""

    position: int
    removed: int
    added: str

    def applied_to(self, text: str) -> str:
        """The text after the edit."""
        return text[: self.position] + self.added + text[self.position + self.removed :]


@dataclass(frozen=True, slots=True)
class Stretch:
    """What is to be encoded again: characters `begin` to `old_end` became `begin` to `new_end`."""

    begin: int
    old_end: int
    new_end: int


def edit_between(old: str, new: str) -> Edit:
    """The smallest single edit that makes one text of another.

    >>> edit_between("low lower", "low slower")
    Edit(position=4, removed=0, added='s')
    """
    most = min(len(old), len(new))
    same = _common(old, new, most, backwards=False)
    after = _common(old, new, most - same, backwards=True)
    return Edit(same, len(old) - same - after, new[same : len(new) - after])


def stretch_of(pattern: Pattern, old: str, new: str, edit: Edit) -> Stretch:
    """The stretch round an edit outside of which all pieces are as before."""
    limit = edit.position - _CONTEXT
    begin = 0
    if limit > 0:
        first = max(0, limit - _REACH)
        # A slice hides what stands before it, which can only hide a cut.
        found = last_safe_cut(pattern, old[first:limit])
        begin = first + found if found else 0
    new_end = _next_cut(pattern, new, edit.position + len(edit.added) + _CONTEXT)
    return Stretch(begin, new_end - len(new) + len(old), new_end)


def reencode(
    tokenizer: Tokenizer,
    text: str,
    encoding: Encoding,
    edit: Edit,
    *,
    allowed_special: AllowedSpecial = None,
) -> Encoding:
    """What `tokenizer.encode_with_offsets` gives for a text after an edit.

    Parameters
    ----------
    text : the text before the edit
    encoding : its ids and offsets under the same tokenizer and `allowed_special`

    Raises
    ------
    ValueError
        As `Tokenizer.encode_with_offsets`.
    """
    new = edit.applied_to(text)
    if not can_reencode(tokenizer, allowed_special):
        return tokenizer.encode_with_offsets(new, allowed_special=allowed_special)
    part = stretch_of(tokenizer.pattern, text, new, edit)
    middle = tokenizer.encode_with_offsets(
        new[part.begin : part.new_end], allowed_special=allowed_special
    )
    begin = len(text[: part.begin].encode())
    end = begin + len(text[part.begin : part.old_end].encode())
    moved = len(new[part.begin : part.new_end].encode()) + begin - end
    ids, spans = np.asarray(encoding.ids), np.asarray(encoding.offsets).reshape(-1, 2)
    first, last = np.searchsorted(spans[:, 0], (begin, end))
    offsets = np.asarray(middle.offsets, np.int64).reshape(-1, 2) + begin
    return Encoding(
        np.concatenate((ids[:first], middle.ids, ids[last:])).astype(np.int32, copy=False),
        np.concatenate((spans[:first], offsets, spans[last:] + moved)),
    )


def can_reencode(tokenizer: Tokenizer, allowed_special: AllowedSpecial = None) -> bool:
    """Whether a part of a text may be encoded by itself, and its tokens tile it."""
    has_cuts = tokenizer.pattern.compiled_safe_cut is not None
    return has_cuts and not tokenizer.edits_text and tokenizer.may_cut(allowed_special)


def _next_cut(pattern: Pattern, text: str, first: int) -> int:
    """The first safe cut after a character, if it is near; else the end of the text."""
    start = max(0, first - _CONTEXT)
    part = text[start : first + _REACH]
    for _, end in cut_blocks(pattern, part, first - start):
        return start + end if end < len(part) else len(text)
    return len(text)


def _common(old: str, new: str, most: int, *, backwards: bool) -> int:
    """How many characters are the same from the start, or from the end; at most `most`."""
    same, size = 0, _COMPARED
    while same < most and size:
        step = min(size, most - same)
        if backwards:
            a = old[len(old) - same - step : len(old) - same]
            b = new[len(new) - same - step : len(new) - same]
        else:
            a, b = old[same : same + step], new[same : same + step]
        if a == b:
            same += step
        else:
            size = step // 2
    return same
