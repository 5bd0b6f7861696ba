"""Runs of text → where the tokens of one table end, whatever kind of tokenizer it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.cut_book import CutBook, Numbered
from bpe_studio.bpe.encoder import Encoding
from bpe_studio.bpe.plain_runs import PlainRuns, dense_tokens, encode_documents
from bpe_studio.bpe.runs import Run, padded
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["CutReader", "Cuts", "ReadRun"]

_MOST_AT_A_BYTE = 31  # as `kernels.chunks` has it


class ReadRun:
    """A run, and its pieces under every pattern that was asked for."""

    def __init__(self, run: Run, raw: bytes) -> None:
        self.run = run
        self.raw = raw
        self._numbered: dict[int, Numbered] = {}

    def numbered(self, book: CutBook) -> Numbered:
        """The pieces by the pattern of a book; scanned once."""
        if id(book) not in self._numbered:
            self._numbered[id(book)] = book.number(self.run.data, self.run.documents)
        return self._numbered[id(book)]


class Cuts(Protocol):
    """Where a table cuts the pieces of a book."""

    def mark(self, found: Numbered, ends: NDArray[np.uint8], tokens: NDArray[np.int64]) -> None: ...

    def add_final(self, final: NDArray[np.int64]) -> None: ...


class CutReader:
    """Reads runs with one tokenizer, for one thread, as long as `go_on` says so.

    Attributes
    ----------
    added : int
        Tokens found between pieces.
    all_pieces : bool
        Whether all that was read were pieces, and tokens between them.

    Parameters
    ----------
    book : CutBook or None
        Of the tokenizer's pattern, shared with others; None where it has no scanner.
    cuts : Cuts or None
        Of the book, under this table.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        book: CutBook | None,
        cuts: Cuts | None,
        go_on: Callable[[], bool],
    ) -> None:
        self._tokenizer = tokenizer
        self._book = book
        self._go_on = go_on
        self._plain = PlainRuns(tokenizer)
        self._cuts = cuts
        self._final = np.zeros(len(tokenizer.table), dtype=np.int64)
        self.added = 0
        self.all_pieces = True

    def read(self, read: ReadRun, ends: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The tokens of each document; marks in `ends` (uint8, zero) how many end at each byte."""
        tokens = np.zeros(len(read.run.documents), dtype=np.int64)
        way = self._plain.way(read.raw)
        if way == "texts" or self._book is None or self._cuts is None:
            self.all_pieces = False
            self._read_texts(read, ends, tokens)
        elif way == "pieces":
            self._cuts.mark(read.numbered(self._book), ends, tokens)
        elif way == "composed":
            self._read_composed(read, self._book, self._cuts, ends, tokens)
        else:
            self._read_segments(read, self._book, self._cuts, ends, tokens)
        return tokens

    def final(self) -> NDArray[np.int64]:
        """How often each token of the table was used, by its dense number."""
        final = self._final.copy()
        if self._cuts is not None:
            self._cuts.add_final(final)
        return final

    def _read_texts(
        self, read: ReadRun, ends: NDArray[np.uint8], tokens: NDArray[np.int64]
    ) -> None:
        for i, found in enumerate(self._encoded(read, ends)):
            tokens[i] = len(found)
            self._count(found.ids)

    def _read_composed(
        self,
        read: ReadRun,
        book: CutBook,
        cuts: Cuts,
        ends: NDArray[np.uint8],
        tokens: NDArray[np.int64],
    ) -> None:
        """The pieces are those of the composed text; where they are is told in the one that is."""
        for _ in self._encoded(read, ends):
            pass
        laid = bytearray()
        texts: list[int] = []
        begin = 0
        for end in read.run.documents.tolist():
            laid += normalize("NFC", read.raw[begin:end].decode()).encode()
            texts.append(len(laid))
            begin = end
        found = book.number(padded(laid), np.array(texts, dtype=np.int64))
        cuts.mark(found, np.zeros(len(laid), dtype=np.uint8), tokens)

    def _encoded(self, read: ReadRun, ends: NDArray[np.uint8]) -> Iterator[Encoding]:
        """Every document with all that the tokenizer does; where tokens end is marked."""
        documents = encode_documents(self._tokenizer, read.run, read.raw, self._go_on)
        for begin, part, found in documents:
            if part:
                # A token without text ends where the one before it does.
                last = np.maximum(found.offsets[:, 1], 1) - 1
                marks = np.bincount(last, minlength=len(part))
                ends[begin : begin + len(part)] = np.minimum(marks, _MOST_AT_A_BYTE)
            yield found

    def _read_segments(
        self,
        read: ReadRun,
        book: CutBook,
        cuts: Cuts,
        ends: NDArray[np.uint8],
        tokens: NDArray[np.int64],
    ) -> None:
        """What stands between added tokens is laid together, and read as pieces."""
        laid = bytearray()
        texts: list[int] = []
        owners: list[int] = []
        places: list[int] = []
        given: list[int] = []
        begin = 0
        for document, end in enumerate(read.run.documents.tolist()):
            part = read.raw[begin:end] if self._go_on() else b""
            for segment, special in self._tokenizer.segments(part.decode(), None):
                data = segment.encode()
                if special is None:
                    laid += data
                    texts.append(len(laid))
                    owners.append(document)
                    places.append(begin)
                else:
                    given.append(special)
                    ends[begin + len(data) - 1] += 1
                    tokens[document] += 1
                begin += len(data)
            begin = end
        self._count(np.array(given, dtype=np.int32))
        self.added += len(given)
        found = book.number(padded(laid), np.array(texts, dtype=np.int64))
        marks = np.zeros(len(laid), dtype=np.uint8)  # with the padding
        own = np.zeros(len(texts), dtype=np.int64)
        cuts.mark(found, marks, own)
        np.add.at(tokens, owners, own)
        first = 0
        for place, last in zip(places, texts, strict=True):
            ends[place : place + last - first] = marks[first:last]
            first = last

    def _count(self, ids: NDArray[np.int32]) -> None:
        tokens = dense_tokens(self._tokenizer, ids)
        self._final += np.bincount(tokens[tokens >= 0], minlength=len(self._final))
