"""A text under one tokenizer, in blocks: what stands around a place costs no pass over the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.finding import CutBy, parts_and_cuts
from bpe_studio.analysis.parts import Part
from bpe_studio.bpe.encoder import Encoding
from bpe_studio.bpe.scanner import cut_blocks
from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.stretch import byte_places
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["TextBlock", "TextBlocks"]

_BLOCK_CHARS: Final = 1 << 9
_BLOCKS_KEPT: Final = 32
_PARTS_A_SLICE: Final = 2_000
_BLOCKS_A_SLICE: Final = 100


@dataclass(eq=False)
class TextBlock:
    """A part of a text that is encoded by itself as it is within the whole.

    Attributes
    ----------
    text : str
    first : int
        The character of the whole with which it begins.
    """

    tokenizer: Tokenizer
    text: str
    first: int
    allowed_special: AllowedSpecial
    _parts: list[tuple[Part, CutBy | None]] = field(default_factory=list)
    _stops: list[int] = field(default_factory=list)
    _rest: Iterator[tuple[Part, CutBy | None]] | None = None

    @cached_property
    def encoding(self) -> Encoding:
        """The tokens, in bytes of the block."""
        return self.tokenizer.encode_with_offsets(self.text, allowed_special=self.allowed_special)

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """Where each character begins and the last ends, in bytes of the block."""
        return byte_places(self.text)

    def iter_parts(
        self, start: int, end: int
    ) -> Generator[None, None, list[tuple[Part, CutBy | None]]]:
        """The parts that overlap characters of the block, in slices."""
        if self._rest is None:
            self._rest = parts_and_cuts(
                self.tokenizer, self.text, 0, len(self.text), allowed_special=self.allowed_special
            )
        while not self._stops or self._stops[-1] <= end:
            found = next(self._rest, None)
            if found is None:
                break
            self._parts.append(found)
            self._stops.append(max(found[0].end, self._stops[-1] if self._stops else 0))
            if len(self._parts) % _PARTS_A_SLICE == 0:
                yield
        near = bisect_right(self._stops, start)
        parts = []
        for part, cut in self._parts[near:]:
            if part.start >= end:
                break
            if part.end > start:
                parts.append((part, cut))
        return parts


class TextBlocks:
    """A text under one tokenizer; the blocks that were asked for last are kept."""

    def __init__(
        self, tokenizer: Tokenizer, text: str, *, allowed_special: AllowedSpecial = None
    ) -> None:
        self.tokenizer, self.text = tokenizer, text
        self._allowed = allowed_special
        self._starts: list[int] = []
        self._kept: dict[int, TextBlock] = {}

    def iter_tokens(
        self, start: int, end: int
    ) -> Generator[None, None, tuple[NDArray[np.int32], NDArray[np.int64]]]:
        """The tokens that end in characters start:end, and their spans in bytes from there on.

        Those that stand for nothing at the begin of the text are in what begins with it.
        """
        ids, spans = [np.zeros(0, np.int32)], [np.zeros((0, 2), np.int64)]
        for block, before in (yield from self._blocks(start, end)):
            first, last = max(start - block.first, 0), min(end - block.first, len(block.text))
            begin, stop = block.places[[first, last]].tolist()
            offsets = block.encoding.offsets
            a, b = np.searchsorted(offsets[:, 1], (begin, stop), side="right").tolist()
            a = 0 if block.first + first == 0 else a
            ids.append(block.encoding.ids[a:b])
            spans.append(offsets[a:b].astype(np.int64) - begin + before)
            yield
        return np.concatenate(ids), np.concatenate(spans)

    def iter_parts(
        self, start: int, end: int
    ) -> Generator[None, None, tuple[str, int, list[tuple[Part, CutBy | None]]]]:
        """A text that holds characters start:end, where it begins, and their parts in it."""
        blocks = yield from self._blocks(start, end)
        head = blocks[0][0]
        if len(blocks) == 1:
            parts = yield from head.iter_parts(start - head.first, end - head.first)
            return head.text, head.first, parts
        text = "".join(block.text for block, _ in blocks)  # is one that may be cut out, too
        joined = TextBlock(self.tokenizer, text, head.first, self._allowed)
        parts = yield from joined.iter_parts(start - head.first, end - head.first)
        return text, head.first, parts

    def _blocks(self, start: int, end: int) -> Generator[None, None, list[tuple[TextBlock, int]]]:
        """The blocks that hold characters, each with the bytes of these before it."""
        if not self._starts:
            yield from self._find_blocks()
        found: list[tuple[TextBlock, int]] = []
        before = 0
        number = bisect_right(self._starts, start) - 1
        while number < len(self._starts) and self._starts[number] < end:
            block = self._block(number)
            found.append((block, before))
            before += int(block.places[-1] - block.places[max(start - block.first, 0)])
            number += 1
            yield
        return found

    def _find_blocks(self) -> Generator[None, None, None]:
        if not self.tokenizer.may_cut(self._allowed):
            self._starts = [0]
            return
        starts = []
        for start, _ in cut_blocks(self.tokenizer.pattern, self.text, _BLOCK_CHARS):
            starts.append(start)
            if len(starts) % _BLOCKS_A_SLICE == 0:
                yield
        self._starts = starts

    def _block(self, number: int) -> TextBlock:
        block = self._kept.pop(number, None)
        if block is None:
            first = self._starts[number]
            last = self._starts[number + 1] if number + 1 < len(self._starts) else len(self.text)
            block = TextBlock(self.tokenizer, self.text[first:last], first, self._allowed)
        self._kept[number] = block
        while len(self._kept) > _BLOCKS_KEPT:
            del self._kept[next(iter(self._kept))]
        return block
