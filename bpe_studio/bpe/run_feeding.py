"""Blocks of text → runs, which a counter gives to its threads; how far that is."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from bpe_studio.bpe.corpus import Block
from bpe_studio.bpe.crew import Crew
from bpe_studio.bpe.runs import Run, RunBuilder

__all__ = ["MOST_THREADS", "RUN_BYTES", "SECONDS", "RunCounter", "UseProgress", "feed_runs"]

RUN_BYTES: Final = 1 << 20
MOST_THREADS: Final = 8
SECONDS: Final = 0.01
"""Between two words on how far it is."""
_TOLD_EVERY: Final = 1 << 17  # bytes
_ROW_COST: Final = 1 << 10  # of a document, in bytes that could be read meanwhile


@dataclass(frozen=True, slots=True)
class UseProgress:
    """How far counting is: bytes on disk and documents that were read."""

    bytes_read: int
    documents: int


class RunCounter(Protocol):
    """Who counts runs on the threads of a crew."""

    crew: Crew

    def note(self, block: Block) -> None:
        """A block was read."""

    def give(self, run: Run) -> Generator[UseProgress, None, None]:
        """Hands a run to a thread, as soon as one can take it."""

    def progress(self) -> UseProgress: ...


def feed_runs(
    blocks: Iterable[Block], builder: RunBuilder, counter: RunCounter
) -> Generator[UseProgress, None, None]:
    """Gives all runs to a counter and waits for it; yields every few milliseconds."""
    untold = 0
    for block in blocks:
        counter.note(block)
        for run in builder.take(block):
            yield from counter.give(run)
        untold += len(block.data) + _ROW_COST if block.data else _TOLD_EVERY
        if untold >= _TOLD_EVERY:
            untold = 0
            yield counter.progress()
    for run in builder.rest():
        yield from counter.give(run)
    while not counter.crew.idle(SECONDS):
        yield counter.progress()
