"""Counting pieces: blocks of text to the distinct pieces of a corpus with their frequencies.

With a preset, the text is cut into runs, which threads scan and count; a custom pattern is run by
`regex`, which holds the interpreter, so its documents are counted one by one. The result is the
same as if one thread had counted everything, however the text comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import repeat
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.corpus import Block
from bpe_studio.bpe.crew import Crew, available_threads
from bpe_studio.bpe.hold_out import split_held_out
from bpe_studio.bpe.patterns import Pattern
from bpe_studio.bpe.runs import Run, RunBuilder, padded
from bpe_studio.bpe.scanner import PADDING, piece_ends, rules_of
from bpe_studio.bpe.word_join import Counted, Joined, Span, join_words
from bpe_studio.bpe.word_table import WordTable
from bpe_studio.bpe.words import WordCounts

if TYPE_CHECKING:
    from bpe_studio.kernels.scan import Rules

__all__ = ["MAX_CUSTOM_DOCUMENT_CHARS", "CountProgress", "count_words"]

MAX_CUSTOM_DOCUMENT_CHARS: Final = 1 << 28
"""A custom pattern has no known cut, so it sees a document as a whole."""

RUN_BYTES: Final = 1 << 19
"""Some milliseconds of work for a thread."""

MOST_THREADS: Final = 8
"""As many as one reader can feed; every table more has to be joined with all others."""

_TOLD_EVERY: Final = 1 << 17  # bytes, a few milliseconds
_ROW_COST: Final = 1 << 10  # what a row costs, in bytes that could be read meanwhile
_SECONDS: Final = 0.01


@dataclass(frozen=True, slots=True)
class CountProgress:
    """How far counting is. Only the last one carries the words.

    `documents`, `pieces` and `distinct` are of what is learned from, without the documents that are
    held out. `distinct` is exact in the last one only; before, it is what the busiest thread has
    met. `held` are the words of the documents that are held out, None where none were to be.
    """

    bytes_read: int
    documents: int
    pieces: int
    distinct: int
    held_documents: int = 0
    held_bytes: int = 0
    words: WordCounts | None = None
    held: WordCounts | None = None


def count_words(
    blocks: Iterable[Block],
    pattern: Pattern,
    *,
    document_floor: int = 1,
    hold_out: float = 0.0,
    threads: int | None = None,
    run_bytes: int = RUN_BYTES,
) -> Iterator[CountProgress]:
    """Counts the pieces of a stream of text blocks; yields after every few milliseconds.

    Documents are never joined, and the result depends neither on how they come in blocks, nor on
    `threads` and `run_bytes`. To stop, close the generator: the threads are gone then.

    Parameters
    ----------
    blocks : whole characters of UTF-8 each
    pattern : Pattern
    document_floor : of pieces that fewer documents have it is told which; not of what is held out
    hold_out : the share of the documents that are counted apart, chosen by `bpe.hold_out`
    threads : how many, by default as many as processors may be used, but at most `MOST_THREADS`
    run_bytes : the least size of what is given to a thread at a time

    Raises
    ------
    ValueError
        A custom pattern drops text, is too slow, or meets a document of over 268 M characters.
    """
    rules = rules_of(pattern)
    with Crew(threads or min(available_threads(), MOST_THREADS)) as crew:
        tally = _Tally(crew, [document_floor, 1] if hold_out else [document_floor])
        routed: Iterable[tuple[int, Block]] = zip(repeat(0), blocks, strict=False)
        if hold_out:
            routed = split_held_out(blocks, hold_out)
        if rules is None:
            yield from _count_custom(routed, pattern, tally)
        else:
            yield from _count_runs(routed, rules, tally, run_bytes)
        yield from _join(tally)


def _join(tally: _Tally) -> Iterator[CountProgress]:
    """Joins what the threads have counted; the last progress has the words."""
    found: list[WordCounts] = []
    for part in tally.parts:
        for joined in join_words(part.counted, tally.crew, document_floor=part.document_floor):
            if joined is None:
                yield tally.progress()
            else:
                found.append(part.words(joined))
    held = found[1] if len(found) > 1 else None
    yield replace(tally.progress(), words=found[0], held=held, distinct=len(found[0]))


def _count_runs(
    routed: Iterable[tuple[int, Block]], rules: Rules, tally: _Tally, run_bytes: int
) -> Iterator[CountProgress]:
    from bpe_studio.kernels.scan import last_cut

    def cut(data: NDArray[np.uint8], start: int, end: int) -> int:
        place: int = last_cut(data, start, end, rules)
        return place

    builders = [RunBuilder(run_bytes, cut) for _ in tally.parts]
    for number, block in routed:
        tally.note(number, block)
        for run in builders[number].take(block):
            yield from tally.give(number, run, rules)
        if tally.is_due(block):
            yield tally.progress()
    for number, builder in enumerate(builders):
        for run in builder.rest():
            yield from tally.give(number, run, rules)
    while not tally.crew.idle(_SECONDS):
        yield tally.progress()


def _count_custom(
    routed: Iterable[tuple[int, Block]], pattern: Pattern, tally: _Tally
) -> Iterator[CountProgress]:
    text, characters = bytearray(), 0
    for number, block in routed:
        tally.note(number, block)
        text += block.data
        characters += len(block.text)
        if characters > MAX_CUSTOM_DOCUMENT_CHARS:
            raise ValueError(
                f"Document {block.document + 1:,} has over {MAX_CUSTOM_DOCUMENT_CHARS:,} "
                "characters, too many for a custom pattern; split it, or use a preset."
            )
        if block.last:
            words = tally.parts[number].counted[0].words
            begin, data = 0, padded(text)
            for ends in piece_ends(pattern, str(memoryview(text)[:-PADDING], "utf-8")):
                if len(ends):
                    words.add(data, begin, ends, block.document)
                    begin = int(ends[-1])
                yield tally.progress()
            words.add_characters(characters)
            text, characters = bytearray(), 0
        if tally.is_due(block):
            yield tally.progress()
    for part in tally.parts:
        part.counted[0].spans.append(Span(0, 0, len(part.counted[0].words)))


class _Part:
    """What was counted of the documents to learn from, or of those that are held out."""

    def __init__(self, threads: int, document_floor: int) -> None:
        self.document_floor = document_floor
        self.counted = [Counted(WordTable(document_floor=document_floor)) for _ in range(threads)]
        self.documents = self.bytes = 0

    def words(self, joined: Joined) -> WordCounts:
        tables = [one.words for one in self.counted]
        return WordCounts(
            data=joined.data,
            offsets=joined.offsets,
            counts=joined.counts,
            documents=self.documents,
            characters=sum(table.characters for table in tables),
            bytes=self.bytes,
            pieces=sum(table.pieces for table in tables),
            cut_pieces=sum(table.cut_pieces for table in tables),
            rare_in=joined.rare_in,
        )


class _Tally:
    """What has been read, and what was counted of it."""

    def __init__(self, crew: Crew, document_floors: list[int]) -> None:
        self.crew = crew
        self.parts = [_Part(crew.size, floor) for floor in document_floors]
        self.bytes_read = self._untold = 0

    def note(self, number: int, block: Block) -> None:
        part = self.parts[number]
        self.bytes_read = block.bytes_read
        part.bytes += len(block.data)
        part.documents += block.last

    def is_due(self, block: Block) -> bool:
        """Whether to tell about the progress: not for every row of a hundred bytes."""
        # A block without data stands for a stretch of reading, a row for some microseconds.
        self._untold += len(block.data) + _ROW_COST if block.data else _TOLD_EVERY
        if self._untold < _TOLD_EVERY:
            return False
        self._untold = 0
        return True

    def give(self, number: int, run: Run, rules: Rules) -> Iterator[CountProgress]:
        """Hands a run of a part to a thread, as soon as one can take it."""
        part = self.parts[number]

        def count(thread: int) -> None:
            one = part.counted[thread]
            first = len(one.words)
            one.words.count_run(run, rules, lambda: not self.crew.stopped)
            one.spans.append(Span(run.number, first, len(one.words)))

        while not self.crew.offer(count, _SECONDS):
            yield self.progress()

    def progress(self) -> CountProgress:
        learned, held = self.parts[0], self.parts[1:]
        tables = [one.words for one in learned.counted]
        return CountProgress(
            self.bytes_read,
            documents=learned.documents,
            pieces=sum(table.pieces for table in tables),
            distinct=max(map(len, tables), default=0),
            held_documents=sum(part.documents for part in held),
            held_bytes=sum(part.bytes for part in held),
        )
