"""All tokens of two tables as CSV, one a row."""

from __future__ import annotations

from collections.abc import Iterator

from bpe_studio.reports.cells import csv_chunks
from bpe_studio.reports.compare_rows import COLUMNS, token_rows
from bpe_studio.reports.compare_subject import CompareSubject

__all__ = ["compare_csv_chunks"]


def compare_csv_chunks(subject: CompareSubject) -> Iterator[bytes]:
    """The file, some thousand rows at a time."""
    yield from csv_chunks(COLUMNS, token_rows(subject))
