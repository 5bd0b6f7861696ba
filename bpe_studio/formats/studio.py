"""The native file: JSON that one can read in an editor, strict on load.

`data_of` puts every merge on a line of its own; the same tokenizer always gives the same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from bpe_studio.bpe.patterns import regex_version, unicode_version
from bpe_studio.bpe.table import MergeTable, gpt2_byte_order
from bpe_studio.bpe.text_rules import PLAIN_TEXT
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord
from bpe_studio.formats.native.reader import FORMAT, read, sniff
from bpe_studio.formats.native.rules import rules_to_plain
from bpe_studio.formats.native.training import (
    CORPUS,
    HOLD_OUT_VERSION,
    RULES,
    RULES_VERSION,
    TOTALS,
    check_writable,
)
from bpe_studio.formats.written import Written

__all__ = ["NAME", "SUFFIXES", "TITLE", "data_of", "read", "sniff", "write"]

NAME: Final = "studio"
TITLE: Final = "BPE Studio (.json)"
SUFFIXES: Final = (".json",)

# Characters that an editor would not show, or show somewhere else: control, soft hyphen,
# combining marks, zero-width and bidi controls, separators, tags and variation selectors.
# A list of our own, because what is printable differs between versions of Python.
_UNSEEN = re.compile(
    "[\x7f-\xa0\xad\u0300-\u036f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f"
    "\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff]"
)


def write(tokenizer: Tokenizer) -> Written:
    """All that a tokenizer is.

    Raises
    ------
    ValueError
        Another library encodes with it: the model is not ours to write.
    """
    if tokenizer.outside is not None:
        raise ValueError(
            f"{tokenizer.outside.kind} is encoded by the library {tokenizer.outside.library}, and "
            "a BPE Studio table cannot hold it; keep the file that it came from."
        )
    return Written({"": data_of(tokenizer)})


def data_of(tokenizer: Tokenizer) -> bytes:
    """The file of a tokenizer."""
    members = [f"  {_json(name)}: {value}" for name, value in _members(tokenizer)]
    return ("{\n" + ",\n".join(members) + "\n}\n").encode()


def _members(tokenizer: Tokenizer) -> Iterator[tuple[str, str]]:
    pattern = tokenizer.pattern
    yield "format", _json(FORMAT)
    yield "format_version", _json(_version_of(tokenizer))
    yield "base", _json(tokenizer.base)
    yield "engine", _json(tokenizer.engine)
    yield "pattern", _object({"name": pattern.name, "expression": pattern.expression})
    yield "unicode", _json(unicode_version())
    yield "regex", _json(regex_version())
    yield "specials", _object(tokenizer.special_ids)
    yield "roles", _object(dict(sorted(tokenizer.roles.items())))
    if tokenizer.rules != PLAIN_TEXT:
        yield "rules", _object_of_rows(rules_to_plain(tokenizer.rules))
    if tokenizer.view_only:
        yield "view_only", _json(tokenizer.view_only)
    yield from _symbols(tokenizer.table)
    yield from _merges(tokenizer.table)
    if tokenizer.training is not None:
        check_writable(tokenizer, tokenizer.training)
        yield "training", _training(tokenizer.training)


def _version_of(tokenizer: Tokenizer) -> int:
    """The first that can tell all of it: older programs read what they can."""
    training = tokenizer.training
    if training is None:
        return 1
    if any(name in training.settings for name in RULES):
        return RULES_VERSION
    return 1 if training.held_out is None else HOLD_OUT_VERSION


def _symbols(table: MergeTable) -> Iterator[tuple[str, str]]:
    """The ids of the bytes, as short as they can be told, and of the other base symbols."""
    ids = table.byte_ids.tolist()
    base = min(ids)
    if base < 0:
        yield "bytes", _json([None if byte_id < 0 else byte_id for byte_id in ids])
    elif ids == list(range(base, base + 256)):
        yield "byte_base", str(base)
    elif [ids[byte] for byte in gpt2_byte_order()] == list(range(base, base + 256)):
        yield "byte_base", str(base)
        yield "byte_order", '"gpt2"'
    else:
        yield "bytes", _json(ids)
    if table.base == "chars":
        by_id = sorted(table.char_ids.items(), key=lambda item: item[1])
        yield "characters", _rows(_json([char, char_id]) for char, char_id in by_id)
    made = {*ids, *table.char_ids.values(), *table.merges[:, 2].tolist()}
    others = [token_id for token_id in table.ids.tolist() if token_id not in made]
    if others:
        rows = (_json([token_id, table.token_bytes(token_id).hex()]) for token_id in others)
        yield "tokens_without_merge", _rows(rows)


def _merges(table: MergeTable) -> Iterator[tuple[str, str]]:
    rows = table.merges.tolist()
    if not rows:
        yield "merges", "[]"
    elif not _in_order(table, rows):
        yield "merges", _rows(f"[{left}, {right}, {new}]" for left, right, new in rows)
    else:
        yield "first_merge_id", str(rows[0][2])
        yield "merges", _rows(_numbered(rows))


def _numbered(rows: list[list[int]]) -> Iterator[str]:
    """Rows with an id only where it does not simply count on."""
    expected = rows[0][2]
    for left, right, new in rows:
        yield f"[{left}, {right}]" if new == expected else f"[{left}, {right}, {new}]"
        expected = new + 1


def _in_order(table: MergeTable, rows: list[list[int]]) -> bool:
    """Whether every merge uses only what is there before it."""
    later = {new for _left, _right, new in rows}
    later -= {*table.byte_ids.tolist(), *table.char_ids.values()}
    for left, right, new in rows:
        if left in later or right in later:
            return False
        later.discard(new)
    return True


def _training(record: TrainingRecord) -> str:
    corpus = [f"      {_json(name)}: {_json(record.corpus[name])}" for name in CORPUS[:-1]]
    files = ({"path": file["path"], "size": file["size"]} for file in record.corpus["files"])
    corpus.append(f'      "files": {_rows(map(_json, files), indent=8)}')
    held_out = [] if record.held_out is None else [record.held_out.tolist()]
    rows = zip(record.counts.tolist(), record.applied.tolist(), *held_out, strict=True)
    members = [
        f'    "settings": {_object(record.settings, indent=6)}',
        f'    "totals": {_totals(record.totals)}',
        *(f'    "held_out": {_totals(record.held_out_totals)}' for _ in held_out),
        '    "corpus": {\n' + ",\n".join(corpus) + "\n    }",
        f'    "merges": {_rows((str(list(row)) for row in rows), indent=6)}',
    ]
    return "{\n" + ",\n".join(members) + "\n  }"


def _totals(totals: Mapping[str, int]) -> str:
    return _object({name: totals[name] for name in TOTALS}, indent=6)


def _object(values: Mapping[str, Any], *, indent: int = 4) -> str:
    if not values:
        return "{}"
    lines = [f"{' ' * indent}{_json(name)}: {_json(value)}" for name, value in values.items()]
    return "{\n" + ",\n".join(lines) + "\n" + " " * (indent - 2) + "}"


def _object_of_rows(values: Mapping[str, Any]) -> str:
    """An object whose lists have a line for each item."""
    lines = [
        f"    {_json(name)}: "
        + (_rows(map(_json, value), indent=6) if isinstance(value, list) else _json(value))
        for name, value in values.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n  }"


def _rows(rows: Iterable[str], *, indent: int = 4) -> str:
    lines = [" " * indent + row for row in rows]
    return "[\n" + ",\n".join(lines) + "\n" + " " * (indent - 2) + "]" if lines else "[]"


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    # Outside of strings JSON is ASCII, so what is escaped here stands inside one.
    return _UNSEEN.sub(lambda match: json.dumps(match.group())[1:-1], text)
