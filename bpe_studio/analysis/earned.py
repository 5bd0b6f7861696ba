"""Which pieces of a corpus earned a token: those in which its merge fired, and their files."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.history import History, PieceUse, find_all, history
from bpe_studio.analysis.piece_files import iter_piece_files
from bpe_studio.analysis.usage import check_countable
from bpe_studio.bpe.corpus import Corpus, CorpusReport, read_blocks
from bpe_studio.bpe.counting import count_words
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.left_out import LeftOut, find_left_out
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord
from bpe_studio.bpe.words import WordCounts

MOST_PIECES: Final = 20
_BYTES_A_SLICE: Final = 1 << 17  # of pieces that are merged, some milliseconds


@dataclass(frozen=True, slots=True)
class EarnedProgress:
    """How far the search is: bytes of the corpus, or distinct pieces, done of all.

    Attributes
    ----------
    phase : str
        "counting" the pieces of the corpus, "merging" those that may have it, and reading once
        more for the "files" that they come from.
    """

    phase: Literal["counting", "merging", "files"]
    done: int
    total: int


def earned(tokenizer: Tokenizer, token: int, corpus: Corpus) -> History:
    """As `iter_earned`, at once."""
    return result_of(iter_earned(tokenizer, token, corpus))


def iter_earned(
    tokenizer: Tokenizer,
    token: int,
    corpus: Corpus,
    *,
    report: CorpusReport | None = None,
) -> Generator[EarnedProgress, None, History]:
    """The history of a token with the pieces of a corpus that earned it, in slices.

    The merges are followed as training follows them, whatever the engine, and documents that were
    held or left out of it earned nothing. A base symbol, a special
    and a token that no merge makes were earned by nothing. To stop, close the generator.

    Parameters
    ----------
    report : CorpusReport, optional
        Filled with what reading the corpus has met.

    Raises
    ------
    ValueError
        The tokenizer edits texts, or has no merges; the corpus holds no text.
    """
    told = history(tokenizer, token)
    check_askable(tokenizer)
    if not told.makings:
        return replace(told, earned=())
    words: WordCounts | None = None
    record = tokenizer.training
    hold_out = record.hold_out if record is not None else 0.0
    names = record.without if record is not None else ()
    left_out = find_left_out(corpus.files, names, may_lack=names)
    report = CorpusReport() if report is None else report
    blocks = read_blocks(corpus, report=report, left_out=left_out)
    for step in count_words(blocks, tokenizer.pattern, hold_out=hold_out):
        words = step.words
        yield EarnedProgress("counting", step.bytes_read, corpus.total_bytes)
    assert words is not None
    if not len(words):
        raise ValueError("The corpus holds no text.")
    ranks = np.array([making.rank for making in told.makings], dtype=np.int64)
    rows = tokenizer.table.rows_of(ranks)
    applied = yield from _iter_applied(tokenizer, words, told.data, rows)
    weights = applied * words.counts
    fired = np.flatnonzero(applied)
    top = fired[np.argsort(-weights[fired], kind="stable")][:MOST_PIECES].tolist()
    pieces = [words.piece(number) for number in top]
    files = (
        [()] * len(top)
        if not top
        else (yield from _iter_files(tokenizer, corpus, pieces, hold_out, left_out))
    )
    uses = tuple(
        PieceUse(piece, int(words.counts[number]), int(applied[number]), found)
        for piece, number, found in zip(pieces, top, files, strict=True)
    )
    return replace(
        told,
        earned=uses,
        earned_pieces=len(fired),
        earned_applied=int(weights.sum()),
        earned_hold_out=hold_out,
        earned_in_training=None if record is None else _is_its(record, report),
    )


def check_askable(tokenizer: Tokenizer) -> None:
    """Refuses a tokenizer whose pieces are not those that its corpus holds.

    Raises
    ------
    ValueError
    """
    if tokenizer.outside is None and tokenizer.edits_text and not tokenizer.view_only:
        raise ValueError(
            "The tokenizer edits a text before it merges, so the pieces of a corpus are not what "
            "earned its tokens; leave the corpus out."
        )
    check_countable(tokenizer)


def _is_its(record: TrainingRecord, report: CorpusReport) -> bool:
    """Whether what was read is the corpus of a training."""
    return bool(record.corpus.get("fingerprint") == report.fingerprint())


def _iter_applied(
    tokenizer: Tokenizer, words: WordCounts, data: bytes, rows: NDArray[np.int64]
) -> Generator[EarnedProgress, None, NDArray[np.int64]]:
    """int64, one a piece: how often one of the merges fires in it."""
    applied = np.zeros(len(words), dtype=np.int64)
    for first, last in words.slices(_BYTES_A_SLICE):
        yield EarnedProgress("merging", first, len(words))
        offsets = words.offsets[first : last + 1]
        arena = words.data[offsets[0] : offsets[-1]]
        # A merge makes these bytes, so only a piece that has them can be one.
        places = find_all(arena, data) + offsets[0]
        numbers = np.searchsorted(offsets, places, side="right") - 1
        whole = places + len(data) <= offsets[numbers + 1]
        numbers = np.unique(numbers[whole]) + first
        if len(numbers):
            applied[numbers] = _fired(tokenizer, words, numbers, rows)
    yield EarnedProgress("merging", len(words), len(words))
    return applied


def _fired(
    tokenizer: Tokenizer,
    words: WordCounts,
    numbers: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> NDArray[np.int64]:
    """How often one of the merges fires in each of some pieces."""
    trace = tokenizer.trace_pieces([words.piece(number) for number in numbers.tolist()])
    fired = np.isin(trace.joins[:, 0], rows)
    before = np.concatenate(([0], np.cumsum(fired, dtype=np.int64)))
    counts: NDArray[np.int64] = np.diff(before[trace.first_joins])
    return counts


def _iter_files(
    tokenizer: Tokenizer, corpus: Corpus, pieces: list[bytes], hold_out: float, left_out: LeftOut
) -> Generator[EarnedProgress, None, list[tuple[tuple[str, int], ...]]]:
    """The files of each piece, with how often it is in each; those with most of it first."""
    counts: NDArray[np.int64] | None = None
    for step in iter_piece_files(
        corpus, tokenizer.pattern, pieces, hold_out=hold_out, left_out=left_out
    ):
        counts = step.counts
        yield EarnedProgress("files", step.bytes_read, corpus.total_bytes)
    assert counts is not None
    return [tuple(_named(corpus, column)) for column in counts.T]


def _named(corpus: Corpus, counts: NDArray[np.int64]) -> Iterator[tuple[str, int]]:
    for file in np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)].tolist():
        yield corpus.files[file].label, int(counts[file])
