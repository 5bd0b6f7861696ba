"""What a corpus does with the tokens of a table: encoded once, counted document by document."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import TypeVar

import numpy as np

from bpe_studio.analysis.corpus_use import CorpusUse, ScriptUse
from bpe_studio.analysis.creations import iter_created
from bpe_studio.analysis.spelled_specials import special_search, spelled_specials
from bpe_studio.bpe.corpus import Block, Corpus, CorpusReport, holds_rows, read_blocks
from bpe_studio.bpe.generators import result_of, retold
from bpe_studio.bpe.scripts import script_table
from bpe_studio.bpe.spelled import SpelledSearch
from bpe_studio.bpe.token_counting import UseProgress, count_tokens, most_bytes
from bpe_studio.bpe.token_counts import TokenCounts
from bpe_studio.bpe.tokenizer import Tokenizer

_Result = TypeVar("_Result")


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
    blocks = _limited(read_blocks(corpus, report=report), tokenizer, corpus)
    blocks = _noted(_searched(blocks, search), jumps)
    counts = yield from count_tokens(blocks, tokenizer, threads=threads)
    if not counts.bytes:
        raise ValueError("The corpus holds no text.")
    done = UseProgress(corpus.total_bytes, counts.document_count)
    created = yield from retold(iter_created(tokenizer, counts.final), lambda _: done)
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


def _limited(blocks: Iterable[Block], tokenizer: Tokenizer, corpus: Corpus) -> Iterator[Block]:
    """Blocks, up to a document that is too large for a tokenizer that has to see it whole."""
    most = most_bytes(tokenizer)
    size = 0
    for block in blocks:
        size += len(block.data)
        if most is not None and size > most:
            raise ValueError(
                f"{corpus.files[block.file].label}: this tokenizer encodes a document only as a "
                f"whole, and one here has over {most >> 20} MiB; split it into files, or into rows "
                "of a .jsonl file."
            )
        if block.last:
            size = 0
        yield block


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


def _scripts(counts: TokenCounts) -> tuple[ScriptUse, ...]:
    names, _ = script_table()
    used = np.flatnonzero(counts.script_tokens)
    order = used[np.argsort(-counts.script_tokens[used], kind="stable")]
    return tuple(
        ScriptUse(names[i], int(counts.script_tokens[i]), int(counts.script_characters[i]))
        for i in order.tolist()
    )
