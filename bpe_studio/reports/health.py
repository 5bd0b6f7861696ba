"""A report on the tokens of a table as a file: HTML, Markdown, CSV or JSON, by its suffix."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from bpe_studio.files import write_atomic
from bpe_studio.reports.health_csv import COLUMNS, health_csv_chunks
from bpe_studio.reports.health_page import TITLE, health_page
from bpe_studio.reports.health_plain import JSON_HEAD, health_json_chunks
from bpe_studio.reports.health_subject import HealthSubject
from bpe_studio.reports.html import html_chunks
from bpe_studio.reports.markdown import markdown_chunks
from bpe_studio.reports.suffixes import ReportFormats

__all__ = [
    "HEALTH_FORMATS",
    "SUFFIXES",
    "HealthSubject",
    "health_chunks",
    "health_format",
    "is_health",
    "write_health",
]


def _html(subject: HealthSubject) -> Iterator[bytes]:
    return html_chunks(health_page(subject))


def _markdown(subject: HealthSubject) -> Iterator[bytes]:
    return markdown_chunks(health_page(subject))


HEALTH_FORMATS: Final = ReportFormats(
    {
        ".html": ("HTML", _html),
        ".htm": ("HTML", _html),
        ".md": ("Markdown", _markdown),
        ".markdown": ("Markdown", _markdown),
        ".csv": ("CSV", health_csv_chunks),
        ".json": ("JSON", health_json_chunks),
    },
    "report of health",
    TITLE,
    (",".join(COLUMNS).encode(), JSON_HEAD),
)
SUFFIXES: Final = tuple(HEALTH_FORMATS.chunks)


def health_format(path: str | os.PathLike[str]) -> str:
    """``"HTML"``, ``"Markdown"``, ``"CSV"`` or ``"JSON"``.

    Raises
    ------
    ValueError
        For any other suffix.
    """
    return HEALTH_FORMATS.of(path)[0]


def health_chunks(subject: HealthSubject, path: str | os.PathLike[str]) -> Iterator[bytes]:
    """What the file is to hold; a generator, so that it can be made on a worker thread.

    Raises
    ------
    ValueError
        As `health_format`.
    """
    return HEALTH_FORMATS.of(path)[1](subject)


def is_health(head: bytes) -> bool:
    """Whether a file that begins so is such a report, which another one may replace."""
    return HEALTH_FORMATS.is_one(head)


def write_health(subject: HealthSubject, path: str | os.PathLike[str]) -> None:
    """Save a report, whole or not at all.

    Raises
    ------
    ValueError, OSError
        In one sentence.
    """
    write_atomic(path, health_chunks(subject, path))
