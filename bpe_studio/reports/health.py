"""A report on the tokens of a table as a file: HTML, Markdown, CSV or JSON, by its suffix."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from bpe_studio.files import write_atomic
from bpe_studio.reports.health_csv import COLUMNS, health_csv_chunks
from bpe_studio.reports.health_page import health_page
from bpe_studio.reports.health_plain import JSON_HEAD, json_chunks
from bpe_studio.reports.health_subject import HealthSubject
from bpe_studio.reports.html import HTML_HEAD, html_chunks
from bpe_studio.reports.markdown import markdown_chunks

__all__ = [
    "SUFFIXES",
    "HealthSubject",
    "health_chunks",
    "health_format",
    "is_health",
    "write_health",
]

Chunks = Callable[[HealthSubject], Iterator[bytes]]


def _html(subject: HealthSubject) -> Iterator[bytes]:
    return html_chunks(health_page(subject))


def _markdown(subject: HealthSubject) -> Iterator[bytes]:
    return markdown_chunks(health_page(subject))


_FORMATS: Final[dict[str, tuple[str, Chunks]]] = {
    ".html": ("HTML", _html),
    ".htm": ("HTML", _html),
    ".md": ("Markdown", _markdown),
    ".markdown": ("Markdown", _markdown),
    ".csv": ("CSV", health_csv_chunks),
    ".json": ("JSON", json_chunks),
}
SUFFIXES: Final = tuple(_FORMATS)
_HEADS: Final = (HTML_HEAD, b"# Health of ", ",".join(COLUMNS).encode(), JSON_HEAD)


def health_format(path: str | os.PathLike[str]) -> str:
    """``"HTML"``, ``"Markdown"``, ``"CSV"`` or ``"JSON"``.

    Raises
    ------
    ValueError
        For any other suffix.
    """
    return _format_of(path)[0]


def health_chunks(subject: HealthSubject, path: str | os.PathLike[str]) -> Iterator[bytes]:
    """What the file is to hold; a generator, so that it can be made on a worker thread.

    Raises
    ------
    ValueError
        As `health_format`.
    """
    return _format_of(path)[1](subject)


def is_health(head: bytes) -> bool:
    """Whether a file that begins so is such a report, which another one may replace."""
    return head.startswith(_HEADS)


def write_health(subject: HealthSubject, path: str | os.PathLike[str]) -> None:
    """Save a report, whole or not at all.

    Raises
    ------
    ValueError, OSError
        In one sentence.
    """
    write_atomic(path, health_chunks(subject, path))


def _format_of(path: str | os.PathLike[str]) -> tuple[str, Chunks]:
    suffix = Path(path).suffix.lower()
    if suffix not in _FORMATS:
        raise ValueError(
            f"{os.fspath(path)}: a report is .html, .md, .csv or .json; name it with one of these."
        )
    return _FORMATS[suffix]
