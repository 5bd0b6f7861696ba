"""How often each token is used, and how often it is made on the way, on counted pieces."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.corpus_use import CorpusUse, ScriptUse
from bpe_studio.analysis.creations import iter_created
from bpe_studio.analysis.spelled_specials import special_search, spelled_specials
from bpe_studio.bpe.corpus import Block, Corpus, CorpusReport, holds_rows, read_blocks
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.scripts import script_table
from bpe_studio.bpe.spelled import SpelledSearch
from bpe_studio.bpe.token_counting import UseProgress, count_tokens
from bpe_studio.bpe.token_counts import TokenCounts
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.words import WordCounts

_FIRST_SLICE: Final = 1_000
_SLICE_SECONDS: Final = 0.01
_Result = TypeVar("_Result")


@dataclass(frozen=True, eq=False)
class Usage:
    """Exact uses of every token in a corpus.

    Attributes
    ----------
    ids : int32 array, shape (n,)
        Every token id, ascending, without specials.
    final : int64 array, shape (n,)
        F1: how often the encoded corpus holds the token.
    created : int64 array, shape (n,)
        C: how often the token came to be on the way, base symbols and results included.
    tokens : int
        All tokens of the encoded corpus.
    """

    ids: NDArray[np.int32]
    final: NDArray[np.int64]
    created: NDArray[np.int64]
    tokens: int

    @property
    def used(self) -> int:
        """How many different tokens are used at all."""
        return int(np.count_nonzero(self.final))

    @property
    def survival(self) -> NDArray[np.float64]:
        """R = F1 / C, from 0 to 1; NaN for a token that never came to be."""
        ratio = np.full(len(self.ids), np.nan)
        np.divide(self.final, self.created, out=ratio, where=self.created > 0)
        return ratio

    def of(self, token: int) -> tuple[int, int]:
        """(F1, C) of a token; (0, 0) for an id that the table lacks."""
        index = int(np.searchsorted(self.ids, token))
        if index == len(self.ids) or self.ids[index] != token:
            return 0, 0
        return int(self.final[index]), int(self.created[index])


@dataclass(frozen=True, eq=False)
class UsageProgress:
    """Pieces done of all distinct pieces; only the last one carries the usage."""

    done: int
    total: int
    usage: Usage | None = None


def count_usage(tokenizer: Tokenizer, words: WordCounts) -> Usage:
    """As `usage`, at once."""
    last = None
    for progress in usage(tokenizer, words):
        last = progress.usage
    assert last is not None
    return last


def check_countable(tokenizer: Tokenizer) -> None:
    """Refuses a tokenizer whose tokens cannot be counted piece by piece.

    Raises
    ------
    ValueError
    """
    if tokenizer.view_only:
        raise ValueError(tokenizer.view_only)
    if tokenizer.edits_text:
        raise ValueError(
            "The use of tokens is counted on the pieces that the pattern cuts, and this tokenizer "
            "edits the text first; leave the corpus out."
        )


def usage(tokenizer: Tokenizer, words: WordCounts) -> Generator[UsageProgress, None, None]:
    """Encodes each distinct piece once and counts it as often as it occurs, in slices.

    Raises
    ------
    ValueError
        As `check_countable`.
    """
    check_countable(tokenizer)
    table = tokenizer.table
    final = np.zeros(len(table), dtype=np.int64)
    created = np.zeros(len(table), dtype=np.int64)
    total = len(words.counts)
    done, size = 0, _FIRST_SLICE
    while done < total:
        began = time.monotonic()
        last = min(done + size, total)
        _count_slice(tokenizer, words, done, last, final, created)
        done = last
        elapsed = max(time.monotonic() - began, 1e-4)
        size = max(100, int(size * min(4.0, _SLICE_SECONDS / elapsed)))
        if done < total:
            yield UsageProgress(done, total)
    result = Usage(table.ids, final, created, int(final.sum()))
    yield UsageProgress(total, total, result)


def _count_slice(
    tokenizer: Tokenizer,
    words: WordCounts,
    first: int,
    last: int,
    final: NDArray[np.int64],
    created: NDArray[np.int64],
) -> None:
    """Adds pieces `first` … `last` - 1 to the counts."""
    begin, end = int(words.offsets[first]), int(words.offsets[last])
    data = words.data[begin:end]
    starts = words.offsets[first : last + 1] - begin
    counts = np.ascontiguousarray(words.counts[first:last])
    if tokenizer.engine == "whole-piece-first":
        data, starts, counts = _without_whole(tokenizer, data, starts, counts, final, created)
    tokens, places = tokenizer.encoder.encode_arena(data, starts, weights=counts, created=created)
    np.add.at(final, tokens, np.repeat(counts, np.diff(places)))


def _without_whole(
    tokenizer: Tokenizer,
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    counts: NDArray[np.int64],
    final: NDArray[np.int64],
    created: NDArray[np.int64],
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Counts the pieces that the engine takes whole, and returns the others."""
    table = tokenizer.table
    raw, places = data.tobytes(), starts.tolist()
    rest: list[bytes] = []
    rest_counts: list[int] = []
    spans = zip(places[:-1], places[1:], counts.tolist(), strict=True)
    for begin, end, count in spans:
        piece = raw[begin:end]
        whole = table.find(piece)
        if whole is None:
            rest.append(piece)
            rest_counts.append(count)
        else:
            final[table.index_of(whole)] += count
            created[table.index_of(whole)] += count
    lengths = np.array([len(piece) for piece in rest], dtype=np.int64)
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    joined = np.frombuffer(b"".join(rest), dtype=np.uint8)
    return joined, offsets, np.array(rest_counts, dtype=np.int64)


def corpus_use(
    tokenizer: Tokenizer,
    corpus: Corpus,
    *,
    report: CorpusReport | None = None,
    threads: int | None = None,
) -> CorpusUse:
    """As `iter_corpus_use`, at once."""
    return result_of(iter_corpus_use(tokenizer, corpus, report=report, threads=threads))


def iter_corpus_use(
    tokenizer: Tokenizer,
    corpus: Corpus,
    *,
    report: CorpusReport | None = None,
    threads: int | None = None,
) -> Generator[UseProgress, None, CorpusUse]:
    """Encodes a corpus once, on all cores, and counts its tokens; in slices.

    To stop, close the generator.

    Parameters
    ----------
    report : CorpusReport, optional
        Filled with what reading the corpus has met.

    Raises
    ------
    ValueError
        The corpus holds no text, or the tokenizer cannot encode it; one sentence.
    """
    search = special_search(tokenizer)
    jumps: list[tuple[int, int]] = []
    blocks = _noted(_searched(read_blocks(corpus, report=report), search), jumps)
    counts = yield from count_tokens(blocks, tokenizer, threads=threads)
    if not counts.bytes:
        raise ValueError("The corpus holds no text.")
    done = UseProgress(corpus.total_bytes, counts.document_count)
    created = yield from _told(done, iter_created(tokenizer, counts.final))
    files = [corpus.files[number] for number in counts.files.tolist()]
    return CorpusUse(
        ids=tokenizer.table.ids,
        final=counts.final,
        created=created,
        documents=counts.documents,
        largest=counts.largest,
        largest_document=counts.largest_document,
        offsets=counts.places,
        tokens=counts.tokens,
        characters=counts.characters,
        bytes=counts.bytes,
        document_count=counts.document_count,
        files=tuple(file.label for file in files),
        first_documents=counts.first_documents,
        has_rows=np.array([holds_rows(file) for file in files], dtype=np.bool_),
        row_jumps=np.array(jumps, dtype=np.int64).reshape(-1, 2),
        specials=spelled_specials(
            search, [file.label for file in corpus.files], tokenizer.special_ids
        ),
        scripts=_scripts(counts),
        failure_count=counts.failure_count,
        failures=counts.failures,
    )


def _searched(blocks: Iterable[Block], search: SpelledSearch) -> Iterator[Block]:
    """Blocks that are shown to a search as they pass."""
    for block in blocks:
        if block.data or block.last:
            search.feed(block.document, block.file, block.data, block.last)
        yield block


def _noted(blocks: Iterable[Block], jumps: list[tuple[int, int]]) -> Iterator[Block]:
    """Blocks, of which it is noted where the rows of the documents do not count on."""
    file, document, row = -1, 0, 0
    for block in blocks:
        if block.row and (block.data or block.last):
            if block.file != file:
                file, document, row = block.file, block.document, 1
            if block.row - row != block.document - document:
                document, row = block.document, block.row
                jumps.append((document, row))
        yield block


def _told(
    progress: UseProgress, steps: Generator[None, None, _Result]
) -> Generator[UseProgress, None, _Result]:
    """Gives a progress at every step."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return cast(_Result, end.value)
        yield progress


def _scripts(counts: TokenCounts) -> tuple[ScriptUse, ...]:
    names, _ = script_table()
    used = np.flatnonzero(counts.script_tokens)
    order = used[np.argsort(-counts.script_tokens[used], kind="stable")]
    return tuple(
        ScriptUse(names[i], int(counts.script_tokens[i]), int(counts.script_characters[i]))
        for i in order.tolist()
    )
