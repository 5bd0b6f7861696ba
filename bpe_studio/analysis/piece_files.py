"""In which files of a corpus some pieces are, and how often: the corpus is read once more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.history import find_all
from bpe_studio.bpe.corpus import Corpus, read_blocks
from bpe_studio.bpe.hold_out import without_held_out
from bpe_studio.bpe.left_out import NOTHING, LeftOut
from bpe_studio.bpe.patterns import Pattern
from bpe_studio.bpe.scanner import last_safe_cut, piece_ends

_CHARACTERS: Final = 1 << 19  # that are scanned at a time, at least


@dataclass(frozen=True, slots=True, eq=False)
class FilesProgress:
    """How far reading is.

    Attributes
    ----------
    bytes_read : int
    counts : int64 array, shape (files, pieces)
        So far; complete in the last one.
    """

    bytes_read: int
    counts: NDArray[np.int64]


def iter_piece_files(
    corpus: Corpus,
    pattern: Pattern,
    pieces: Sequence[bytes],
    *,
    hold_out: float = 0.0,
    left_out: LeftOut = NOTHING,
) -> Iterator[FilesProgress]:
    """Counts pieces by the file that they are in, as the pattern cuts them, in slices.

    Documents of the share `hold_out` are passed over, and those of `left_out`.
    """
    counts = np.zeros((len(corpus.files), len(pieces)), dtype=np.int64)
    waiting: list[str] = []
    length, wanted, read = 0, _CHARACTERS, 0
    for block in without_held_out(read_blocks(corpus, left_out=left_out), hold_out):
        read = block.bytes_read
        waiting.append(block.text)
        length += len(waiting[-1])
        if not block.last and (pattern.safe_cut is None or length < wanted):
            yield FilesProgress(read, counts)
            continue
        text = "".join(waiting)
        cut = len(text) if block.last else last_safe_cut(pattern, text)
        waiting, length = [text[cut:]], len(text) - cut
        wanted = max(_CHARACTERS, 2 * length)
        for found in _iter_counts(pattern, text[:cut], pieces):
            counts[block.file] += found
            yield FilesProgress(read, counts)
    yield FilesProgress(read, counts)


def _iter_counts(
    pattern: Pattern, text: str, pieces: Sequence[bytes]
) -> Iterator[NDArray[np.int64]]:
    """How often each of the pieces is in a text; a part of it at a time."""
    data = np.frombuffer(text.encode(), dtype=np.uint8)
    begin = 0
    for ends in piece_ends(pattern, text):
        starts = np.concatenate(([begin], ends[:-1])).astype(np.int64)
        lengths = ends - starts
        yield np.array(
            [len(find_all(data, piece, starts[lengths == len(piece)])) for piece in pieces],
            dtype=np.int64,
        )
        begin = int(ends[-1]) if len(ends) else begin
