"""The record of a training in a native file: its keys, and that it fits the table it is in."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord
from bpe_studio.formats.strict.json import Node, quoted
from bpe_studio.formats.strict.token_bytes import MAX_MERGES

__all__ = ["CORPUS", "SETTINGS", "TOTALS", "check_writable", "read_training"]

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
CORPUS: Final = ("fingerprint", "problems", "files")

_MAX_COUNT = (1 << 63) - 1


def read_training(node: Node, tokenizer: Tokenizer, *, pattern_name: str) -> TrainingRecord:
    """The record, checked against the tokenizer that it is of.

    Parameters
    ----------
    pattern_name : str
        As the file has it: that of a preset whose expression was changed loads as `custom`.
    """
    node.check_keys(("settings", "totals", "corpus", "merges"))
    totals = node.member("totals")
    totals.check_keys(TOTALS)
    counts, applied = _by_rank(node.member("merges"), len(tokenizer.table.merges))
    return TrainingRecord(
        counts=counts,
        applied=applied,
        settings=_settings(node.member("settings"), tokenizer, pattern_name),
        totals={name: totals.member(name).integer(largest=_MAX_COUNT) for name in TOTALS},
        corpus=_corpus(node.member("corpus")),
    )


def check_writable(tokenizer: Tokenizer, record: TrainingRecord) -> None:
    """Raise a ValueError for a record that could not be read again."""
    lacking = [
        name
        for names, values in (
            (SETTINGS, record.settings),
            (TOTALS, record.totals),
            (CORPUS, record.corpus),
        )
        for name in names
        if name not in values
    ]
    if lacking:
        raise ValueError(f"The training record lacks {lacking[0]!r}, so it cannot be saved.")
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


def _settings(node: Node, tokenizer: Tokenizer, pattern_name: str) -> dict[str, Any]:
    node.check_keys(SETTINGS, ("continued_from",))
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


def _by_rank(node: Node, merges: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rows = node.integer_rows((2,), largest=_MAX_COUNT, most=MAX_MERGES)
    if len(rows) != merges:
        node.fail(f"has {len(rows):,} rows, and the table {merges:,} merges")
    by_rank = np.array(rows, dtype=np.int64).reshape(len(rows), 2)
    counts, applied = by_rank.T
    wrong = np.flatnonzero(applied > counts)
    if len(wrong):
        row = Node(node.source, f"{node.key}[{wrong[0]}]", None)
        row.fail("was applied more often than its pair was there")
    return np.ascontiguousarray(counts), np.ascontiguousarray(applied)


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
