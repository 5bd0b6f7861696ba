"""Files and rows of a corpus that are not read, by the names that a user gives them.

A name is a file's label, as the corpus lists it, or a label and a row of that file: `a.jsonl:7`.
Rows count from 1, as lines do.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bpe_studio.bpe.documents import holds_rows
from bpe_studio.bpe.folders import CorpusFile
from bpe_studio.bpe.visible_names import visible_name

__all__ = ["NOTHING", "LeftOut", "find_left_out", "nearest"]

_MOST_COMPARED: Final = 20_000


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What is not read.

    Attributes
    ----------
    files : frozenset of str
        Labels of whole files.
    rows : dict of label to frozenset of int
        Rows of other files, from 1.
    demanded : dict of label to int
        The last row that a file must have; without it the name stands for nothing.
    """

    files: frozenset[str] = frozenset()
    rows: Mapping[str, frozenset[int]] = field(default_factory=dict)
    demanded: Mapping[str, int] = field(default_factory=dict)

    def rows_of(self, label: str) -> frozenset[int]:
        return self.rows.get(label, frozenset())

    def check_rows(self, label: str, rows: int) -> None:
        """Refuses a name of a row that a file of `rows` rows does not have."""
        wanted = self.demanded.get(label, 0)
        if wanted > rows:
            has = f"{rows:,} {'row' if rows == 1 else 'rows'}"
            name = _named(f"{label}:{wanted}")
            raise ValueError(f"without {name} names no row: {visible_name(label)} has {has}.")


NOTHING: Final = LeftOut()


def find_left_out(
    files: Iterable[CorpusFile], names: Sequence[str], *, may_lack: Collection[str] = ()
) -> LeftOut:
    """Looks names up in the files of a corpus.

    Parameters
    ----------
    may_lack : names that may stand for nothing: a table to continue was trained without them

    Raises
    ------
    ValueError
        A name that stands for nothing, with one that is near.
    """
    if not names:
        return NOTHING
    listed = list(files)
    by_label = {file.label: file for file in listed}
    # Of several folders two files may have one label, and only one of them the row.
    several = len(by_label) < len(listed)
    whole: set[str] = set()
    rows: dict[str, set[int]] = {}
    demanded: dict[str, int] = {}
    for name in names:
        if name in by_label:
            whole.add(name)
            continue
        label, row = _parted(name)
        if label in by_label and row is not None and _has_rows(by_label[label], name, row):
            rows.setdefault(label, set()).add(row)
            if name not in may_lack and not several:
                demanded[label] = max(row, demanded.get(label, 0))
        elif name not in may_lack:
            raise ValueError(
                f"without {_named(name)} names no file of the corpus{nearest(label, by_label)}."
            )
    return LeftOut(frozenset(whole), {k: frozenset(v) for k, v in rows.items()}, demanded)


def nearest(name: str, labels: Collection[str]) -> str:
    """What somebody may have meant, as the end of a sentence."""
    last = name.rsplit("/", 1)[-1]
    near = [label for label in labels if label.rsplit("/", 1)[-1] == last]
    near = near or difflib.get_close_matches(name, list(labels)[:_MOST_COMPARED], n=1)
    if near:
        return f"; near is {_named(near[0])}"
    first = next(iter(labels), None)
    return "" if first is None else f"; it has {len(labels):,}, the first is {_named(first)}"


def _parted(name: str) -> tuple[str, int | None]:
    """`a.jsonl:7` -> `a.jsonl` and 7."""
    label, colon, row = name.rpartition(":")
    if colon and row.isascii() and row.isdecimal() and len(row) < 19:
        return label, int(row)
    return name, None


def _named(name: str) -> str:
    return f"'{visible_name(name)}'"


def _has_rows(file: CorpusFile, name: str, row: int) -> bool:
    if not holds_rows(file):
        raise ValueError(
            f"without {_named(name)} names a row, and {visible_name(file.label)} is one document; "
            "its name alone leaves it out."
        )
    if row < 1:
        raise ValueError(f"without {_named(name)} names no row: the first row is 1.")
    return True
