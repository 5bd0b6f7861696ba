"""What commands print: exact bytes on stdout, and tables that line up."""

from __future__ import annotations

import dataclasses
import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO

from bpe_studio.files import reason_of

__all__ = [
    "beginning",
    "counted",
    "ending",
    "flush_out",
    "jsonable",
    "print_json",
    "print_json_rows",
    "print_rows",
    "shown",
    "size_words",
    "width",
    "write_out",
]


def write_out(text: str | bytes) -> None:
    """Write to stdout as UTF-8, whatever the terminal's own encoding, and no other newlines.

    Raises
    ------
    OSError
        In a sentence that names standard output; BrokenPipeError as it is.
    """
    # Names of files may be no text, and are shown as what they are in Python.
    data = text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")
    try:
        _stdout().write(data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _in_words(error) from error


def flush_out() -> None:
    """Write what waits for it. Raises as `write_out` does."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _in_words(error) from error


def _stdout() -> BinaryIO:
    if sys.stdout is None:
        raise OSError("it is closed")
    return sys.stdout.buffer


def _in_words(error: OSError) -> OSError:
    return OSError(f"standard output cannot be written: {reason_of(error)}.")


def print_json(value: object) -> None:
    """One JSON value and a newline on stdout."""
    write_out(json.dumps(jsonable(value), ensure_ascii=False, indent=1) + "\n")


def print_json_rows(value: dict[str, Any]) -> None:
    """A JSON object of plain values, with each of its members on one line, and each element of a
    list of objects. A member may be an iterator, which is printed as it comes, or a function that
    is called when it is its turn.
    """
    write_out("{")
    for number, (name, given) in enumerate(value.items()):
        write_out(f"{',' if number else ''}\n {_on_one_line(name)}: ")
        member = given() if callable(given) else given
        if isinstance(member, Iterator) or (member and _is_of_objects(member)):
            _print_rows_of(member)
        else:
            write_out(_on_one_line(member))
    write_out("\n}\n")


def _is_of_objects(member: object) -> bool:
    return isinstance(member, list) and isinstance(member[0], dict)


def _print_rows_of(rows: Iterable[Any]) -> None:
    place = -1
    for place, row in enumerate(rows):
        write_out(f"{',' if place else '['}\n  {_on_one_line(row)}")
    write_out("[]" if place < 0 else "\n ]")


def _on_one_line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def jsonable(value: Any) -> Any:
    """Dataclasses → objects, arrays and tuples → lists, bytes → hexadecimal."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: jsonable(getattr(value, name)) for name in names}
    if isinstance(value, dict):
        return {str(name): jsonable(member) for name, member in value.items()}
    if hasattr(value, "_asdict"):
        return jsonable(value._asdict())
    if isinstance(value, list | tuple | set | frozenset):
        return [jsonable(item) for item in value]
    if hasattr(value, "tolist"):
        return jsonable(value.tolist())
    return value.hex() if isinstance(value, bytes) else value


def print_rows(rows: Iterable[Sequence[object]], *, right: str = "", indent: int = 2) -> None:
    """Print rows as columns that line up.

    Parameters
    ----------
    rows : iterable of rows, all of the same length
    right : str
        One letter a column: `>` aligns it to the right; anything else, or nothing, to the left.
    """
    table = [[shown(str(cell)) for cell in row] for row in rows]
    if not table:
        return
    widths = [max(map(width, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = [
            " " * (wide - width(cell)) + cell
            if right[at : at + 1] == ">"
            else cell + " " * (wide - width(cell))
            for at, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ]
        write_out((" " * indent + "  ".join(cells)).rstrip() + "\n")


def shown(text: str) -> str:
    """Text of a corpus is data: no control sequence of it may reach the terminal."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else f"⟨{ord(char):02X}⟩" for char in text)


def width(text: str) -> int:
    """Columns that a terminal takes for a text."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(char) in "WF"
        else 1
        for char in text
    )


def beginning(text: str, columns: int) -> str:
    """As much of the beginning of a text as goes into so many columns of a terminal."""
    used = 0
    for end, char in enumerate(text):
        used += width(char)
        if used > columns:
            return text[:end]
    return text


def ending(text: str, columns: int) -> str:
    """As much of the end of a text as goes into so many columns of a terminal."""
    used = 0
    for place in range(len(text) - 1, -1, -1):
        used += width(text[place])
        if used > columns:
            return text[place + 1 :]
    return text


def counted(number: int, thing: str) -> str:
    """`1 document`, `1,200 documents`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def size_words(size: float) -> str:
    """`1234567` → `1.2 MB`."""
    if round(size) == 1:
        return "1 byte"
    for unit in ("bytes", "kB", "MB", "GB"):
        # 999.95 kB and more would be shown as 1000.0 kB.
        if size < (999.5 if unit == "bytes" else 999.95) or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:,.1f} {unit}"
        size /= 1000
    raise AssertionError
