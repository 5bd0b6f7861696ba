"""Text to pieces.

This is the one place that chooses how a pattern is run: today always through `regex`, in slices
that give other threads a turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

import regex

from bpe_studio.bpe.patterns import Pattern

# `regex` holds the interpreter while it scans: 16,384 characters are about 3 ms.
SLICE_CHARS: Final = 1 << 14
# A custom expression can backtrack for ever; a slice of its matches gets this long.
TIMEOUT_SECONDS: Final = 10.0
_MATCHES_A_SLICE: Final = 4096


class DroppedTextError(ValueError):
    """A custom pattern leaves out a part of the text; ``position`` is its first character."""

    def __init__(self, position: int, dropped: str) -> None:
        self.position = position
        super().__init__(
            f"The pattern drops text: nothing matches at character {position:,} ({dropped!r}); "
            "add an alternative that matches it, for example |(?s:.) at the end."
        )


class SlowPatternError(ValueError):
    """A custom pattern takes too long; ``position`` is where it was."""

    def __init__(self, position: int) -> None:
        self.position = position
        super().__init__(
            f"The pattern is too slow: no answer within {TIMEOUT_SECONDS:g} s near character "
            f"{position:,}; look for nested repeats such as (a+)+."
        )


def split_pieces(pattern: Pattern, text: str) -> list[str]:
    """The pieces of a text, in order; joined they are the text.

    >>> split_pieces(PRESETS["classic"], "low  lower")
    ['low', ' ', ' lower']

    Raises
    ------
    DroppedTextError, SlowPatternError
        Only for a custom pattern.
    """
    pieces: list[str] = []
    for part in iter_pieces(pattern, text):
        pieces += part
    return pieces


def iter_pieces(pattern: Pattern, text: str) -> Iterator[list[str]]:
    """As `split_pieces`, a list for every slice of a few milliseconds."""
    if pattern.compiled_safe_cut is None:
        yield from _iter_custom(pattern, text)
        return
    for start, end in cut_blocks(pattern, text):
        if end - start <= 4 * SLICE_CHARS:
            yield pattern.compiled.findall(text[start:end])
        else:
            matches = pattern.compiled.finditer(text[start:end])
            while part := [match.group() for match in islice(matches, _MATCHES_A_SLICE)]:
                yield part


def cut_blocks(pattern: Pattern, text: str, size: int = SLICE_CHARS) -> Iterator[tuple[int, int]]:
    """Spans of about `size` characters that may be scanned one by one with the same result."""
    cut = pattern.compiled_safe_cut
    start = 0
    while cut is not None and len(text) - start > size:
        found = cut.search(text, start + size)
        if found is None:
            break
        yield start, _place(found)
        start = _place(found)
    if start < len(text):
        yield start, len(text)


def last_safe_cut(pattern: Pattern, text: str, window: int = 4096) -> int:
    """The last place in the text where it may be cut, searched from the end; 0 where none is."""
    cut = pattern.compiled_safe_cut
    if cut is None:
        return 0
    end = len(text)
    while end > 0:
        begin = max(0, end - window)
        last = 0
        # One character more, for the look-ahead at the window's last character.
        for found in cut.finditer(text, begin, end + 1):
            last = _place(found)
        if last:
            return last
        end = begin
    return 0


def _place(found: regex.Match[str]) -> int:
    place: int = found.start() if found["after"] is None else found.end()
    return place


def _iter_custom(pattern: Pattern, text: str) -> Iterator[list[str]]:
    position = 0
    while position < len(text):
        part: list[str] = []
        try:
            matches = pattern.compiled.finditer(text, position, timeout=TIMEOUT_SECONDS)
            for match in matches:
                begin, end = match.span()
                if begin > position:
                    raise DroppedTextError(position, text[position : position + 12])
                if end > begin:
                    part.append(match.group())
                    position = end
                if len(part) == _MATCHES_A_SLICE:
                    break
            else:
                if position < len(text):
                    raise DroppedTextError(position, text[position : position + 12])
        except TimeoutError:
            raise SlowPatternError(position) from None
        yield part


def alternative_of(pattern: Pattern, text: str, start: int, end: int) -> int:
    """Which of ``pattern.alternatives`` made the piece ``text[start:end]``.

    Alternatives are tried in order and the first that matches wins, whatever its length.
    """
    for index, alternative in enumerate(pattern.compiled_alternatives):
        match = alternative.match(text, start)
        if match and match.end() == end:
            return index
    return 0
