"""A corpus in parts under two tables: kinds of files, scripts, files, languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from bpe_studio.gui.models.array_table import Column
from bpe_studio.gui.models.corpus_figures import decimal, signed
from bpe_studio.gui.models.corpus_question import ComparedCorpus
from bpe_studio.gui.models.numbers import grouped

Grouping = Literal["kind", "script", "file", "parity"]
GROUPINGS: Final[dict[Grouping, str]] = {
    "kind": "By kind of file",
    "script": "By script",
    "file": "By file",
    "parity": "Between parallel files",
}
BARS: Final = 1
"""The column whose cells are bars."""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Parts of a corpus, and one number of each under A and under B that bars can show.

    `more` is by how many per cent B needs more tokens. Parts with no text have NaN.
    """

    grouping: Grouping
    names: tuple[str, ...]
    characters: NDArray[np.int64]
    tokens_a: NDArray[np.int64]
    tokens_b: NDArray[np.int64]
    values_a: NDArray[np.float64]
    values_b: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.names)

    @property
    def more(self) -> NDArray[np.float64]:
        return 100 * (_ratio(self.tokens_b, self.tokens_a) - 1)

    @property
    def largest(self) -> float:
        """The longest bar."""
        both = np.concatenate([self.values_a, self.values_b])
        return float(np.nanmax(both)) if np.isfinite(both).any() else 1.0


def parts_of(
    compared: ComparedCorpus, grouping: Grouping, *, equal: bool = False, reference: int = 0
) -> Parts:
    """The parts of a corpus, the largest first.

    Parameters
    ----------
    equal : both tables at the size of the smaller one, where that is known
    reference : the file that others say the same as, for "parity"
    """
    found = compared.comparison
    equal = equal and found.equal is not None
    sides = (found.equal.a, found.equal.b) if equal and found.equal else found.tables[:2]
    if grouping == "kind":
        kinds = compared.equal_kinds if equal else compared.kinds
        names = tuple(kind.kind for kind in kinds)
        characters = np.array([kind.characters for kind in kinds], np.int64)
        a, b = (np.array([kind.tokens[side] for kind in kinds], np.int64) for side in (0, 1))
    elif grouping == "script":
        names, characters = found.scripts, found.script_characters
        a, b = (side.script_tokens for side in sides)
    else:
        names, characters = found.files, found.file_characters
        a, b = (side.file_tokens for side in sides)
    if grouping == "parity":
        values = tuple(_ratio(side, np.full(len(side), side[reference])) for side in (a, b))
        order = np.arange(len(names))
    else:
        values = tuple(_ratio(characters, side) for side in (a, b))
        order = np.argsort(-characters, kind="stable")
    return Parts(
        grouping,
        tuple(names[place] for place in order.tolist()),
        characters[order],
        a[order],
        b[order],
        values[0][order],
        values[1][order],
    )


def only(parts: Parts, places: list[int]) -> Parts:
    """Some of the parts, in this order."""
    arrays = (parts.characters, parts.tokens_a, parts.tokens_b, parts.values_a, parts.values_b)
    return Parts(
        parts.grouping,
        tuple(parts.names[place] for place in places),
        *(array[places] for array in arrays),
    )


def part_columns(parts: Parts) -> tuple[Column, ...]:
    """The columns: a name, a pair of bars, and the numbers."""
    parity = parts.grouping == "parity"
    unit, sign = ("× tokens", "×") if parity else ("chars/token", "")
    more = parts.more

    def values(side: str, numbers: NDArray[np.float64]) -> Column:
        hint = (
            f"Tokens under {side}, over those of the reference file."
            if parity
            else f"Characters per token under {side}: more is better."
        )
        return Column(
            side,
            lambda row: f"{decimal(numbers[row], 2)}{sign if numbers[row] == numbers[row] else ''}",
            lambda: np.nan_to_num(numbers, nan=-1.0),
            right=True,
            hint=hint,
            sample="00.00" + sign,
        )

    def counts(title: str, numbers: NDArray[np.int64], hint: str, spare: int) -> Column:
        return Column(
            title,
            lambda row: grouped(int(numbers[row])),
            lambda: numbers,
            right=True,
            hint=hint,
            sample=grouped(int(numbers.max(initial=0))),
            spare=spare,
        )

    title = {"kind": "Kind", "script": "Script", "file": "File", "parity": "File"}[parts.grouping]
    return (
        Column(
            title,
            parts.names.__getitem__,
            lambda: [name.lower() for name in parts.names],
            tip=parts.names.__getitem__,
            sample=11 * "0",
            share=2,
        ),
        Column(
            unit,
            lambda row: "",
            lambda: np.nan_to_num(parts.values_a, nan=-1.0),
            hint="Bars of A above bars of B.",
            sample=9 * "0",
            share=3,
        ),
        values("A", parts.values_a),
        values("B", parts.values_b),
        Column(
            "B tokens",
            lambda row: signed(float(more[row])),
            lambda: np.nan_to_num(more, nan=-np.inf),
            right=True,
            hint="By how many per cent B needs more tokens than A here, or fewer.",
            sample="+000.0 %",
        ),
        counts("Characters", parts.characters, "Characters of this part.", 1),
        counts("Tokens A", parts.tokens_a, "Tokens under A.", 2),
        counts("Tokens B", parts.tokens_b, "Tokens under B.", 3),
    )


def _ratio(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float64]:
    made = np.full(len(part), np.nan)
    np.divide(part, whole, out=made, where=whole > 0)
    return made
