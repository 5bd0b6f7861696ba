"""Two checks side by side as the rows of a table: kinds before and after, tokens gone and new."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QLocale

from bpe_studio.analysis.health import KINDS
from bpe_studio.analysis.health_change import FigureChange, HealthChange, KindChange
from bpe_studio.analysis.health_figures import Unit
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.array_table import Column
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.models.token_details import shorten
from bpe_studio.reports.words import percent

NONE = "–"
UNLIKE = (
    "Some kinds were looked for in one table only, and are not compared. Check both on the same "
    "corpus to compare all."
)
MOST_FIGURES = 6
RATIO_DIGITS = 3
FIRST_FIGURES = ("tokens", "flagged", "used", "used_share")
MOST_TOKENS = 200  # of a kind that are listed on each side


def change_columns(changes: Sequence[KindChange]) -> tuple[Column, ...]:
    """The columns of the kinds."""

    def numbers(title: str, values: list[int | None], *, sign: bool = False) -> Column:
        keys = np.array([-(10**9) if value is None else value for value in values], np.int64)
        words = [_words(value, sign=sign) for value in values]
        return Column(
            title,
            words.__getitem__,
            lambda: keys,
            right=True,
            sample=max(words, key=len, default=""),
        )

    titles = [KINDS[change.kind].title for change in changes]
    return (
        Column("Category", titles.__getitem__, lambda: np.arange(len(titles)), sample=12 * "0",
               share=1),
        numbers("Before", [change.before for change in changes]),
        numbers("After", [change.after for change in changes]),
        numbers("Change", [change.difference for change in changes], sign=True),
        numbers("Gone", [len(change.gone) if _compared(change) else None for change in changes]),
        numbers("New", [len(change.come) if _compared(change) else None for change in changes]),
    )  # fmt: skip


def figure_words(change: HealthChange) -> str:
    """The figures that both have, in a line."""
    known = {figure.name: figure for figure in change.figures}
    shown = [known[name] for name in FIRST_FIGURES if name in known]
    shown += [
        figure
        for figure in change.figures
        if figure.name not in FIRST_FIGURES and len(set(_before_and_after(figure))) > 1
    ]
    told = (f"{one.title}: {' → '.join(_before_and_after(one))}" for one in shown[:MOST_FIGURES])
    apart = any(not _compared(kind) for kind in change.kinds)
    return "  ·  ".join(told) + (f"\n{UNLIKE}" if apart else "")


def ordered(change: HealthChange) -> tuple[KindChange, ...]:
    """The kinds, those that differ first."""
    return tuple(sorted(change.kinds, key=lambda kind: not (kind.gone or kind.come)))


def tokens_words(change: KindChange) -> tuple[str, ...]:
    """Which tokens of a kind are gone and new, in two sentences; where nobody can say, in one."""
    if not _compared(change):
        side = "after" if change.before is None else "before"
        return (f"Looked for only in the table {side}, so it is not known which are gone or new.",)
    return _listed("Gone", change.gone), _listed("New", change.come)


def _listed(title: str, tokens: tuple[bytes, ...]) -> str:
    shown = "  ".join(shorten(readable(token)) for token in tokens[:MOST_TOKENS])
    more = " …" if len(tokens) > MOST_TOKENS else ""
    return f"{title} ({grouped(len(tokens))}): {shown}{more}" if tokens else f"{title}: none."


def _before_and_after(change: FigureChange) -> tuple[str, str]:
    return _figure(change.before, change.unit), _figure(change.after, change.unit)


def _figure(value: float | None, unit: Unit) -> str:
    """A figure with the digits that it has."""
    if value is None:
        return NONE
    if unit == "ratio":
        return QLocale().toString(float(value), "f", RATIO_DIGITS)
    return percent(value) if unit == "share" else grouped(round(value))


def _compared(change: KindChange) -> bool:
    """Whether both have looked for this kind."""
    return change.difference is not None


def _words(value: int | None, *, sign: bool) -> str:
    if value is None:
        return NONE
    return ("+" if sign and value > 0 else "−" if sign and value < 0 else "") + grouped(
        abs(value) if sign else value
    )
