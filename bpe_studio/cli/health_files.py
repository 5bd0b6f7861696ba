"""Reports of `bpe-studio health` as files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_studio.reports.health_subject import HealthSubject

__all__ = ["check_inputs", "check_report", "save_report"]


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


def check_report(path: Path) -> None:
    """Say before the work is done that a report cannot be saved there.

    Raises
    ------
    ValueError, OSError
        An unknown suffix, a place that cannot be written to, or a file that is no such report.
    """
    from bpe_studio.files import check_savable, open_regular
    from bpe_studio.reports.health import health_format, is_health

    health_format(path)
    check_savable(path)
    if path.exists():
        with open_regular(path, follow_links=True) as file:
            head = file.read(1 << 12)
        # An empty file, such as mktemp makes, holds nothing to lose.
        if head and not is_health(head):
            raise ValueError(f"{path} is there and is no report of health; name another file.")


def save_report(subject: HealthSubject, path: Path) -> None:
    """Save it, and say so on stderr."""
    from bpe_studio.cli.output import shown, size_words
    from bpe_studio.reports.health import health_format, write_health

    write_health(subject, path)
    size = size_words(os.path.getsize(path))
    print(f"Saved {shown(str(path))}: {health_format(path)}, {size}", file=sys.stderr)
