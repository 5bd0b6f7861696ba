"""Rows of a table as CSV for a file and as TSV for the clipboard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

Cell = str | int | float | None
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
BATCH: Final = 2000


def csv_cell(cell: Cell) -> str:
    """One cell of a CSV file.

    A text that a spreadsheet would run as a formula gets an apostrophe in front; numbers do not.

    >>> csv_cell("=1+1"), csv_cell(-3), csv_cell(None)
    ('"\\'=1+1"', '-3', '')
    """
    if cell is None:
        return ""
    if not isinstance(cell, str):
        return str(cell)
    text = f"'{cell}" if cell.startswith(FORMULA) else cell
    quoted = text is not cell or any(char in text for char in ',"\n\r')
    return '"' + text.replace('"', '""') + '"' if quoted else text


def tsv_cell(cell: Cell) -> str:
    """One cell of a TSV: as it is, quoted only where it holds a tab, a line end or begins a quote.

    >>> tsv_cell(" the"), tsv_cell("\\n")
    (' the', '"\\n"')
    """
    text = "" if cell is None else str(cell)
    if text.startswith('"') or any(char in text for char in "\t\n\r"):
        return '"' + text.replace('"', '""') + '"'
    return text


def csv_chunks(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterable[bytes]:
    """A CSV file in UTF-8, some thousand rows at a time."""
    lines = [",".join(map(csv_cell, header))]
    for row in rows:
        lines.append(",".join(map(csv_cell, row)))
        if len(lines) >= BATCH:
            yield ("\n".join(lines) + "\n").encode("utf-8", "replace")
            lines = []
    yield ("\n".join(lines) + "\n").encode("utf-8", "replace") if lines else b""


def tsv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """Rows for the clipboard."""
    return "".join("\t".join(map(tsv_cell, row)) + "\n" for row in rows)
