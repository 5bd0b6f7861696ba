"""Texts named on the command line → documents, as a training reads them, but with no losses."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from bpe_studio.bpe.corpus import CorpusReport, find_files, read_blocks
from bpe_studio.cli.run import complain

__all__ = ["read_documents"]


def read_documents(names: Iterable[str]) -> Iterator[str]:
    """The documents of files and folders, one after another; `-` is standard input.

    Raises
    ------
    ValueError, OSError
        At anything that is no text: ids and comparisons must stand for all that was named.
    """
    for name in names:
        yield from [_standard_input()] if name == "-" else _documents_in(name)


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        raise ValueError(
            f"standard input is not valid UTF-8 (first at byte {error.start})."
        ) from None


def _documents_in(name: str) -> Iterator[str]:
    report = CorpusReport()
    parts: list[str] = []
    for block in read_blocks(find_files([name], errors="strict"), report=report):
        parts.append(block.text)
        if block.last:
            yield "".join(parts)
            parts.clear()
    for problem in report.problems:
        raise ValueError(f"{problem.label}: {problem.message}")
    if report.surrogates_replaced:
        complain(f"{name}: {report.surrogates_replaced:,} lone surrogates became U+FFFD.")
