"""Tokenizer → messages: what is small as JSON, rows of it in parts, and arrays as they are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final

import numpy as np

from bpe_studio.bpe.outside import OutsideModel
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord
from bpe_studio.formats.apart.frames import ABOUT, ARRAY, END, ROWS
from bpe_studio.formats.native.rules import rules_to_plain

__all__ = ["messages_of"]

_ROWS_AT_ONCE: Final = 2000

Message = tuple[bytes, bytes | memoryview]


def messages_of(tokenizer: Tokenizer) -> Iterator[Message]:
    """Everything that a tokenizer is; `unpacking.Parcel` puts it together again."""
    about, rows = _small(tokenizer), dict(_rows(tokenizer))
    yield ABOUT, _json(about)
    for name, values in rows.items():
        for start in range(0, len(values), _ROWS_AT_ONCE):
            yield ROWS, _json([name, values[start : start + _ROWS_AT_ONCE]])
    for array in _arrays(tokenizer):
        yield ARRAY, array
    yield END, b""


def _small(tokenizer: Tokenizer) -> dict[str, Any]:
    pattern, outside = tokenizer.pattern, tokenizer.outside
    return {
        "base": tokenizer.base,
        "engine": tokenizer.engine,
        "pattern": [pattern.name, pattern.expression],
        "roles": dict(tokenizer.roles),
        "view_only": tokenizer.view_only,
        "rules": _without_lists(rules_to_plain(tokenizer.rules)),
        "training": _training(tokenizer.training),
        "outside": None if outside is None else _outside(outside),
    }


def _rows(tokenizer: Tokenizer) -> Iterator[tuple[str, list[Any]]]:
    """What there may be many of."""
    yield "specials", list(map(list, tokenizer.special_ids.items()))
    yield "notes", list(tokenizer.notes)
    for name, value in rules_to_plain(tokenizer.rules).items():
        if isinstance(value, list):
            yield f"rules.{name}", value
    if tokenizer.training is not None:
        yield "files", list(tokenizer.training.corpus.get("files", ()))


def _without_lists(plain: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in plain.items() if not isinstance(value, list)}


def _training(record: TrainingRecord | None) -> dict[str, Any] | None:
    if record is None:
        return None
    corpus = {name: value for name, value in record.corpus.items() if name != "files"}
    return {
        "settings": record.settings,
        "totals": record.totals,
        "corpus": corpus,
        "held_out_totals": None if record.held_out is None else record.held_out_totals,
    }


def _outside(model: OutsideModel) -> dict[str, Any]:
    """The kind of the model, and its fields but the long one."""
    names = [item.name for item in fields(model) if item.name != "payload"]  # type: ignore[arg-type]
    return {"type": type(model).__name__, **{name: getattr(model, name) for name in names}}


def _arrays(tokenizer: Tokenizer) -> Iterator[memoryview]:
    """In the order in which they are taken out."""
    table: MergeTable = tokenizer.table
    points = np.fromiter(map(ord, table.char_ids), dtype=np.int32)
    char_ids = np.fromiter(table.char_ids.values(), dtype=np.int32)
    arrays: list[np.ndarray[Any, Any]] = [
        table.byte_ids,
        points,
        char_ids,
        table.merges,
        table.ids,
        table.token_data,
        table.token_offsets,
    ]
    if tokenizer.training is not None:
        arrays += [tokenizer.training.counts, tokenizer.training.applied]
        if tokenizer.training.held_out is not None:
            arrays.append(tokenizer.training.held_out)
    for array in arrays:
        yield np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
    payload = getattr(tokenizer.outside, "payload", None)
    if payload is not None:
        yield memoryview(payload)


def _json(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False).encode()
