"""Why a token of one table is not one token in the other: asked once for each surroundings."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

from bpe_studio.analysis import cut_sentences as say
from bpe_studio.analysis.before_merging import special
from bpe_studio.analysis.difference_reason import CutReason, Side
from bpe_studio.analysis.finding import CutBy
from bpe_studio.analysis.merging import LastMerging
from bpe_studio.analysis.parts import Part
from bpe_studio.analysis.span import Span
from bpe_studio.analysis.text_blocks import TextBlocks
from bpe_studio.analysis.why import why_of_pieces
from bpe_studio.bpe.scanner import alternative_of
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["Asked", "CutAsking"]

_MOST_KEPT: Final = 20_000
_MOST_PIECES: Final = 4
_SPACE_MARK: Final = "▁"


@dataclass(frozen=True, slots=True)
class Asked:
    """A cut that one table has and the other has not; places in bytes from the span's begin.

    Attributes
    ----------
    cutter : "A" or "B"
    span_start, span_end : int
        The span of the comparison, in characters.
    border : int
    stretch : (from, to)
        What the other's token across the cut stands for, or what the other leaves out there.
    kept : int or None
        That token; None where there is none.
    put_in : int or None
        A token of the cutter that ends there and stands for no character.
    made : tuple of int
        The tokens that the cutter has for some of the stretch.
    """

    cutter: Side
    span_start: int
    span_end: int
    border: int
    stretch: tuple[int, int]
    kept: int | None
    put_in: int | None
    made: tuple[int, ...]


class CutAsking:
    """Asks of two tokenizers on one text."""

    def __init__(self, blocks: tuple[TextBlocks, TextBlocks]) -> None:
        self._blocks = blocks
        self._known: dict[object, CutReason] = {}
        self._last = (LastMerging(), LastMerging())

    def iter_reason(self, asked: Asked) -> Generator[None, None, CutReason]:
        """Why the cutter cuts there, in slices."""
        blocks, other = self._of(asked.cutter)
        start, end, trim, data = _placed(asked, blocks.text)
        keeper: Side = "B" if asked.cutter == "A" else "A"
        known = CutReason(
            asked.cutter, asked.cutter, "", "", border=_border(asked, blocks.text),
            start=start, end=end, data=data, kept=asked.kept,
        )  # fmt: skip
        names = say.Names(asked.cutter, keeper, blocks.tokenizer, other)
        told = say.without_merging(names, known, asked.put_in)
        if told is None and blocks.tokenizer.outside is not None:
            told = say.outside(names, known, asked.made)
        if told is not None:
            return told
        return (yield from self._by_pieces(asked, names, known, trim))

    def _of(self, cutter: Side) -> tuple[TextBlocks, Tokenizer]:
        a, b = self._blocks
        return (a, b.tokenizer) if cutter == "A" else (b, a.tokenizer)

    def _by_pieces(
        self, asked: Asked, names: say.Names, known: CutReason, trim: tuple[int, int]
    ) -> Generator[None, None, CutReason]:
        """Looked up where the same was asked in the same pieces before."""
        blocks, _ = self._of(asked.cutter)
        text, first, found = yield from blocks.iter_parts(known.start, known.end)
        parts = [part for part, _ in found]
        key = None
        if len(parts) == 1:
            inside = (known.start - first - parts[0].start, known.end - first - parts[0].start)
            key = (asked.cutter, _key(parts[0]), inside, trim, known.kept, asked.made)
            if key in self._known:
                return _placed_anew(self._known[key], known)
        span = Span(names.cutter_of, text, known.start - first, known.end - first, parts, trim=trim)
        told = yield from self._told(span, names, known, found, asked)
        if key is not None and len(self._known) < _MOST_KEPT:
            self._known[key] = told
        return told

    def _told(
        self,
        span: Span,
        names: say.Names,
        known: CutReason,
        found: list[tuple[Part, CutBy | None]],
        asked: Asked,
    ) -> Generator[None, None, CutReason]:
        yield from span.prepare(self._last[asked.cutter == "B"])
        before = known.start - span.start
        answer = special(span)
        if answer is not None:
            return say.special_of_cutter(names, known, answer, before)
        answer = (yield from why_of_pieces(span)) if span.data else None
        if len(found) > 1:
            pieces = tuple(part.text for part, _ in found[:_MOST_PIECES])
            by = tuple(
                (number, names.cutter_of.pattern.alternatives[number])
                for number in (alternative_of(*cut) for _, cut in found[:_MOST_PIECES] if cut)
            )
            known = replace(known, pieces=pieces, alternatives=by)
        if answer is None or (span.changed and not _only_marks(span)):
            return say.normalized(names, known, span, answer, asked.made, before)
        return say.by_merging(names, known, span, answer, asked.made, before)


def _placed(asked: Asked, text: str) -> tuple[int, int, tuple[int, int], bytes]:
    """The characters of the stretch, what is left out of the first and last, and its bytes."""
    data = text[asked.span_start : asked.span_end].encode()
    begin, stop = asked.stretch
    before, until = (len(data[:place].decode("utf-8", "ignore")) for place in (begin, stop))
    head = begin - len(data[:begin].decode("utf-8", "ignore").encode())
    tail = 0
    while stop + tail < len(data) and data[stop + tail] & 0xC0 == 0x80:
        tail += 1
    until += tail > 0
    return asked.span_start + before, asked.span_start + until, (head, tail), data[begin:stop]


def _border(asked: Asked, text: str) -> int:
    data = text[asked.span_start : asked.span_end].encode()[: asked.border]
    return asked.span_start + len(data.decode("utf-8", "ignore"))


def _key(part: Part) -> tuple[object, ...]:
    edited = part.edited
    origin = None if edited is None else edited.origin
    places = None
    if origin is not None:
        places = (origin.starts - part.start).tobytes(), (origin.stops - part.start).tobytes()
    return (part.text, part.end - part.start, part.special, part.unknown, places)


def _placed_anew(told: CutReason, known: CutReason) -> CutReason:
    """The same answer at another place."""
    by = known.start - told.start
    return replace(
        told,
        border=known.border,
        start=known.start,
        end=known.end,
        offset=None if told.offset is None else told.offset + by,
    )


def _only_marks(span: Span) -> bool:
    """Whether a tokenizer changes no more of a span than to mark its spaces."""
    return span.data.decode("utf-8", "replace").replace(_SPACE_MARK, " ") == span.text
