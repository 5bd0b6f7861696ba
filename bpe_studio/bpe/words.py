"""Counting pieces: text blocks to the distinct pieces of a corpus with their frequencies."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.corpus import Block
from bpe_studio.bpe.patterns import Pattern
from bpe_studio.bpe.scanner import iter_pieces, last_safe_cut

MAX_PIECE_BYTES: Final = 1 << 20
# A custom pattern has no known cut, so it sees a document as a whole.
MAX_CUSTOM_DOCUMENT_CHARS: Final = 1 << 28


@dataclass(frozen=True, eq=False)
class WordCounts:
    """The distinct pieces of a corpus in first-seen order, and how often each was seen.

    Attributes
    ----------
    data : uint8 array
        The pieces' bytes, one after another.
    offsets : int64 array, shape (n + 1,)
    counts : int64 array, shape (n,)
    documents, characters, bytes, pieces : int
        Totals of the corpus; bytes as UTF-8.
    cut_pieces : int
        Pieces over 1 MiB, which were cut for training.
    """

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    counts: NDArray[np.int64]
    documents: int
    characters: int
    bytes: int
    pieces: int
    cut_pieces: int = 0

    def __len__(self) -> int:
        """The number of distinct pieces."""
        return len(self.counts)

    def piece(self, index: int) -> builtins.bytes:
        return self.data[self.offsets[index] : self.offsets[index + 1]].tobytes()

    def slices(self, size: int = 1 << 18) -> Iterator[tuple[int, int]]:
        """Ranges of pieces, first and last + 1, of about `size` bytes."""
        first = 0
        while first < len(self):
            last = int(np.searchsorted(self.offsets, self.offsets[first] + size, side="right"))
            last = min(max(last, first + 1), len(self))
            yield first, last
            first = last

    def alphabet(self) -> set[str]:
        """The distinct characters, found in slices that give other threads a turn."""
        found: set[str] = set()
        for first, last in self.slices():
            data = self.data[self.offsets[first] : self.offsets[last]]
            found.update(data.tobytes().decode())
        return found


@dataclass(frozen=True, slots=True)
class CountProgress:
    """How far counting is. Only the last one carries the words."""

    bytes_read: int
    documents: int
    pieces: int
    distinct: int
    words: WordCounts | None = None


def count_words(blocks: Iterable[Block], pattern: Pattern) -> Iterator[CountProgress]:
    """Counts the pieces of a stream of text blocks; yields after every few milliseconds.

    Documents are never joined, and the result does not depend on how they come in blocks.

    Raises
    ------
    ValueError
        A custom pattern drops text, is too slow, or meets a document of over 268 M characters.
    """
    tally = _Tally(pattern)
    for block in blocks:
        for text in tally.take(block):
            for pieces in iter_pieces(pattern, text):
                tally.add(pieces)
                yield tally.progress(block.bytes_read)
        yield tally.progress(block.bytes_read)
    yield CountProgress(
        tally.bytes_read, tally.documents, tally.pieces, len(tally.counts), tally.words()
    )


class _Tally:
    """What has been counted, and the text that waits for its next safe cut."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self.counts: dict[str, int] = {}
        self.waiting: list[str] = []
        self.documents = self.characters = self.pieces = self.cut_pieces = self.bytes_read = 0

    def take(self, block: Block) -> list[str]:
        """The text that may be scanned now."""
        self.characters += len(block.text)
        self.waiting.append(block.text)
        if block.last:
            self.documents += 1
            text = "".join(self.waiting)
            self.waiting = []
            return [text]
        if self.pattern.safe_cut is None:
            if sum(map(len, self.waiting)) > MAX_CUSTOM_DOCUMENT_CHARS:
                raise ValueError(
                    f"Document {block.document + 1:,} has over {MAX_CUSTOM_DOCUMENT_CHARS:,} "
                    "characters, too many for a custom pattern; split it, or use a preset."
                )
            return []
        # Only the new block is searched, with a little of what came before for the look-behind.
        tail = self.waiting[-2][-2:] if len(self.waiting) > 1 else ""
        cut = last_safe_cut(self.pattern, tail + block.text) - len(tail)
        if cut <= 0:
            return []
        text = "".join([*self.waiting[:-1], block.text[:cut]])
        self.waiting = [block.text[cut:]]
        return [text]

    def add(self, pieces: list[str]) -> None:
        self.pieces += len(pieces)
        counts = self.counts
        for piece in pieces:
            counts[piece] = counts.get(piece, 0) + 1

    def progress(self, bytes_read: int) -> CountProgress:
        self.bytes_read = bytes_read
        return CountProgress(bytes_read, self.documents, self.pieces, len(self.counts))

    def words(self) -> WordCounts:
        counts = self._cut_long(self.counts)
        encoded = [piece.encode() for piece in counts]
        offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
        offsets[1:] = np.cumsum([len(piece) for piece in encoded], dtype=np.int64)
        frequencies = np.fromiter(counts.values(), dtype=np.int64, count=len(counts))
        return WordCounts(
            data=np.frombuffer(b"".join(encoded), dtype=np.uint8),
            offsets=offsets,
            counts=frequencies,
            documents=self.documents,
            characters=self.characters,
            bytes=int((np.diff(offsets) * frequencies).sum()),
            pieces=self.pieces,
            cut_pieces=self.cut_pieces,
        )

    def _cut_long(self, counts: dict[str, int]) -> dict[str, int]:
        """Cuts pieces over the cap at a character; the parts take their piece's place."""
        if all(len(piece) * 4 <= MAX_PIECE_BYTES for piece in counts):
            return counts
        cut: dict[str, int] = {}
        for piece, count in counts.items():
            parts = _cut_piece(piece)
            self.cut_pieces += count if len(parts) > 1 else 0
            for part in parts:
                cut[part] = cut.get(part, 0) + count
        return cut


def _cut_piece(piece: str) -> list[str]:
    """Parts of at most `MAX_PIECE_BYTES` bytes, as long as whole characters allow."""
    data = piece.encode()
    parts: list[str] = []
    start = 0
    while start < len(data):
        end = min(start + MAX_PIECE_BYTES, len(data))
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end -= 1
        parts.append(data[start:end].decode())
        start = end
    return parts
