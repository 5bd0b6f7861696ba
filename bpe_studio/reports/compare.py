"""A report on two tables or more as a file: HTML, Markdown, CSV or JSON, by its suffix."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from bpe_studio.files import write_atomic
from bpe_studio.reports.compare_csv import compare_csv_chunks
from bpe_studio.reports.compare_page import TITLE, compare_page
from bpe_studio.reports.compare_plain import JSON_HEAD, compare_json_chunks
from bpe_studio.reports.compare_rows import COLUMNS
from bpe_studio.reports.compare_subject import CompareSubject, compared_text
from bpe_studio.reports.html import html_chunks
from bpe_studio.reports.markdown import markdown_chunks
from bpe_studio.reports.suffixes import ReportFormats

__all__ = [
    "COMPARE_FORMATS",
    "SUFFIXES",
    "CompareSubject",
    "compare_chunks",
    "compare_format",
    "compared_text",
    "is_compare",
    "write_compare",
]


def _html(subject: CompareSubject) -> Iterator[bytes]:
    return html_chunks(compare_page(subject))


def _markdown(subject: CompareSubject) -> Iterator[bytes]:
    return markdown_chunks(compare_page(subject))


COMPARE_FORMATS: Final = ReportFormats(
    {
        ".html": ("HTML", _html),
        ".htm": ("HTML", _html),
        ".md": ("Markdown", _markdown),
        ".markdown": ("Markdown", _markdown),
        ".csv": ("CSV", compare_csv_chunks),
        ".json": ("JSON", compare_json_chunks),
    },
    "report of a comparison",
    TITLE,
    (",".join(COLUMNS).encode(), JSON_HEAD),
)
SUFFIXES: Final = tuple(COMPARE_FORMATS.chunks)


def compare_format(path: str | os.PathLike[str]) -> str:
    """``"HTML"``, ``"Markdown"``, ``"CSV"`` or ``"JSON"``.

    Raises
    ------
    ValueError
        For any other suffix.
    """
    return COMPARE_FORMATS.of(path)[0]


def compare_chunks(subject: CompareSubject, path: str | os.PathLike[str]) -> Iterator[bytes]:
    """What the file is to hold; a generator, so that it can be made on a worker thread.

    Raises
    ------
    ValueError
        As `compare_format`.
    """
    return COMPARE_FORMATS.of(path)[1](subject)


def is_compare(head: bytes) -> bool:
    """Whether a file that begins so is such a report, which another one may replace.

    Parameters
    ----------
    head : the first 4,096 bytes
    """
    return COMPARE_FORMATS.is_one(head)


def write_compare(subject: CompareSubject, path: str | os.PathLike[str]) -> None:
    """Save a report, whole or not at all.

    Raises
    ------
    ValueError, OSError
        In one sentence.
    """
    write_atomic(path, compare_chunks(subject, path))
