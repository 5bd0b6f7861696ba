"""Two checks side by side as the rows of a table: kinds before and after, tokens gone and come."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bpe_studio.analysis.health import KINDS
from bpe_studio.analysis.health_change import FigureChange, HealthChange, KindChange
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.array_table import Column
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.models.token_details import shorten

NONE = "–"
MOST_FIGURES = 6
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
        numbers("Gone", [len(change.gone) for change in changes]),
        numbers("Come", [len(change.come) for change in changes]),
    )  # fmt: skip


def figure_words(change: HealthChange) -> str:
    """The figures that both have, in a line."""
    known = {figure.name: figure for figure in change.figures}
    shown = [known[name] for name in FIRST_FIGURES if name in known]
    shown += [
        figure
        for figure in change.figures
        if figure.name not in FIRST_FIGURES and figure.before != figure.after
    ]
    return "  ·  ".join(map(_figure, shown[:MOST_FIGURES]))


def ordered(change: HealthChange) -> tuple[KindChange, ...]:
    """The kinds, those that differ first."""
    return tuple(sorted(change.kinds, key=lambda kind: not (kind.gone or kind.come)))


def tokens_words(change: KindChange) -> tuple[str, str]:
    """Which tokens of a kind went and came, in two sentences."""
    return _listed("Gone", change.gone), _listed("Come", change.come)


def _listed(title: str, tokens: tuple[bytes, ...]) -> str:
    shown = "  ".join(shorten(readable(token)) for token in tokens[:MOST_TOKENS])
    more = " …" if len(tokens) > MOST_TOKENS else ""
    return f"{title} ({grouped(len(tokens))}): {shown}{more}" if tokens else f"{title}: none."


def _figure(change: FigureChange) -> str:
    def words(value: float | None) -> str:
        if value is None:
            return NONE
        return f"{100 * value:.1f} %" if change.unit == "share" else grouped(round(value))

    return f"{change.title}: {words(change.before)} → {words(change.after)}"


def _words(value: int | None, *, sign: bool) -> str:
    if value is None:
        return NONE
    return ("+" if sign and value > 0 else "−" if sign and value < 0 else "") + grouped(
        abs(value) if sign else value
    )
