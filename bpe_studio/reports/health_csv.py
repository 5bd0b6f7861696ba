"""The flags of a report on tokens as CSV, one a row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpe_studio.bpe.decoder import readable
from bpe_studio.reports.cells import Cell, csv_chunks
from bpe_studio.reports.health_subject import HealthSubject, TokenRow, token_rows
from bpe_studio.reports.plain_values import number
from bpe_studio.reports.words import safe_words, shown

__all__ = ["COLUMNS", "health_csv_chunks"]

COLUMNS: Final = (
    "kind",
    "severity",
    "id",
    "token",
    "bytes",
    "rank",
    "evidence",
    "witness",
    "other_engine",
    "final",
    "created",
    "documents",
    "share",
    "file",
    "row",
    "line",
    "column",
    "context",
)


def health_csv_chunks(subject: HealthSubject) -> Iterator[bytes]:
    """The file, some thousand rows at a time."""
    yield from csv_chunks(COLUMNS, map(_row, token_rows(subject)))


def _row(row: TokenRow) -> tuple[Cell, ...]:
    flag, use, context = row.flag, row.use, row.context
    place = None if use is None else use.place
    return (
        flag.kind,
        flag.severity,
        flag.id,
        readable(row.data),
        row.data.hex(),
        row.rank,
        safe_words(flag.evidence),
        None if flag.witness is None else shown(flag.witness),
        safe_words(flag.other_engine),
        None if use is None else use.final,
        None if use is None else use.created,
        None if use is None else use.documents,
        None if use is None else number(use.share),
        None if place is None else shown(place.file),
        None if place is None or not place.row else place.row,
        None if context is None else context.line,
        None if context is None else context.column,
        None if context is None else shown(context.before + context.text + context.after),
    )
