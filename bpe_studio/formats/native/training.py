"""The record of a training in a native file: its keys, and that it fits the table it is in."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.merge_rules import LARGEST
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord
from bpe_studio.formats.strict.json import Node, quoted
from bpe_studio.formats.strict.token_bytes import MAX_MERGES

__all__ = [
    "CORPUS",
    "HOLD_OUT_VERSION",
    "RULES",
    "RULES_VERSION",
    "SETTINGS",
    "TOTALS",
    "check_writable",
    "read_training",
]

HOLD_OUT_VERSION: Final = 2
"""Of the file: the first that may tell of documents that were held out."""

RULES_VERSION: Final = 3
"""The first that may tell of rules for merges, and of what was not read."""

SETTINGS: Final = (
    "vocab_size",
    "min_freq",
    "pattern",
    "base",
    "ties",
    "byte_order",
    "specials",
)
TOTALS: Final = (
    "documents",
    "characters",
    "bytes",
    "pieces",
    "distinct_pieces",
    "base_symbols",
    "tokens",
)
RULES: Final = ("whole_characters", "max_token_bytes", "min_documents", "without")
"""Settings that are there only where they are set."""

CORPUS: Final = ("fingerprint", "problems", "files")

_MEMBERS: Final = ("settings", "totals", "corpus", "merges")
_MAX_COUNT = (1 << 63) - 1


def read_training(
    node: Node, tokenizer: Tokenizer, *, pattern_name: str, version: int
) -> TrainingRecord:
    """The record, checked against the tokenizer that it is of.

    Parameters
    ----------
    pattern_name : str
        As the file has it: that of a preset whose expression was changed loads as `custom`.
    version : int
        That of the file; since the second there may be documents that were held out, and since the
        third rules.
    """
    node.check_keys(_MEMBERS, ("held_out",) if version >= HOLD_OUT_VERSION else ())
    settings = _settings(node.member("settings"), tokenizer, pattern_name, version)
    held_out = "held_out" in node
    if held_out != ("hold_out" in settings):
        node.fail('"held_out" must be there when the settings have a "hold_out", and only then')
    columns = _by_rank(node.member("merges"), len(tokenizer.table.merges), 3 if held_out else 2)
    return TrainingRecord(
        counts=columns[0],
        applied=columns[1],
        settings=settings,
        totals=_totals(node.member("totals")),
        corpus=_corpus(node.member("corpus")),
        held_out=columns[2] if held_out else None,
        held_out_totals=_totals(node.member("held_out")) if held_out else {},
    )


def check_writable(tokenizer: Tokenizer, record: TrainingRecord) -> None:
    """Raise a ValueError for a record that could not be read again."""
    kept = [(SETTINGS, record.settings), (TOTALS, record.totals), (CORPUS, record.corpus)]
    if record.held_out is not None:
        kept += [(("hold_out",), record.settings), (TOTALS, record.held_out_totals)]
    lacking = [name for names, values in kept for name in names if name not in values]
    if lacking:
        raise ValueError(f"The training record lacks {lacking[0]!r}, so it cannot be saved.")
    if record.held_out is None and "hold_out" in record.settings:
        raise ValueError("The training record lacks what was held out, so it cannot be saved.")
    for name, value in _facts(tokenizer).items():
        if record.settings[name] != value:
            raise ValueError(
                f"The training record has {name} {record.settings[name]!r} and the tokenizer "
                f"{value!r}, so they cannot be saved together."
            )


def _facts(tokenizer: Tokenizer) -> dict[str, Any]:
    """What the settings say and the table shows too."""
    return {
        "pattern": tokenizer.pattern.name,
        "base": tokenizer.base,
        "specials": list(tokenizer.specials),
    }


def _settings(node: Node, tokenizer: Tokenizer, pattern_name: str, version: int) -> dict[str, Any]:
    held_out = ("hold_out",) if version >= HOLD_OUT_VERSION else ()
    rules = RULES if version >= RULES_VERSION else ()
    node.check_keys(SETTINGS, ("continued_from", *held_out, *rules))
    if "hold_out" in node:
        _check_share(node.member("hold_out"))
    _check_rules(node)
    node.member("vocab_size").integer(largest=_MAX_COUNT)
    node.member("min_freq").integer(smallest=1, largest=_MAX_COUNT)
    node.member("ties").one_of("first-seen", "smallest-ids")
    node.member("byte_order").one_of("value", "gpt2")
    if "continued_from" in node:
        node.member("continued_from").integer(largest=len(tokenizer.table.merges))
    facts = _facts(tokenizer)
    for name, value in {**facts, "pattern": pattern_name}.items():
        member = node.member(name)
        if member.value != value:
            member.fail(f"is {quoted(member.value)}, and that of the table is {quoted(value)}")
    return {name: node.value[name] for name in node.value} | {"pattern": facts["pattern"]}


def _check_share(node: Node) -> None:
    if not isinstance(node.value, float) or not 0 < node.value < 1:
        node.fail_type("a number between 0 and 1")


def _check_rules(node: Node) -> None:
    """What is as usual is not written, so that a table has one file."""
    if "whole_characters" in node and node.member("whole_characters").value is not True:
        node.member("whole_characters").fail_type("true, or absent")
    for name in ("max_token_bytes", "min_documents"):
        if name in node:
            node.member(name).integer(smallest=2, largest=LARGEST)
    if "without" in node:
        names = node.member("without")
        texts = [item.text() for item in names.items()]
        if not texts or "" in texts or texts != sorted(set(texts)):
            names.fail_type("a list of names, in order, each once")


def _totals(node: Node) -> dict[str, int]:
    node.check_keys(TOTALS)
    return {name: node.member(name).integer(largest=_MAX_COUNT) for name in TOTALS}


def _by_rank(node: Node, merges: int, width: int) -> list[NDArray[np.int64]]:
    rows = node.integer_rows((width,), largest=_MAX_COUNT, most=MAX_MERGES)
    if len(rows) != merges:
        node.fail(f"has {len(rows):,} rows, and the table {merges:,} merges")
    by_rank = np.array(rows, dtype=np.int64).reshape(len(rows), width)
    columns = [np.ascontiguousarray(column) for column in by_rank.T]
    wrong = np.flatnonzero(columns[1] > columns[0])
    if len(wrong):
        row = Node(node.source, f"{node.key}[{wrong[0]}]", None)
        row.fail("was applied more often than its pair was there")
    return columns


def _corpus(node: Node) -> dict[str, object]:
    node.check_keys(CORPUS)
    files: list[dict[str, object]] = []
    for file in node.member("files").items():
        file.check_keys(("path", "size"))
        path, size = file.member("path").text(), file.member("size").integer(largest=_MAX_COUNT)
        files.append({"path": path, "size": size})
    return {
        "files": files,
        "fingerprint": node.member("fingerprint").text(),
        "problems": node.member("problems").integer(largest=_MAX_COUNT),
    }
