"""Messages → Tokenizer, trusting nothing: kernels read these arrays with no look at their ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.built_tokens import MAX_ID
from bpe_studio.bpe.encoder import EngineName
from bpe_studio.bpe.outside import OutsideModel
from bpe_studio.bpe.patterns import Pattern, resolve_pattern
from bpe_studio.bpe.table import Base, MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord
from bpe_studio.formats.apart.frames import ABOUT, ARRAY, END, ROWS, BadMessageError, json_of
from bpe_studio.formats.apart.outside_kinds import outside_kind
from bpe_studio.formats.native.rules import rules_from_plain
from bpe_studio.formats.strict.json import Node
from bpe_studio.formats.strict.token_bytes import MAX_ALL_BYTES, MAX_MERGES, MAX_TOKENS

__all__ = ["Parcel"]

_MOST_ROWS: Final = 4_000_000
_MOST_ARRAYS: Final = 16
_AT_ONCE: Final = 1 << 16
_SMALL: Final = (
    "base",
    "engine",
    "pattern",
    "roles",
    "view_only",
    "rules",
    "training",
    "outside",
)

# What values of a wrong type, or too few of them, lead to.
_ODD: Final = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    StopIteration,
)

Number = TypeVar("Number", bound=np.generic)


class Parcel:
    """Takes messages one by one and gives the tokenizer when all are there."""

    def __init__(self) -> None:
        self._about: dict[str, Any] = {}
        self._rows: dict[str, list[Any]] = {}
        self._arrays: list[bytearray] = []

    def add(self, kind: bytes, data: bytearray) -> bool:
        """Take a message; whether it was the last."""
        if kind == ABOUT:
            self._about = _object(json_of(data))
        elif kind == ROWS:
            self._add_rows(json_of(data))
        elif kind == ARRAY:
            _expect(len(self._arrays) < _MOST_ARRAYS, "too many arrays")
            self._arrays.append(data)
        return kind == END

    def _add_rows(self, value: Any) -> None:
        _expect(isinstance(value, list) and len(value) == 2, "rows without a name")
        name, rows = value
        _expect(isinstance(name, str) and isinstance(rows, list), "rows without a name")
        known = self._rows.setdefault(name, [])
        _expect(len(known) + len(rows) <= _MOST_ROWS and len(self._rows) <= 16, "too many rows")
        known.extend(rows)

    def tokenizer(self) -> Tokenizer:
        """What was sent.

        Raises
        ------
        BadMessageError
            It is no tokenizer: something is missing, or contradicts something else.
        """
        try:
            return self._tokenizer()
        except BadMessageError:
            raise
        except _ODD as error:
            raise BadMessageError(f"it is no tokenizer: {error}") from error

    def _tokenizer(self) -> Tokenizer:
        about, arrays = self._about, iter(self._arrays)
        _expect(set(_SMALL) == set(about), "something is missing")
        table = _table(about["base"], arrays)
        training = self._training(about["training"], len(table.merges), arrays)
        outside = self._outside(about["outside"], arrays)
        _expect(next(arrays, None) is None, "there is an array too many")
        specials = self._specials()
        roles = {_text(role): _text(name) for role, name in _object(about["roles"]).items()}
        _expect(set(roles.values()) <= set(specials), "a role without its special")
        _expect(about["engine"] in get_args(EngineName), "there is no such engine")
        return Tokenizer(
            table=table,
            pattern=_pattern(*about["pattern"]),
            special_ids=specials,
            roles=roles,
            engine=about["engine"],
            training=training,
            notes=tuple(map(_text, self._rows.get("notes", ()))),
            rules=rules_from_plain(Node("it", "", self._rules(about["rules"]))),
            outside=outside,
            view_only=_text(about["view_only"]),
        )

    def _specials(self) -> dict[str, int]:
        rows = self._rows.get("specials", [])
        specials = {_text(name): _number(number) for name, number in rows}
        _expect(len(specials) == len(rows), "a special is there twice")
        return specials

    def _rules(self, small: Any) -> dict[str, Any]:
        lists = {
            name.removeprefix("rules."): rows
            for name, rows in self._rows.items()
            if name.startswith("rules.")
        }
        return {**_object(small), **lists}

    def _training(
        self, small: Any, merges: int, arrays: Iterable[bytearray]
    ) -> TrainingRecord | None:
        if small is None:
            return None
        parts = _object(small)
        has_held_out = parts["held_out_totals"] is not None
        columns = [
            _array(next(iter(arrays)), np.int64, MAX_MERGES)
            for _ in range(3 if has_held_out else 2)
        ]
        _expect(all(len(column) == merges for column in columns), "counts of other merges")
        corpus = _object(parts["corpus"])
        if "files" in self._rows or corpus:
            corpus["files"] = list(map(_object, self._rows.get("files", ())))
        return TrainingRecord(
            counts=columns[0],
            applied=columns[1],
            settings=_object(parts["settings"]),
            totals=_totals(parts["totals"]),
            corpus=corpus,
            held_out=columns[2] if has_held_out else None,
            held_out_totals=_totals(parts["held_out_totals"]) if has_held_out else {},
        )

    def _outside(self, small: Any, arrays: Iterable[bytearray]) -> OutsideModel | None:
        if small is None:
            return None
        values = {name: value for name, value in _object(small).items() if name != "type"}
        _expect(all(isinstance(v, str | int | bool) for v in values.values()), "odd fields")
        model: OutsideModel = outside_kind(small["type"])(
            payload=bytes(next(iter(arrays))), **values
        )
        return model


def _totals(totals: Any) -> dict[str, int]:
    return {_text(name): _number(n, 2**63 - 1) for name, n in _object(totals).items()}


def _table(base: Any, arrays: Iterable[bytearray]) -> MergeTable:
    _expect(base in get_args(Base), "there is no such base")
    take = iter(arrays)
    byte_ids = _array(next(take), np.int32, 256)
    points = _array(next(take), np.int32, 0x110000)
    char_ids = _array(next(take), np.int32, 0x110000)
    merges = _array(next(take), np.int32, 3 * MAX_MERGES)
    ids = _array(next(take), np.int32, MAX_TOKENS)
    data = _array(next(take), np.uint8, MAX_ALL_BYTES)
    offsets = _array(next(take), np.int64, MAX_TOKENS + 1)
    _expect(len(byte_ids) == 256 and len(merges) % 3 == 0, "an array has an odd length")
    _expect(len(points) == len(char_ids), "characters without ids")
    _expect(not len(ids) or int(ids[0]) >= 0, "an id is negative")
    _expect(bool(np.all(ids[1:] > ids[:-1])), "the ids do not ascend")
    _expect(len(offsets) == len(ids) + 1, "tokens without bytes")
    _expect(int(offsets[0]) == 0 and int(offsets[-1]) == len(data), "bytes without a token")
    _expect(bool(np.all(offsets[1:] >= offsets[:-1])), "a token ends before it begins")
    for used in (byte_ids[byte_ids != -1], char_ids, merges):
        _expect(_all_in(used, ids), "an id without a token")
    _expect(bool(np.all((points >= 0) & (points < 0x110000))), "no character")
    characters = dict(zip(map(chr, points.tolist()), char_ids.tolist(), strict=True))
    return MergeTable(
        base=base,
        byte_ids=byte_ids,
        char_ids=characters,
        merges=merges.reshape(-1, 3),
        token_ids=ids,
        token_data=data,
        token_offsets=offsets,
    )


def _all_in(used: NDArray[np.int32], ids: NDArray[np.int32]) -> bool:
    if not len(used):
        return True
    if not len(ids):
        return False
    # In parts, because numpy lets no other thread run meanwhile, and the window waits.
    for first in range(0, len(used), _AT_ONCE):
        part = used[first : first + _AT_ONCE]
        places = np.minimum(np.searchsorted(ids, part), len(ids) - 1)
        if not np.all(ids[places] == part):
            return False
    return True


def _array(data: bytearray, dtype: type[Number], most: int) -> NDArray[Number]:
    size = np.dtype(dtype).itemsize
    _expect(len(data) % size == 0 and len(data) // size <= most, "an array has an odd length")
    return np.frombuffer(data, dtype=dtype) if data else np.empty(0, dtype=dtype)


def _pattern(name: Any, expression: Any) -> Pattern:
    found = resolve_pattern(_text(expression))
    own = _text(name)
    # A reader may have named an expression that is no preset.
    return Pattern(own, found.expression) if found.name == "custom" != own else found


def _object(value: Any) -> dict[str, Any]:
    _expect(isinstance(value, Mapping), "no object")
    made: dict[str, Any] = value
    return made


def _text(value: Any) -> str:
    _expect(isinstance(value, str), "no text")
    return str(value)


def _number(value: Any, largest: int = MAX_ID) -> int:
    _expect(type(value) is int and 0 <= value <= largest, "a number out of its range")
    return int(value)


def _expect(true: bool, otherwise: str) -> None:
    if not true:
        raise BadMessageError(otherwise)
