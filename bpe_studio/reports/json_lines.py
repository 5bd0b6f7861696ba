"""A report as JSON: one member a line, and of the last one, which is long, one element a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from bpe_studio.reports.plain_values import Plain

__all__ = ["json_chunks"]

_ROWS_A_CHUNK = 1_000


def json_chunks(members: Plain, last: str, rows: Iterable[Plain]) -> Iterator[bytes]:
    """The file, some rows at a time."""
    lines = ["{"]
    for name, value in members.items():
        lines.append(f" {_line(name)}: {_line(value)},")
    yield ("\n".join(lines) + f"\n {_line(last)}: [").encode("utf-8", "backslashreplace")
    waiting: list[str] = []
    begin = "\n  "
    for row in rows:
        waiting.append(_line(row))
        if len(waiting) == _ROWS_A_CHUNK:
            yield (begin + ",\n  ".join(waiting)).encode("utf-8", "backslashreplace")
            waiting, begin = [], ",\n  "
    end = begin + ",\n  ".join(waiting) if waiting else ""
    yield f"{end}\n ]\n}}\n".encode("utf-8", "backslashreplace")


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
