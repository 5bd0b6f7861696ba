"""Text to pieces.

This is the one place that chooses how a pattern is run: a preset through the compiled scanner of
``kernels/scan.py``, a custom pattern, and a short text, through `regex`. Both work in slices of a
few milliseconds that give other threads a turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_studio.bpe.char_classes import class_table
from bpe_studio.bpe.patterns import Pattern

if TYPE_CHECKING:
    from bpe_studio.kernels.scan import Rules

# `regex` holds the interpreter while it scans: 16,384 characters are about 3 ms.
SLICE_CHARS: Final = 1 << 14
# Up to here `regex` takes less than a millisecond, and numba need not be loaded.
SHORT_CHARS: Final = 1 << 11
# Bytes after a text that let the scanner work on whole blocks to its end.
PADDING: Final = 64
_ENDS_A_SLICE: Final = 1 << 12
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


@lru_cache(maxsize=16)
def rules_of(pattern: Pattern) -> Rules | None:
    """How the compiled scanner runs a pattern; None where only `regex` can."""
    switches = pattern.switches
    if switches is None:
        return None
    from bpe_studio.kernels import pieces as scan

    contractions = {
        "as-written": scan.AS_WRITTEN,
        "any-case": scan.ANY_CASE,
        "after-word": scan.AFTER_WORD,
        "none": scan.NO_CONTRACTIONS,
    }
    tails = {
        "": scan.NOTHING,
        "\r\n": scan.LINE_ENDS,
        "\r\n/": scan.LINE_ENDS_AND_SLASHES,
    }
    # Plain integers: the kernels are compiled for these.
    return scan.Rules(
        classes=class_table(switches.classes),
        contractions=contractions[switches.contractions],
        any_prefix=int(switches.any_prefix),
        digits=switches.digits,
        tail=tails[switches.tail],
        to_line_end=int(switches.to_line_end),
        to_text_end=int(switches.to_text_end),
        cased=int(switches.cased),
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
    elif pattern.switches is None or len(text) <= SHORT_CHARS:
        yield from _iter_regex(pattern, text)
    else:
        try:
            data = text.encode()
        except UnicodeEncodeError:  # a lone surrogate has no bytes
            yield from _iter_regex(pattern, text)
            return
        for places in _char_places(data, _byte_ends(pattern, data)):
            yield [text[a:b] for a, b in pairwise(places)]


def piece_ends(pattern: Pattern, text: str) -> Iterator[NDArray[np.int64]]:
    """Where the pieces end in ``text.encode()``, an array for every slice.

    Raises
    ------
    UnicodeEncodeError
        The text holds a lone surrogate.
    DroppedTextError, SlowPatternError
        Only for a custom pattern.
    """
    data = text.encode()
    if pattern.switches is not None and len(text) > SHORT_CHARS:
        yield from _byte_ends(pattern, data)
        return
    position = 0
    for pieces in iter_pieces(pattern, text):
        lengths = [len(piece.encode()) for piece in pieces]
        ends = np.cumsum(lengths, dtype=np.int64) + position
        position += sum(lengths)
        yield ends


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


def _byte_ends(pattern: Pattern, data: bytes) -> Iterator[NDArray[np.int64]]:
    """Runs the compiled scanner over a text."""
    from bpe_studio.kernels.scan import scan

    rules = rules_of(pattern)
    padded = np.frombuffer(data + bytes(PADDING), dtype=np.uint8)
    position = 0
    while position < len(data):
        ends = np.empty(_ENDS_A_SLICE, dtype=np.int64)
        count, position = scan(padded, position, len(data), rules, ends)
        yield ends[:count]


def _char_places(data: bytes, parts: Iterator[NDArray[np.int64]]) -> Iterator[list[int]]:
    """Ends in bytes to the borders of the same pieces in characters, from first to last."""
    view = np.frombuffer(data, dtype=np.uint8)
    byte = char = 0
    for ends in parts:
        before = np.cumsum((view[byte : ends[-1]] & 0xC0) != 0x80, dtype=np.int64) + char
        yield [char, *before[ends - byte - 1].tolist()]
        byte, char = int(ends[-1]), int(before[-1])


def _iter_regex(pattern: Pattern, text: str) -> Iterator[list[str]]:
    for start, end in cut_blocks(pattern, text):
        if end - start <= 4 * SLICE_CHARS:
            yield pattern.compiled.findall(text[start:end])
        else:
            matches = pattern.compiled.finditer(text[start:end])
            while part := [match.group() for match in islice(matches, _MATCHES_A_SLICE)]:
                yield part


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
