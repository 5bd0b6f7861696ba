"""Two reports side by side, before and after another training: what went, and what came.

Tokens are the same when their bytes are, whatever their ids and whatever table they are in.
"""

from __future__ import annotations

from collections.abc import Generator, Set
from dataclasses import dataclass
from typing import Final

from bpe_studio.analysis.flags import KINDS
from bpe_studio.analysis.health import HealthReport
from bpe_studio.analysis.health_figures import Unit, figures
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["FigureChange", "HealthChange", "KindChange", "compare_health", "iter_compare_health"]

_FLAGS_A_SLICE: Final = 4_000

Tokens = tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class KindChange:
    """One kind of flag in two reports.

    Attributes
    ----------
    kind : str
        A key of `KINDS`.
    before, after : int or None
        How many flags; None where this kind was not looked for.
    gone, come : tuple of bytes
        Tokens that have such a flag only before, and only after, each in the order of its report.
        Both are empty unless both reports have looked.
    left, new : int
        Of `gone`, how many are no tokens of the later table at all (the others are there, with no
        such flag); of `come`, how many the earlier table did not have.
    """

    kind: str
    before: int | None
    after: int | None
    gone: Tokens = ()
    come: Tokens = ()
    left: int = 0
    new: int = 0

    @property
    def difference(self) -> int | None:
        """How many more; None where it cannot be said."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class FigureChange:
    """One number of two reports; None where a report does not have it."""

    name: str
    title: str
    before: int | float | None
    after: int | float | None
    unit: Unit = "count"


@dataclass(frozen=True, slots=True)
class HealthChange:
    """What differs between two reports, of any two tables.

    Attributes
    ----------
    kinds : tuple of KindChange
        Every kind that one of them has looked for, the most serious first.
    figures : tuple of FigureChange
        Their numbers side by side: tokens, flags, the vocabulary in use.
    """

    kinds: tuple[KindChange, ...]
    figures: tuple[FigureChange, ...]

    @property
    def told_figures(self) -> tuple[FigureChange, ...]:
        """Those that are not 0 in both."""
        return tuple(one for one in self.figures if one.before or one.after)

    def of(self, kind: str) -> KindChange | None:
        """The change of one kind; None for one that nobody has looked for."""
        return next((change for change in self.kinds if change.kind == kind), None)

    @property
    def gone(self) -> int:
        """How many flags went."""
        return sum(len(change.gone) for change in self.kinds)

    @property
    def come(self) -> int:
        """How many flags came."""
        return sum(len(change.come) for change in self.kinds)


def compare_health(
    before: HealthReport, after: HealthReport, tokenizers: tuple[Tokenizer, Tokenizer]
) -> HealthChange:
    """As `iter_compare_health`, at once."""
    return result_of(iter_compare_health(before, after, tokenizers))


def iter_compare_health(
    before: HealthReport, after: HealthReport, tokenizers: tuple[Tokenizer, Tokenizer]
) -> Generator[int, None, HealthChange]:
    """Sets two reports side by side, in slices: yields how many flags it has looked at.

    Parameters
    ----------
    before, after : HealthReport
    tokenizers : (Tokenizer, Tokenizer)
        Those that the reports are about, in the same order.
    """
    was = yield from _by_kind(before, tokenizers[0], 0)
    now = yield from _by_kind(after, tokenizers[1], len(before.flags))
    kinds: list[KindChange] = []
    for kind in KINDS:
        counts = before.counts.get(kind), after.counts.get(kind)
        if None not in counts:
            kinds.append(_change(kind, counts, was.get(kind, {}), now.get(kind, {}), tokenizers))
            yield len(before.flags) + len(after.flags)
        elif counts != (None, None):
            kinds.append(KindChange(kind, *counts))
    return HealthChange(tuple(kinds), _figure_changes(before, after))


def _by_kind(
    report: HealthReport, tokenizer: Tokenizer, done: int
) -> Generator[int, None, dict[str, dict[bytes, None]]]:
    """The tokens with flags of each kind, each once, in the order of the report."""
    found: dict[str, dict[bytes, None]] = {}
    for number, flag in enumerate(report.flags, start=1):
        found.setdefault(flag.kind, {}).setdefault(tokenizer.token_bytes(flag.id))
        if number % _FLAGS_A_SLICE == 0:
            yield done + number
    return found


def _change(
    kind: str,
    counts: tuple[int | None, int | None],
    was: dict[bytes, None],
    now: dict[bytes, None],
    tokenizers: tuple[Tokenizer, Tokenizer],
) -> KindChange:
    earlier, later = tokenizers
    gone = tuple(data for data in was if data not in now)
    come = tuple(data for data in now if data not in was)
    left = sum(later.table.find(data) is None for data in gone)
    new = sum(earlier.table.find(data) is None for data in come)
    return KindChange(kind, *counts, gone, come, left, new)


def _figure_changes(before: HealthReport, after: HealthReport) -> tuple[FigureChange, ...]:
    was = {figure.name: figure for figure in figures(before)}
    now = {figure.name: figure for figure in figures(after)}
    changes = []
    for name in dict.fromkeys([*now, *was]):
        known = now.get(name) or was[name]
        values = [found[name].value if name in found else None for found in (was, now)]
        title = known.title
        if name == "flagged" and before.counts.keys() != after.counts.keys():
            values = [_flagged(one, before.counts.keys() & after.counts) for one in (before, after)]
            title += " of a kind that both looked for"
        changes.append(FigureChange(name, title, values[0], values[1], known.unit))
    return tuple(changes)


def _flagged(report: HealthReport, kinds: Set[str]) -> int:
    """As `HealthReport.flagged`, of some kinds."""
    counted = kinds - {"unused-base"}
    return len({flag.id for flag in report.flags if flag.kind in counted})
