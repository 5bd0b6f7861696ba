"""Where two tables part: were both pairs equally frequent, and only the rule for ties chose?

A record has the count of every pair that was merged, at the time when it was. Of the pair that
another table merged there it knows less: how often it was there later on, if it was merged at all.
What follows from that, and nothing more, is said:

* A merge is the most frequent pair of its time, and the count of an old pair never rises. So when a
  table merges later, with the same count, what the other one merged here, the two were equal.
* When it merges it later with a lower count, and no merge from here till then has used a part of
  it, the count was that already: it was no tie.
* When both have learned from the same corpus in the same way up to here, each record tells what the
  other one leaves out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord

__all__ = ["Side", "is_tie"]

_RULES = ("hold_out", "without", "whole_characters", "max_token_bytes", "min_documents")


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One table at a merge.

    Attributes
    ----------
    tokenizer : Tokenizer
    merges : int32 array, shape (merges, 2)
        Left and right part of each, in numbers that are the same in both tables.
    row : int
        Which merge it is.
    distinct : bool
        Whether no two tokens have the same bytes, and so the same number.
    """

    tokenizer: Tokenizer
    merges: NDArray[np.int32]
    row: int
    distinct: bool

    @property
    def pair(self) -> tuple[int, int]:
        left, right = self.merges[self.row].tolist()
        return left, right

    @property
    def record(self) -> TrainingRecord | None:
        """What is known of the training; None where that does not fit the merges."""
        record = self.tokenizer.training
        return None if record is None or len(record.counts) != len(self.merges) else record

    @property
    def count(self) -> int | None:
        """How often the pair was there when it was merged."""
        return None if self.record is None else int(self.record.counts[self.row])


def is_tie(a: Side, b: Side) -> bool | None:
    """Whether the pairs that A and B merge there were equally frequent; None for unknown."""
    if _learned_alike(a, b):
        return a.count == b.count
    told = {_tie_in(a, b.pair), _tie_in(b, a.pair)} - {None}
    return None if not told else told == {True}


def _tie_in(side: Side, other: tuple[int, int]) -> bool | None:
    """Whether another pair was as frequent, by the record of one table."""
    record = side.record
    if record is None or not side.distinct or side.row < _replayed(record):
        return None
    later = side.merges[side.row :]
    found = np.flatnonzero((later == other).all(axis=1))
    if not len(found):
        return None
    place = int(found[0])
    if record.counts[side.row + place] == record.counts[side.row]:
        return True
    used = np.isin(later[:place], other).any()
    return None if used else False


def _learned_alike(a: Side, b: Side) -> bool:
    """Whether both had the same counts of all pairs before this merge."""
    one, other = a.record, b.record
    if one is None or other is None or not one.corpus.get("fingerprint"):
        return False
    return (
        one.corpus["fingerprint"] == other.corpus.get("fingerprint")
        and a.tokenizer.pattern.expression == b.tokenizer.pattern.expression
        and a.tokenizer.base == b.tokenizer.base
        and all(one.settings.get(rule) == other.settings.get(rule) for rule in _RULES)
        and a.row >= max(_replayed(one), _replayed(other))
        and bool(np.array_equal(one.counts[: a.row], other.counts[: b.row]))
    )


def _replayed(record: TrainingRecord) -> int:
    """How many merges were taken from another table, whatever their counts were."""
    return int(record.settings.get("continued_from", 0))
