"""Comparing cuts: blocks of text → what several tables make of the same runs, on all cores."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Sequence
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.corpus import Block
from bpe_studio.bpe.crew import Crew, available_threads
from bpe_studio.bpe.cut_counts import CutCounts, TableCounts
from bpe_studio.bpe.cut_sums import CutSums, Sized
from bpe_studio.bpe.run_cuts import last_cut_of
from bpe_studio.bpe.run_feeding import MOST_THREADS, RUN_BYTES, SECONDS, UseProgress, feed_runs
from bpe_studio.bpe.runs import Run, RunBuilder
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["MOST_COSTS", "Sized", "compare_cuts"]

MOST_COSTS: Final = 100
"""So many stretches that cost most are told of."""

_SLOW_RUN_BYTES: Final = 1 << 16


def compare_cuts(
    blocks: Iterable[Block],
    tokenizers: Sequence[Tokenizer],
    files: int,
    *,
    sized: Sized | None = None,
    threads: int | None = None,
    run_bytes: int = RUN_BYTES,
) -> Generator[UseProgress, None, CutCounts]:
    """Cuts a stream of text blocks with several tokenizers; yields every few milliseconds.

    The result depends neither on how documents come in blocks, nor on `threads` and `run_bytes`. To
    stop, close the generator: the threads are gone then.

    Parameters
    ----------
    tokenizers : at least two; spans and costs are of the first two
    files : how many files the blocks are of
    sized : Sized, optional
        One of them at a smaller size, which counts as one more table, the last.

    Raises
    ------
    ValueError
        A tokenizer can only be viewed, or cannot encode the text; one sentence.
    """
    for tokenizer in tokenizers:
        if tokenizer.view_only:
            raise ValueError(tokenizer.view_only)
    with Crew(threads or min(available_threads(), MOST_THREADS)) as crew:
        comparer = _Comparer(tokenizers, sized, files, crew)
        if any(tokenizer.outside is not None for tokenizer in tokenizers):
            run_bytes = min(run_bytes, _SLOW_RUN_BYTES)
        builder = RunBuilder(run_bytes, last_cut_of(tokenizers))
        yield from feed_runs(blocks, builder, comparer)
        return comparer.counts()


class _Comparer:
    """What has been read, and what was counted of it."""

    def __init__(
        self, tokenizers: Sequence[Tokenizer], sized: Sized | None, files: int, crew: Crew
    ) -> None:
        self.crew = crew
        self._hands = [
            CutSums(tokenizers, sized, files, lambda: not crew.stopped) for _ in range(crew.size)
        ]
        self._bytes = np.zeros(files, dtype=np.int64)
        self._documents = np.zeros(files, dtype=np.int64)
        self._bytes_read = 0
        self._files: deque[int] = deque()  # of the documents that are not all given away
        self._is_open = False

    def note(self, block: Block) -> None:
        self._bytes_read = block.bytes_read
        if not block.data and not block.last:
            return
        if not self._is_open:
            self._files.append(block.file)
        self._is_open = not block.last
        self._bytes[block.file] += len(block.data)
        self._documents[block.file] += block.last

    def progress(self) -> UseProgress:
        return UseProgress(self._bytes_read, int(self._documents.sum()))

    def give(self, run: Run) -> Generator[UseProgress, None, None]:
        """Hands a run to a thread, as soon as one can take it."""
        done = len(run.documents) - run.goes_on
        files = [self._files.popleft() for _ in range(done)]
        if run.goes_on:
            files.append(self._files[0])
        task = partial(self._add, run, np.array(files, dtype=np.int64))
        while not self.crew.offer(task, SECONDS):
            yield self.progress()

    def _add(self, run: Run, files: NDArray[np.int64], thread: int) -> None:
        self._hands[thread].add(run, files)

    def _at_sizes(self, number: int) -> NDArray[np.int64] | None:
        """The tokens of one table under its first 0, 1, … merges; None where not all are known."""
        readers = [hand.readers[number] for hand in self._hands]
        cuts = [hand.cuts[number] for hand in self._hands if number < len(hand.cuts)]
        known = [each.at_sizes() for each in cuts if each is not None]
        if not known or not all(reader.all_pieces for reader in readers):
            return None
        total: NDArray[np.int64] = np.sum(known, axis=0)
        return total + sum(reader.added for reader in readers)

    def counts(self) -> CutCounts:
        """What was counted, when all of it is."""
        finals = [
            sum((hand.readers[number].final() for hand in self._hands[1:]), reader.final())
            for number, reader in enumerate(self._hands[0].readers)
        ]
        at_sizes = [self._at_sizes(number) for number in range(len(finals))]
        total, *others = self._hands
        for other in others:
            total.join(other)
        sums = total.sums
        tables = tuple(
            TableCounts(
                file_tokens=total.file_tokens[number],
                final=finals[number],
                script_tokens=sums.script_tokens[number],
                whole_words=int(sums.whole_words[number]),
                word_tokens=int(sums.word_tokens[number]),
                number_cuts=sums.number_cuts[number],
                at_sizes=at_sizes[number],
            )
            for number in range(len(finals))
        )
        return CutCounts(
            tables=tables,
            file_characters=total.file_characters,
            file_bytes=self._bytes,
            file_documents=self._documents,
            script_characters=sums.script_characters,
            words=int(sums.words[0]),
            spans=sums.spans,
            dearer_a=tuple(total.costs.dearest(MOST_COSTS, under_a=True)),
            dearer_b=tuple(total.costs.dearest(MOST_COSTS, under_a=False)),
        )
