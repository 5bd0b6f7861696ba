"""Reading JSON where nothing is guessed: every error names the file, the key and the index.

Duplicate keys, NaN and deep nesting are errors, `true` is no number, and 3.0 no integer.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, NoReturn

__all__ = ["MAX_DEPTH", "MAX_FILE_BYTES", "Node", "parse", "quoted"]

MAX_FILE_BYTES: Final = 256 << 20
MAX_DEPTH: Final = 64

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a JSON file, with the place where it stands.

    Attributes
    ----------
    source : str
        The file, as errors name it.
    key : str
        The place: ``merges[12][0]``; empty for the whole file.
    value : object
    """

    source: str
    key: str
    value: Any

    def fail(self, reason: str) -> NoReturn:
        """Raise a ValueError: file, place, reason."""
        place = f"{self.key} " if self.key else ""
        raise ValueError(f"{self.source}: {place}{reason}.")

    def fail_type(self, wanted: str) -> NoReturn:
        self.fail(f"must be {wanted}, not {quoted(self.value)}")

    # Objects

    def check_keys(self, required: Collection[str], optional: Collection[str] = ()) -> None:
        """Fail unless this is an object with all of `required` and nothing unheard of."""
        if not isinstance(self.value, dict):
            self.fail_type("an object")
        for name in required:
            if name not in self.value:
                self.fail(f"has no key {name!r}" if self.key else f"the key {name!r} is missing")
        for name in self.value:
            if name not in required and name not in optional:
                known = ", ".join([*required, *optional])
                has = "has the" if self.key else "there is the"
                self.fail(f"{has} unknown key {quoted(name)}; known are {known}")

    def member(self, name: str) -> Node:
        return Node(self.source, f"{self.key}.{name}" if self.key else name, self.value[name])

    def members(self) -> Iterator[Node]:
        """The values of an object of free keys."""
        if not isinstance(self.value, dict):
            self.fail_type("an object")
        for name, value in self.value.items():
            yield Node(self.source, f"{self.key}[{quoted(name)}]", value)

    def __contains__(self, name: str) -> bool:
        return name in self.value

    # Lists

    def items(self) -> Iterator[Node]:
        """The values of a list."""
        if not isinstance(self.value, list):
            self.fail_type("a list")
        for index, value in enumerate(self.value):
            yield Node(self.source, f"{self.key}[{index}]", value)

    def integer_rows(self, widths: Collection[int], *, largest: int, most: int) -> list[list[int]]:
        """A list of at most `most` rows of integers, each row as long as one of `widths`."""
        if not isinstance(self.value, list):
            self.fail_type("a list")
        if len(self.value) > most:
            self.fail(f"has {len(self.value):,} rows, and {most:,} is the limit")
        rows: list[list[int]] = self.value
        # Quick looks at everything at once; only a wrong list is gone through slowly.
        if not (
            set(map(type, rows)) <= {list}
            and set(map(len, rows)) <= set(widths)
            and set(map(type, chain.from_iterable(rows))) <= {int}
            and min(chain.from_iterable(rows), default=0) >= 0
            and max(chain.from_iterable(rows), default=0) <= largest
        ):
            self._find_bad_row(widths, largest)
        return rows

    def _find_bad_row(self, widths: Collection[int], largest: int) -> None:
        for row in self.items():
            if not isinstance(row.value, list) or len(row.value) not in widths:
                row.fail_type(f"a list of {' or '.join(map(str, sorted(widths)))} integers")
            for item in row.items():
                item.integer(largest=largest)

    # Scalars

    def integer(self, *, smallest: int = 0, largest: int) -> int:
        value = self.value
        if type(value) is not int or not smallest <= value <= largest:
            self.fail_type(f"an integer from {smallest} to {largest}")
        return value

    def text(self) -> str:
        value = self.value
        if not isinstance(value, str):
            self.fail_type("a string")
        try:
            value.encode()
        except UnicodeEncodeError as error:
            self.fail(f"holds a lone surrogate at character {error.start}")
        return value

    def one_of(self, *choices: str) -> str:
        if not isinstance(self.value, str) or self.value not in choices:
            self.fail_type(" or ".join(map(quoted, choices)))
        return self.value

    def plain(self) -> Any:
        """A value of any JSON type, checked to its leaves."""
        if isinstance(self.value, dict):
            for name in self.value:
                Node(self.source, f"{self.key}: the key {quoted(name)}", name).text()
            return {n: member.plain() for n, member in zip(self.value, self.members(), strict=True)}
        if isinstance(self.value, list):
            return [item.plain() for item in self.items()]
        if isinstance(self.value, float) and not math.isfinite(self.value):
            self.fail("is a number too large to hold")
        return self.text() if isinstance(self.value, str) else self.value


def quoted(value: object) -> str:
    """A value as JSON on one short line; characters that have no form of their own are escaped."""
    text = ""
    try:
        # Piece by piece, since a value may be as large as a file.
        for part in _ENCODER.iterencode(value[:61] if isinstance(value, str) else value):
            text += part[:61]
            if len(text) > 60:
                break
    except RecursionError:
        return "something nested very deeply"
    if not text.isprintable():
        text = "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)
    return text if len(text) <= 60 else f"{text[:57]}..."


def parse(data: bytes, source: str, *, kind: str = "tokenizer file") -> Node:
    """Parse a whole file; `kind` is what it should be, for errors.

    Raises
    ------
    ValueError
        Too large, not UTF-8, a syntax error (with line and column), nested too deeply,
        NaN, a duplicate key.
    """
    if len(data) > MAX_FILE_BYTES:
        raise ValueError(f"{source}: it has {len(data):,} bytes, and 256 MiB is the limit.")
    if not data.strip():
        raise ValueError(f"{source}: it is empty; download or save it again.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{source}: it is no {kind}: it is no text (byte {error.start:,} is not valid UTF-8)."
        ) from None
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
        _check_depth(value)
    except json.JSONDecodeError as error:
        raise ValueError(f"{source}: {_syntax_words(error, kind)}.") from None
    except RecursionError:
        raise ValueError(
            f"{source}: it is nested deeper than {MAX_DEPTH} levels, which no "
            f"{kind.removesuffix(' file')} is."
        ) from None
    except _RefusedError as error:
        raise ValueError(f"{source}: {error}.") from None
    except ValueError:  # Python's own limit on the digits of a number
        raise ValueError(f"{source}: it holds a number of over 4,000 digits.") from None
    return Node(source, "", value)


def _syntax_words(error: json.JSONDecodeError, kind: str) -> str:
    """Where JSON ends to be JSON; the parser's own words are for programmers."""
    place = f"line {error.lineno:,}, column {error.colno:,}"
    if not error.doc[: error.pos].strip():
        return f"it is no {kind}: it is not JSON ({place})"
    if not error.doc[error.pos :].strip():
        return (
            f"{place}: it ends in the middle, so a part of the file is missing; download or save "
            "it again"
        )
    return f"{place}: it is not valid JSON"


class _RefusedError(ValueError):
    """Something that `json` itself would take."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _RefusedError(f"the key {quoted(twice)} is there twice in one object")
    return made


def _refuse_constant(name: str) -> NoReturn:
    raise _RefusedError(f"{name} is not a number in JSON")


def _check_depth(value: Any) -> None:
    """Level by level, so that the check itself does not recurse."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for parent in level
            if isinstance(parent, dict | list)
            for child in (parent.values() if isinstance(parent, dict) else parent)
            if isinstance(child, dict | list)
        ]
        if not level:
            return
    raise RecursionError
