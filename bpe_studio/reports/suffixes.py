"""Which format a report is saved in: the suffix of its file says it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from bpe_studio.reports.html import HTML_HEAD

__all__ = ["ReportFormats"]

Subject = TypeVar("Subject")


@dataclass(frozen=True)
class ReportFormats(Generic[Subject]):
    """The formats of one sort of report.

    Attributes
    ----------
    chunks : mapping of str to (str, callable)
        By suffix: the name of the format, and what makes the file of a subject.
    what : str
        Such a report in words: "report of health".
    title : str
        What the titles of all such reports begin with.
    heads : tuple of bytes
        What those files begin with that are neither HTML nor Markdown.
    """

    chunks: Mapping[str, tuple[str, Callable[[Subject], Iterator[bytes]]]]
    what: str
    title: str
    heads: tuple[bytes, ...]

    def of(self, path: str | os.PathLike[str]) -> tuple[str, Callable[[Subject], Iterator[bytes]]]:
        """The format of a file, and what makes it.

        Raises
        ------
        ValueError
            For any other suffix.
        """
        suffix = Path(path).suffix.lower()
        if suffix not in self.chunks:
            raise ValueError(
                f"{os.fspath(path)}: a report is .html, .md, .csv or .json; name it with one of "
                "these."
            )
        return self.chunks[suffix]

    def is_one(self, head: bytes) -> bool:
        """Whether a file that begins so, with its first 4,096 bytes, is such a report."""
        if head.startswith(HTML_HEAD):
            return f"<title>{self.title}".encode() in head
        return head.startswith((f"# {self.title}".encode(), *self.heads))
