"""Counting tokens: blocks of text → how often, and in which documents, each token is used.

Runs of text are encoded and counted on all cores. What a tokenizer does besides cutting by its
pattern and merging is done where it has something to do: a run in which no added token can stand is
encoded by the kernels alone.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from functools import partial
from typing import Any, Final

import numpy as np

from bpe_studio.bpe.corpus import Block
from bpe_studio.bpe.crew import Crew, available_threads
from bpe_studio.bpe.run_cuts import last_cut_of
from bpe_studio.bpe.run_encoding import RunReader
from bpe_studio.bpe.run_feeding import MOST_THREADS, RUN_BYTES, SECONDS, UseProgress, feed_runs
from bpe_studio.bpe.runs import Run, RunBuilder
from bpe_studio.bpe.tallies import SharedDocuments, join_tallies, known_tokens, new_tally
from bpe_studio.bpe.token_counts import TokenCounts
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["MOST_FAILURES", "UseProgress", "count_tokens", "most_bytes"]

MOST_FAILURES: Final = 100
"""Documents that decoding does not give back are named up to so many."""

_OUTSIDE_BYTES: Final = 1 << 22
_EDITED_BYTES: Final = 1 << 24
_SLOW_RUN_BYTES: Final = 1 << 16


def count_tokens(
    blocks: Iterable[Block],
    tokenizer: Tokenizer,
    *,
    threads: int | None = None,
    run_bytes: int = RUN_BYTES,
) -> Generator[UseProgress, None, TokenCounts]:
    """Encodes a stream of text blocks and counts its tokens; yields every few milliseconds.

    The result depends neither on how documents come in blocks, nor on `threads` and `run_bytes`. To
    stop, close the generator: the threads are gone then.

    Raises
    ------
    ValueError
        The tokenizer can only be viewed, or cannot encode the text; one sentence.
    """
    if tokenizer.view_only:
        raise ValueError(tokenizer.view_only)
    with Crew(threads or min(available_threads(), MOST_THREADS)) as crew:
        counter = _Counter(tokenizer, crew)
        if tokenizer.outside is not None:
            run_bytes = min(run_bytes, _SLOW_RUN_BYTES)
        builder = RunBuilder(run_bytes, last_cut_of([tokenizer]))
        yield from feed_runs(blocks, builder, counter)
        return counter.counts()


def most_bytes(tokenizer: Tokenizer) -> int | None:
    """How large a document may be for a tokenizer that has to see it whole; None for others.

    A few seconds' work: for so long nothing of it can be given up, and it takes a hundred times
    its size in memory.
    """
    if tokenizer.outside is not None:
        return _OUTSIDE_BYTES
    return None if tokenizer.may_cut() else _EDITED_BYTES


class _Counter:
    """What has been read, and what was counted of it."""

    def __init__(self, tokenizer: Tokenizer, crew: Crew) -> None:
        from bpe_studio.kernels import tally

        self._kernel: Any = tally
        self.crew = crew
        self._known = known_tokens(tokenizer.table)
        self._readers = [
            RunReader(tokenizer, self._known, lambda: not crew.stopped) for _ in range(crew.size)
        ]
        self._tallies = [new_tally(len(tokenizer.table)) for _ in range(crew.size)]
        self._shared = SharedDocuments(np.zeros(len(tokenizer.table), dtype=tally.SEEN))
        self._specials = [0] * crew.size
        self._characters = [0] * crew.size
        self._failed: list[set[int]] = [set() for _ in range(crew.size)]
        self._bytes = self._bytes_read = self._documents = 0
        self._files: list[int] = []
        self._first_documents: list[int] = []
        self._begun = 0  # bytes of the document of which a part was given away

    def note(self, block: Block) -> None:
        self._bytes += len(block.data)
        self._bytes_read = block.bytes_read
        self._documents += block.last
        if (block.data or block.last) and self._files[-1:] != [block.file]:
            self._files.append(block.file)
            self._first_documents.append(block.document)

    def progress(self) -> UseProgress:
        return UseProgress(self._bytes_read, self._documents)

    def give(self, run: Run) -> Generator[UseProgress, None, None]:
        """Hands a run to a thread, as soon as one can take it."""
        base = self._begun if run.continues else 0
        for number in _parts(run):
            ends = number < len(run.documents) - 1 or not run.goes_on
            self._shared.expect(run.first_document + number + 1, last=ends)
        if run.goes_on:
            begin = int(run.documents[-2]) if len(run.documents) > 1 else -base
            self._begun = int(run.documents[-1]) - begin
        task = partial(self._count, run, base)
        while not self.crew.offer(task, SECONDS):
            yield self.progress()

    def _count(self, run: Run, base: int, thread: int) -> None:
        """Counts what a run uses, of whose first document `base` bytes came before."""
        from bpe_studio.kernels.count import count_characters

        found = self._readers[thread].read(run)
        tally, first = self._tallies[thread], run.first_document + 1
        self._specials[thread] += found.specials
        self._characters[thread] += count_characters(run.data, 0, run.documents[-1])
        begins = np.concatenate(([0], run.documents[:-1])).astype(np.int64)
        parts = _parts(run)
        begin = int(0 in parts)
        end = max(begin, len(begins) - (len(begins) - 1 in parts and len(begins) - 1 >= begin))
        self._kernel.tally_documents(
            found.uses, found.borders[begin : end + 1], begins[begin:end], first + begin,
            found.items, tally,
        )  # fmt: skip
        for number in parts:
            mark = -1 - 2 * run.number - (number > 0)
            tokens = self._kernel.tally_part(
                found.uses, found.borders[number], found.borders[number + 1], mark,
                found.items, tally,
            )  # fmt: skip
            before = base if run.continues and number == 0 else 0
            self._shared.add(first + number, tally, tokens, before - int(begins[number]))
        if not found.counted:
            ones = np.ones(len(found.uses), dtype=np.uint64)
            self._kernel.tally_items(found.items, len(ones), ones, 1, self._known, tally)
        if found.fails:
            failed = np.zeros(len(begins), dtype=np.bool_)
            self._kernel.failed_documents(found.uses, found.borders, found.items, failed)
            self._failed[thread].update((np.flatnonzero(failed) + first).tolist())

    def counts(self) -> TokenCounts:
        """What was counted, when all of it is."""
        for reader, tally in zip(self._readers, self._tallies, strict=True):
            reader.tally(tally)
        total = join_tallies(self._tallies, self._shared.seen)
        seen = total.seen
        failed = sorted(set().union(*self._failed))
        return TokenCounts(
            final=seen["final"].copy(),
            documents=seen["documents"].copy(),
            largest=seen["largest"].copy(),
            largest_document=seen["largest_document"] - 1,
            places=seen["place"].copy(),
            tokens=sum(self._specials) + int(total.script_tokens.sum()),
            characters=sum(self._characters),
            bytes=self._bytes,
            document_count=self._documents,
            files=np.array(self._files, dtype=np.int64),
            first_documents=np.array(self._first_documents, dtype=np.int64),
            script_tokens=total.script_tokens,
            script_characters=total.script_characters,
            failure_count=len(failed),
            failures=tuple(number - 1 for number in failed[:MOST_FAILURES]),
        )


def _parts(run: Run) -> list[int]:
    """Which documents of a run, from 0, are not whole in it."""
    last = len(run.documents) - 1
    return list(dict.fromkeys([0] * run.continues + [last] * run.goes_on))
