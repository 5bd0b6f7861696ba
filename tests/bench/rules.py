"""Which results must be equal: the rules that competitors follow, and how results are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Learned = Sequence[tuple[bytes, ...]]


@dataclass(frozen=True)
class Rules:
    """What decides the merges besides corpus, pattern and size.

    Attributes
    ----------
    ties : "smallest-ids" or "first-seen"
    byte_order : "gpt2" or "value"
    documents : "whole" or "lines"
        Whether a file is one document, or every line of it.
    """

    ties: Literal["smallest-ids", "first-seen"] = "smallest-ids"
    byte_order: Literal["gpt2", "value"] = "gpt2"
    documents: Literal["whole", "lines"] = "whole"

    def __str__(self) -> str:
        order = f", bytes by {self.byte_order}" if self.ties == "smallest-ids" else ""
        return f"{self.ties}{order}" + (", line by line" if self.documents == "lines" else "")


def compare_merges(mine: Learned, theirs: Learned) -> str:
    """Compares in order of rank, as far as both go; pairs where both tell them, else tokens.

    >>> compare_merges([(b"a", b"b"), (b"ab", b"c")], [(b"a", b"b"), (b"abc",)])
    'same 2'
    >>> compare_merges([(b"a", b"b")], [(b"a", b"c")])
    'differs at 0 of 1'
    """
    common = min(len(mine), len(theirs))
    for rank, (one, other) in enumerate(zip(mine, theirs, strict=False)):
        same = one == other if len(one) == len(other) else b"".join(one) == b"".join(other)
        if not same:
            return f"differs at {rank:,} of {common:,}"
    return f"same {common:,}"


def write_merges(learned: Learned, path: Path) -> None:
    lines = (" ".join(part.hex() for part in parts) for parts in learned)
    path.write_text("\n".join(lines), "ascii")


def read_merges(path: Path) -> list[tuple[bytes, ...]]:
    lines = path.read_text("ascii").split("\n")
    return [tuple(map(bytes.fromhex, line.split(" "))) for line in lines if line]
