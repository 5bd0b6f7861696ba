"""A Parquet file → the strings of one of its columns, a batch of rows at a time.

`pyarrow` reads it, which is not installed with the program: it is the extra "parquet".
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from bpe_studio.bpe.rows import RowReader
from bpe_studio.files import open_regular

__all__ = ["NotReadableError", "ParquetRows", "is_parquet"]

_ROWS_AT_ONCE: Final = 512
_MOST_NAMED: Final = 8


class NotReadableError(Exception):
    """Why no row of a file can be read: a sentence without its full stop."""


def is_parquet(name: str) -> bool:
    """Whether a file of this name is read as Parquet."""
    return name.lower().endswith(".parquet")


class ParquetRows:
    """The rows of one file, read once; it looks like a `ByteStream` where that is asked for.

    Attributes
    ----------
    size : int
        Bytes on disk when it was opened.
    position : int
        About how many of them the rows so far take.
    faults : RowReader
        Counts the rows that hold no text, and those that are left out.
    """

    def __init__(
        self,
        path: Path,
        text_key: str,
        *,
        follow_links: bool = False,
        left_out: frozenset[int] = frozenset(),
    ) -> None:
        self._raw: BinaryIO = open_regular(path, follow_links=follow_links)
        self._state = self._look()
        self._key = text_key
        self.size = self._state[0]
        self.position = 0
        self.faults = RowReader(text_key, left_out)

    def __enter__(self) -> ParquetRows:
        return self

    def __exit__(self, *_: object) -> None:
        self._raw.close()

    def texts(self) -> Iterator[str | None]:
        """The strings, one after another; None where a row has none or is left out.

        Raises
        ------
        NotReadableError
            pyarrow is missing, this is no Parquet file, or it has no column of that name with
            text; or, in the middle, its data is damaged.
        """
        file = self._open()
        try:
            batches = file.iter_batches(_ROWS_AT_ONCE, columns=[self._key], use_threads=False)
            for batch in batches:
                for value in _as_bytes(batch.column(0)):
                    self.faults.row += 1
                    self._move(file.metadata.num_rows)
                    yield None if self.faults.leaves_out() else self._text_of(value)
        except _arrow_errors() as error:
            raise NotReadableError("Its data is damaged") from error

    def changed(self) -> bool:
        """Whether somebody has written to the file since it was opened."""
        return self._look() != self._state

    def _open(self) -> Any:
        try:
            import pyarrow.parquet
        except ImportError:
            raise NotReadableError(
                "A Parquet file needs the package pyarrow; install it with "
                "pip install 'bpe-studio[parquet]'"
            ) from None
        try:
            file = pyarrow.parquet.ParquetFile(self._raw)
            schema = file.schema_arrow
        except _arrow_errors():
            raise NotReadableError("It is no .parquet file, whatever its name says") from None
        self._check_column(schema)
        return file

    def _check_column(self, schema: Any) -> None:
        """There must be one column of that name, of strings."""
        fields = [field for field in schema if field.name == self._key]
        named = ", ".join(f"{field.name!r} ({field.type})" for field in list(schema)[:_MOST_NAMED])
        more = ", …" if len(schema) > _MOST_NAMED else ""
        has = f"it has {named}{more}" if len(schema) else "it has no columns"
        if len(fields) != 1:
            which = "no column" if not fields else "more than one column"
            raise NotReadableError(
                f"It has {which} {self._key!r}, and another is named with --text-key or in the "
                f"settings; {has}"
            )
        if not _is_text(fields[0].type):
            raise NotReadableError(
                f"Its column {self._key!r} holds {fields[0].type}, not text; {has}"
            )

    def _text_of(self, value: bytes | None) -> str | None:
        if value is None:
            self.faults.note_fault(f"without a string under {self._key!r}", "")
            return None
        try:
            return value.decode()
        except UnicodeDecodeError as error:
            self.faults.note_fault("not valid UTF-8", f", byte {error.start:,}")
            return None

    def _move(self, rows: int) -> None:
        self.position = self.size * self.faults.row // max(rows, 1)

    def _look(self) -> tuple[int, int]:
        info = os.fstat(self._raw.fileno())
        return info.st_size, info.st_mtime_ns


def _is_text(kind: Any) -> bool:
    import pyarrow

    if pyarrow.types.is_dictionary(kind):
        kind = kind.value_type
    tests = (pyarrow.types.is_string, pyarrow.types.is_large_string, pyarrow.types.is_string_view)
    return any(test(kind) for test in tests)


def _as_bytes(column: Any) -> list[bytes | None]:
    """Strings as they are in the file: nobody has looked yet whether they are UTF-8."""
    import pyarrow

    if pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    values: list[bytes | None] = column.cast(pyarrow.large_binary()).to_pylist()
    return values


def _arrow_errors() -> tuple[type[Exception], ...]:
    import pyarrow

    return (pyarrow.ArrowException, OSError, ValueError)
