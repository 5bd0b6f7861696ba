"""Paths → documents → blocks of text, streamed.

`find_files` lists what is there; `read_blocks` reads it. A document is one file, or one
row of a `.jsonl` or `.parquet` file. What is held in memory is a block, or a row, never a file.

Invalid text is handled by `Corpus.errors`:

- `drop` leaves invalid bytes (or rows) out, counts and reports them;
- `skip-file` leaves the whole file out. The file is read ahead once to decide, so that
  no part of a skipped file is ever handed out;
- `strict` stops with a ValueError that names the file and the place.

Binary files, and files that vanish or change, are lines in the report in all three.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from bpe_studio.bpe.documents import FileReader, Part, holds_rows
from bpe_studio.bpe.folders import (
    Corpus,
    CorpusFile,
    Errors,
    Found,
    Problem,
    find_files,
    iter_found,
    standard_library,
)
from bpe_studio.bpe.left_out import NOTHING, LeftOut

__all__ = [
    "Block",
    "Corpus",
    "CorpusFile",
    "CorpusReport",
    "Errors",
    "Found",
    "Problem",
    "find_files",
    "holds_rows",
    "iter_found",
    "read_blocks",
    "standard_library",
]

_WHOLE_FILE = "the whole file was left out"


class Block(NamedTuple):
    """Some text of one document.

    Attributes
    ----------
    document : int
        Number of the document, from 0 in reading order.
    file : int
        Index into `Corpus.files`.
    data : bytes
        Valid UTF-8, cut between any two characters: also inside "\\r\\n", a word or an emoji.
        No data that is not `last` only says that reading goes on.
    last : bool
        Whether the document ends here.
    bytes_read : int
        Bytes on disk read so far, over all files.
    row : int
        The row of the file that the document is, from 1 (those that are no documents count, too);
        0 where the document is the whole file.
    """

    document: int
    file: int
    data: bytes
    last: bool
    bytes_read: int
    row: int = 0

    @property
    def text(self) -> str:
        return self.data.decode()


@dataclass(slots=True)
class CorpusReport:
    """What reading a corpus has met, filled while it is read.

    Attributes
    ----------
    problems : list of Problem
        Those of the walk first, then those of the files in reading order.
    documents : int
        Documents read to their end.
    read_files : list of CorpusFile
        Files whose text was used.
    dropped_bytes, surrogates_replaced : int
        Invalid bytes left out; lone surrogates of JSON strings that became U+FFFD.
    left_out_files, left_out_rows : int
        Files, and rows of other files, that somebody has asked to leave out.
    """

    problems: list[Problem] = field(default_factory=list)
    documents: int = 0
    read_files: list[CorpusFile] = field(default_factory=list)
    dropped_bytes: int = 0
    surrogates_replaced: int = 0
    left_out_files: int = 0
    left_out_rows: int = 0
    _digest: hashlib._Hash = field(default_factory=hashlib.sha256)
    _document: hashlib._Hash | None = None

    def fingerprint(self) -> str:
        """Hex digest of the documents so far: of their text, order and borders, no names."""
        return self._digest.hexdigest()

    def add_text(self, data: bytes, *, last: bool) -> None:
        """Take note of the next text of a document, as UTF-8."""
        # Processors of today have instructions for SHA-256: twice as fast as BLAKE2 then.
        if self._document is None:
            self._document = hashlib.sha256()
        self._document.update(data)
        if last:
            # A digest of digests: the borders count, whatever the texts are.
            self._digest.update(self._document.digest())
            self._document = None
            self.documents += 1


def read_blocks(
    corpus: Corpus,
    *,
    block_bytes: int = 1 << 18,
    report: CorpusReport | None = None,
    left_out: LeftOut = NOTHING,
) -> Iterator[Block]:
    """Read the documents of a corpus as one flat stream of blocks.

    Parameters
    ----------
    corpus : Corpus
        What to read.
    block_bytes : int
        Size of a block, about; so small that its data stays in the cache from step to step.
        Documents, fingerprint and report do not depend on it.
    report : CorpusReport, optional
        Filled on the way.
    left_out : LeftOut
        Files and rows that are not read.

    Raises
    ------
    ValueError
        With `errors="strict"`, at the first invalid byte or row; and where a row that is to be
        left out is not there.
    """
    if block_bytes < 1:
        raise ValueError(f"block_bytes is {block_bytes}; it must be at least 1.")
    report = CorpusReport() if report is None else report
    report.problems.extend(corpus.problems)
    done = 0
    for index, file in enumerate(corpus.files):
        for part in _read_file(corpus, file, block_bytes, report, left_out):
            document = report.documents
            if part.data or part.last:
                report.add_text(part.data, last=part.last)
            position = done + min(part.position, file.size)
            yield Block(document, index, part.data, part.last, position, part.row)
        done += file.size


def _read_file(
    corpus: Corpus,
    file: CorpusFile,
    block_bytes: int,
    report: CorpusReport,
    left_out: LeftOut,
) -> Iterator[Part]:
    if file.label in left_out.files:
        report.left_out_files += 1
        return
    rows = left_out.rows_of(file.label)
    if corpus.errors == "skip-file":
        ahead = FileReader(corpus, file, block_bytes, rows)
        for _ in ahead.check():
            yield Part(b"", False, 0)
        if ahead.faulty:
            report.problems.extend(ahead.tell_faults(_WHOLE_FILE))
            return
    reader = FileReader(corpus, file, block_bytes, rows)
    for part in reader.parts():
        if corpus.errors == "strict" and reader.faulty:
            break
        yield part
    if corpus.errors == "strict" and reader.faulty:
        fault = reader.tell_faults("reading stopped there; correct it, or make the file UTF-8")[0]
        raise ValueError(f"{file.label}: {fault.message}")
    if reader.rows_read is not None:
        left_out.check_rows(file.label, reader.rows_read)
    _take_over(reader, report)


def _take_over(reader: FileReader, report: CorpusReport) -> None:
    report.problems.extend(reader.tell_faults())
    report.problems.extend(reader.problems)
    report.dropped_bytes += reader.dropped_bytes
    report.surrogates_replaced += reader.surrogates_replaced
    report.left_out_rows += reader.rows_left_out
    if reader.was_read:
        report.read_files.append(reader.file)
