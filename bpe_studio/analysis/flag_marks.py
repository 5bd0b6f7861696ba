"""Which tokens of a table are flagged, as arrays: a hundred thousand rows are asked at once."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.flags import KINDS, SEVERITIES, Flag, Severity

__all__ = ["NOT_MARKED", "SEVERE", "FlagMarks", "flag_words", "named_kinds"]

NOT_MARKED: Final = frozenset({"unused-base"})
"""Kinds that are no fault of a token, and so no mark of it."""

SEVERE: Final[tuple[Severity, ...]] = ("error", "warning", "info")
"""The most serious first; their places are what `FlagMarks.severity` holds."""

_NAMES: Final = tuple(KINDS)


def named_kinds(word: str) -> frozenset[str]:
    """The kinds that a word names: a severity, a kind, or the beginning of kinds; none names all.

    >>> sorted(named_kinds("dup")), "rare" in named_kinds("warning"), len(named_kinds("such"))
    (['duplicate', 'duplicate-nfc'], True, 0)
    """
    marked = [kind for kind in KINDS if kind not in NOT_MARKED]
    if word in SEVERE:
        return frozenset(kind for kind in marked if SEVERITIES.get(kind, "info") == word)
    if word in marked:
        return frozenset({word})
    return frozenset(kind for kind in marked if kind.startswith(word))


def flag_words() -> str:
    """What can be asked for, in a line."""
    return ", ".join([*SEVERE, *(kind for kind in KINDS if kind not in NOT_MARKED)])


class FlagMarks:
    """The flags of a report by token.

    Parameters
    ----------
    flags : tuple of Flag
        In any order; those of `NOT_MARKED` are left out.
    """

    def __init__(self, flags: tuple[Flag, ...]) -> None:
        self._flags = flags
        places = {kind: place for place, kind in enumerate(_NAMES)}
        count = len(flags)
        ids = np.fromiter((flag.id for flag in flags), dtype=np.int64, count=count)
        kinds = np.fromiter((places[flag.kind] for flag in flags), dtype=np.int16, count=count)
        kept = np.flatnonzero(~np.isin(kinds, [places[kind] for kind in NOT_MARKED]))
        self._order = kept[np.argsort(ids[kept], kind="stable")]
        self._ids, self._kinds = ids[self._order], kinds[self._order]
        grades = np.array([SEVERE.index(SEVERITIES.get(kind, "info")) for kind in _NAMES])
        # By id, so that a row is asked with one look: as large as the largest id that is flagged.
        self._grades = np.full(int(self._ids.max(initial=-1)) + 1, len(SEVERE), dtype=np.int8)
        np.minimum.at(self._grades, self._ids, grades[self._kinds].astype(np.int8))

    def __len__(self) -> int:
        """How many different tokens are flagged."""
        return int(np.count_nonzero(self._grades < len(SEVERE)))

    def mask(
        self, ids: NDArray[np.int32], kinds: frozenset[str] | None = None
    ) -> NDArray[np.bool_]:
        """bool, one for each id: whether the token has a flag of these kinds, or any flag."""
        if kinds is None:
            flagged = self._grades < len(SEVERE)
        else:
            wanted = [place for place, kind in enumerate(_NAMES) if kind in kinds]
            flagged = np.zeros(len(self._grades), dtype=bool)
            flagged[self._ids[np.isin(self._kinds, wanted)]] = True
        found = np.zeros(len(ids), dtype=bool)
        known = ids < len(flagged)
        found[known] = flagged[ids[known]]
        return found

    def severity(self, token: int) -> Severity | None:
        """The most serious flag of a token; None where it has none."""
        grade = int(self._grades[token]) if 0 <= token < len(self._grades) else len(SEVERE)
        return SEVERE[grade] if grade < len(SEVERE) else None

    def titles(self, token: int) -> str:
        """The kinds of its flags in words, with commas between; empty where it has none."""
        return ", ".join(dict.fromkeys(KINDS[flag.kind].title for flag in self.of(token)))

    def of(self, token: int) -> tuple[Flag, ...]:
        """The flags of a token, as the report has them in order."""
        first, last = np.searchsorted(self._ids, [token, token + 1]).tolist()
        return tuple(self._flags[place] for place in self._order[first:last].tolist())
