"""One file of a corpus → its documents, in parts, and what was wrong with it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol, TypeVar

from bpe_studio.bpe.charsets import SAMPLE, TextDecoder, is_binary, replace_surrogates, sniff
from bpe_studio.bpe.folders import Corpus, CorpusFile, Problem
from bpe_studio.bpe.parquet import NotReadableError, ParquetRows, is_parquet
from bpe_studio.bpe.rows import RowReader, is_rows
from bpe_studio.bpe.streams import DAMAGE, ByteStream, open_stream, without_compression
from bpe_studio.files import reason_of

__all__ = ["BINARY", "FileReader", "Part", "holds_rows"]

BINARY: Final = "It is a binary file"

_T = TypeVar("_T", covariant=True)


class _Decode(Protocol[_T]):
    def __call__(self, data: bytes, *, final: bool = False) -> _T: ...


class Part(NamedTuple):
    """Some text of a document; `last` ends the document, which is a `row` of the file, from 1, or
    with 0 all of it.

    The data is valid UTF-8, of whole characters. None that ends nothing only says that reading
    goes on.
    """

    data: bytes
    last: bool
    position: int
    row: int = 0


def holds_rows(file: CorpusFile) -> bool:
    """Whether every row of a file is a document of its own, by its name."""
    name = file.path.name
    return is_parquet(name) or is_rows(without_compression(name))


@dataclass(slots=True)
class FileReader:
    """Reads one file once; what it noticed is in its attributes afterwards.

    Attributes
    ----------
    left_out : frozenset of int
        Rows, from 1, that are passed over.
    problems : list of Problem
        Everything to report, whether or not text was lost by it.
    faulty : bool
        Whether text is invalid, so that `errors` of the corpus applies.
    was_read : bool
        Whether its text was used at all: not for a binary file.
    """

    corpus: Corpus
    file: CorpusFile
    block_bytes: int
    left_out: frozenset[int] = frozenset()
    problems: list[Problem] = field(default_factory=list)
    was_read: bool = False
    dropped_bytes: int = 0
    surrogates_replaced: int = 0
    _decoder: TextDecoder | None = None
    _rows: RowReader | None = None
    _damage: tuple[str, str] | None = None

    @property
    def faulty(self) -> bool:
        rows = self._rows is not None and bool(self._rows.faults)
        return rows or self.dropped_bytes > 0 or self._damage is not None

    @property
    def rows_left_out(self) -> int:
        return self._rows.rows_left_out if self._rows is not None else 0

    @property
    def rows_read(self) -> int | None:
        """The rows of the file; None before it was read to its end, or where it holds none."""
        whole = self._rows is not None and self.was_read and self._damage is None
        return self._rows.row if whole and self._rows is not None else None

    def check(self) -> Iterator[int]:
        """Read to the first fault, giving the position now and then and keeping no text.

        This is how `skip-file` decides before the first document of a file is handed out.
        """
        for part in self.parts():
            yield part.position
            if self.faulty:
                break

    def parts(self) -> Iterator[Part]:
        """The documents, one after another; every document that begins also ends."""
        path, named = self.file.path, self.file.named
        try:
            if is_parquet(path.name):
                key, left_out = self.corpus.text_key, self.left_out
                with ParquetRows(path, key, follow_links=named, left_out=left_out) as rows:
                    yield from self._parts_of_rows(rows)
                    self._compare_sizes(rows)
                return
            with open_stream(path, follow_links=named) as stream:
                yield from self._parts_of(stream)
                self._compare_sizes(stream)
        except OSError as error:
            self._report(f"It cannot be read: {reason_of(error)}")

    def tell_faults(self, outcome: str | None = None) -> list[Problem]:
        """What was invalid; `outcome` replaces what was done about it."""
        faults: list[tuple[str, str, int | None]] = []
        if self._decoder is not None and self._decoder.dropped:
            count, first = self._decoder.dropped, self._decoder.first_dropped
            name = self._decoder.encoding.name.upper()
            what = f"{count:,} {'byte is' if count == 1 else 'bytes are'} not valid {name}"
            faults.append((f"{what} (first at byte {first:,})", "left out", first))
        if self._rows is not None:
            faults += [(told, "left out", None) for told in self._rows.fault_sentences()]
        if self._damage is not None:
            faults.append((*self._damage, None))
        return [
            Problem(self.file.label, what, done if outcome is None else outcome, offset)
            for what, done, offset in faults
        ]

    def _parts_of(self, stream: ByteStream) -> Iterator[Part]:
        head = self._read(stream, max(SAMPLE, self.block_bytes))
        if self._damage is not None and not head:
            return
        encoding = sniff(head)
        if is_binary(head, encoding):
            self._report(BINARY, "left out")
            return
        self.was_read = True
        self._decoder = TextDecoder(encoding)
        chunks = self._chunks(stream, head[encoding.mark :])
        if is_rows(without_compression(self.file.path.name)):
            self._rows = RowReader(self.corpus.text_key, self.left_out)
            texts = self._decoded(self._decoder.decode, chunks)
            yield from self._rows_in(texts, self._rows, stream)
        else:
            parts = self._decoded(self._decoder.to_utf8, chunks)
            yield from self._one_document(parts, stream)

    def _parts_of_rows(self, rows: ParquetRows) -> Iterator[Part]:
        self._rows = rows.faults
        try:
            for text in rows.texts():
                self.was_read = True
                if text is not None:
                    yield from self._split(text, rows)
        except NotReadableError as error:
            done = "what came before was used" if self.was_read else "left out"
            self._damage = (str(error), done)
        yield Part(b"", False, rows.size)

    def _chunks(self, stream: ByteStream, head: bytes) -> Iterator[bytes]:
        step = self.block_bytes
        for start in range(0, len(head), step):
            yield head[start : start + step]
        while data := self._read(stream, step):
            yield data

    def _decoded(self, decode: _Decode[_T], chunks: Iterable[bytes]) -> Iterator[_T]:
        assert self._decoder is not None
        for chunk in chunks:
            decoded = decode(chunk)
            self.dropped_bytes = self._decoder.dropped
            yield decoded
        decoded = decode(b"", final=True)
        self.dropped_bytes = self._decoder.dropped
        yield decoded

    def _one_document(self, parts: Iterable[bytes], stream: ByteStream) -> Iterator[Part]:
        # One part is held back, because only the end of the file tells which is the last.
        held = b""
        for data in parts:
            if data:
                yield Part(held, False, stream.position)
                held = data
        yield Part(held, True, stream.position)

    def _rows_in(self, texts: Iterable[str], rows: RowReader, stream: ByteStream) -> Iterator[Part]:
        for text in texts:
            for document in rows.feed(text):
                yield from self._split(self._clean(document, rows), stream)
            yield Part(b"", False, stream.position)
        for document in rows.close():
            yield from self._split(self._clean(document, rows), stream)

    def _clean(self, document: str, rows: RowReader) -> str:
        # Only escapes in JSON can spell a lone surrogate; decoding never makes one.
        text, replaced = replace_surrogates(document)
        self.surrogates_replaced += replaced
        if replaced and self.corpus.errors == "strict":
            rows.note_fault("with a lone surrogate", "")
        return text

    def _split(self, text: str, stream: ByteStream | ParquetRows) -> Iterator[Part]:
        step = self.block_bytes
        row = 0 if self._rows is None else self._rows.row
        for start in range(0, len(text) or 1, step):
            data = text[start : start + step].encode()
            yield Part(data, start + step >= len(text), stream.position, row)

    def _read(self, stream: ByteStream, size: int) -> bytes:
        """`size` bytes, fewer only at the end or before a damaged place."""
        gathered = b""
        try:
            while len(gathered) < size and (data := stream.read(size - len(gathered))):
                gathered = gathered + data if gathered else data
        except DAMAGE as error:
            begun = self.was_read or bool(gathered)
            damage = _damage_in_words(error, self.file.path.name, begun=begun)
            self._damage = self._damage or damage
        return gathered

    def _compare_sizes(self, stream: ByteStream | ParquetRows) -> None:
        if stream.size != self.file.size:
            was = f"{self.file.size:,} {'byte' if self.file.size == 1 else 'bytes'}"
            what = f"It had {was} when it was found and {stream.size:,} when it was read"
            self._report(what, "the latter were used")
        elif stream.changed() and self._damage is None:
            used = f"at most {stream.size:,} bytes were used"
            self._report("It changed while it was read", used)

    def _report(self, what: str, outcome: str = "") -> None:
        self.problems.append(Problem(self.file.label, what, outcome))


def _damage_in_words(error: BaseException, name: str, *, begun: bool) -> tuple[str, str]:
    """What is wrong with a file, and what was done; libraries say it for programmers only."""
    done = "what came before was used" if begun else "left out"
    if isinstance(error, OSError) and error.errno is not None:
        return f"It cannot be read to its end: {reason_of(error)}", done
    if isinstance(error, EOFError):
        return "Its data is cut off", done
    if begun:
        return "Its data is damaged", done
    return f"It is no {os.path.splitext(name)[1].lower()} file, whatever its name says", done
