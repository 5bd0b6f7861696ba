"""A text at every vocabulary size, from one encode that notes every merge."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.arrays import Scalar
from bpe_studio.bpe.encoder import Encoding, encoded
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.preparing import Cut, Found
from bpe_studio.bpe.ruled import original_spans
from bpe_studio.bpe.scanner import piece_ends
from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.stretch import Stretch, byte_places
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.trace import Trace

__all__ = ["TracedText", "iter_trace_text", "trace_text"]


@dataclass(frozen=True, eq=False)
class TracedText:
    """What a text is under the first k merges of a table, for every k.

    Attributes
    ----------
    tokenizer : Tokenizer
    trace : Trace
        Of every piece of the text in order; a special is a piece that has one symbol.
    exact_from : int
        From so many merges on everything here is exact: 0, but for a table that cuts added tokens
        out of the text which its own merges make, since with fewer merges it does not.
    """

    tokenizer: Tokenizer
    trace: Trace
    exact_from: int
    _parts: tuple[_Part, ...] | None
    _places: NDArray[np.int64]

    def counts(self) -> NDArray[np.int64]:
        """Tokens of the text under the first 0, 1, … merges: int64 (merges + 1,)."""
        return self.trace.counts()

    def cut(self, merges: int) -> Encoding:
        """As ``tokenizer.prefix(merges).encode_with_offsets(text)``."""
        ids, bounds = self.trace.cut(merges)
        return Encoding(ids, self._spans(bounds))

    def symbol_spans(self) -> NDArray[np.int64]:
        """The bytes of the text that each base symbol stands for: (n, 2).

        A token begins where its first symbol does, and ends where its last one does.
        """
        return self._spans(self.trace.bounds)

    def _spans(self, bounds: NDArray[np.int64]) -> NDArray[np.int64]:
        """The bytes of the text that tokens stand for, by their bytes in the pieces."""
        if self._parts is None:
            return np.stack((bounds[:-1], bounds[1:]), axis=1)
        spans = [np.zeros((0, 2), dtype=np.int64)]
        for part in self._parts:
            first, last = np.searchsorted(bounds, [part.begin, part.end])
            own = bounds[first : last + 1] - part.begin
            if part.stretch is None:
                spans.append(self._places[[part.first, part.last]].reshape(1, 2))
            elif last > first:
                spans.append(original_spans(part.stretch, own, self._places))
        return np.concatenate(spans)


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of an edited text: bytes `begin` to `end` of the pieces laid one after another.

    A token that is there before anything is merged has no stretch; it is characters `first` to
    `last` of the text.
    """

    begin: int
    end: int
    stretch: Stretch | None
    first: int = 0
    last: int = 0


def trace_text(
    tokenizer: Tokenizer, text: str, *, allowed_special: AllowedSpecial = None
) -> TracedText:
    """The text at every vocabulary size.

    Raises
    ------
    ValueError
        The tokenizer has no merges to follow; and what `Tokenizer.encode` raises.
    """
    return result_of(iter_trace_text(tokenizer, text, allowed_special=allowed_special))


def iter_trace_text(
    tokenizer: Tokenizer, text: str, *, allowed_special: AllowedSpecial = None
) -> Generator[None, None, TracedText]:
    """As `trace_text`, in slices; the result is what the generator returns."""
    check_traceable(tokenizer)
    encoded(text)
    if tokenizer.edits_text:
        data, ends, given, parts = _prepared(tokenizer, text, allowed_special)
        places = byte_places(text)
    else:
        data, ends, given = yield from _scanned(tokenizer, text, allowed_special)
        parts, places = None, np.zeros(0, dtype=np.int64)
    trace = yield from tokenizer.tracer.trace(data, ends, given)
    return TracedText(tokenizer, trace, exact_from(tokenizer), parts, places)


def check_traceable(tokenizer: Tokenizer) -> None:
    """Refuses a tokenizer that has no merges to follow.

    Raises
    ------
    ValueError
    """
    if tokenizer.view_only:
        raise ValueError(tokenizer.view_only)
    if tokenizer.outside is not None:
        raise ValueError(
            f"{tokenizer.outside.kind} has no merges to tell of; the library "
            f"{tokenizer.outside.library} cuts the text, and only its cuts are known."
        )


def _scanned(
    tokenizer: Tokenizer, text: str, allowed_special: AllowedSpecial
) -> Generator[None, None, tuple[bytes, NDArray[np.int64], NDArray[np.int32]]]:
    """The bytes of a text that is not edited, where its pieces end, and which are specials."""
    ends: list[NDArray[np.int64]] = []
    given: list[NDArray[np.int32]] = []
    position = 0
    for segment, special in tokenizer.segments(text, allowed_special):
        data = segment.encode()
        found = (
            piece_ends(tokenizer.pattern, segment)
            if special is None
            else iter([np.array([len(data)], dtype=np.int64)])
        )
        for some in found:
            ends.append(some + position)
            given.append(np.full(len(some), -1 if special is None else special, dtype=np.int32))
            yield
        position += len(data)
    return text.encode(), _joined(ends, np.int64), _joined(given, np.int32)


def _prepared(
    tokenizer: Tokenizer, text: str, allowed_special: AllowedSpecial
) -> tuple[bytes, NDArray[np.int64], NDArray[np.int32], tuple[_Part, ...]]:
    """As `_scanned`, of a text that the tokenizer edits, and where its parts came from."""
    laid: list[bytes] = []
    ends: list[NDArray[np.int64]] = []
    given: list[int] = []
    parts: list[_Part] = []
    position = 0
    for found in tokenizer.prepared(text, allowed_special):
        if isinstance(found, Found):
            data = text[found.begin : found.end].encode() or b"\0"  # never of no bytes
            parts.append(_Part(position, position + len(data), None, found.begin, found.end))
            ends.append(np.array([position + len(data)], dtype=np.int64))
            given.append(found.id)
        else:
            data = found.stretch.text.encode()
            parts.append(_Part(position, position + len(data), found.stretch))
            spans = tokenizer.piece_spans(found)
            ends.append(byte_places(found.stretch.text)[[end for _, end in spans]] + position)
            given += _unknown(tokenizer, found, len(spans))
        laid.append(data)
        position += len(data)
    return b"".join(laid), _joined(ends, np.int64), np.array(given, dtype=np.int32), tuple(parts)


def _unknown(tokenizer: Tokenizer, cut: Cut, pieces: int) -> Iterator[int]:
    """Per piece the unknown token, or -1 where it is merged."""
    if cut.unknown is None or tokenizer.rules.unknown is None:
        return repeat(-1, pieces)
    unknown = tokenizer.rules.unknown.id
    return iter([unknown if out else -1 for out in cut.unknown])


def exact_from(tokenizer: Tokenizer) -> int:
    """How many merges make every added token."""
    known = set(tokenizer.special_ids.values())
    added = {token.id for token in tokenizer.rules.added} - known
    firsts = [ranks[0] for ranks in map(tokenizer.table.ranks_of, added) if ranks]
    return max(firsts, default=-1) + 1


def _joined(parts: list[NDArray[Scalar]], dtype: type[Scalar]) -> NDArray[Scalar]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=dtype)
