"""Reports as files: refused before the work is done, and saved after it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from bpe_studio.reports.suffixes import ReportFormats

__all__ = ["check_inputs", "check_report", "save_report"]

_Subject = TypeVar("_Subject")


def check_inputs(places: Iterable[Path], inputs: Iterable[str | Path]) -> None:
    """Refuse to save what would replace a file that is read: the table, or one of the corpus.

    Raises
    ------
    ValueError
    """
    existing = [place for place in places if place.is_file()]
    for given in inputs if existing else ():
        for place in existing:
            if os.path.isfile(given) and os.path.samefile(given, place):
                raise ValueError(f"{place} is one of the files to read; name another file.")


def check_report(path: Path, formats: ReportFormats[_Subject]) -> None:
    """Say before the work is done that a report cannot be saved there.

    Raises
    ------
    ValueError, OSError
        An unknown suffix, a place that cannot be written to, or a file that is no such report.
    """
    from bpe_studio.files import check_savable, open_regular

    formats.of(path)
    check_savable(path)
    if path.exists():
        with open_regular(path, follow_links=True) as file:
            head = file.read(1 << 12)
        # An empty file, such as mktemp makes, holds nothing to lose.
        if head and not formats.is_one(head):
            raise ValueError(f"{path} is there and is no {formats.what}; name another file.")


def save_report(subject: _Subject, path: Path, formats: ReportFormats[_Subject]) -> None:
    """Save it, and say so on stderr."""
    from bpe_studio.cli.output import shown, size_words
    from bpe_studio.files import write_atomic

    name, chunks = formats.of(path)
    write_atomic(path, chunks(subject))
    size = size_words(os.path.getsize(path))
    print(f"Saved {shown(str(path))}: {name}, {size}", file=sys.stderr)
