"""The columns of the table of all tokens of two tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.array_table import Column
from bpe_studio.gui.models.compare_rows import CompareRows
from bpe_studio.gui.models.escaped import escaped_lines
from bpe_studio.gui.models.numbers import grouped, grouped_or_none
from bpe_studio.gui.models.token_details import shorten

IN_WORDS = ("both", "A only", "B only")
MADE = "Made otherwise"
BYTES = ("Token", MADE)
"""Titles of the columns that hold readable bytes."""
PART = 24  # characters of a part of a merge that a tip shows


def compare_columns(rows: CompareRows) -> list[Column]:
    """Token, in, ranks, shift; where known uses; ids; how it is made, where that differs."""
    found = rows.comparison
    uses = rows.uses or ()
    used = [
        _number(f"Uses {side}", values, f"F1 on the corpus under {side}", spare=1)
        for side, values in zip("AB", uses, strict=False)
    ]
    return [
        Column("Token", rows.token, lambda: found.places, mono=True, sample=11 * "0", share=3,
               tip=lambda row: tip(rows, row)),
        Column("In", lambda row: IN_WORDS[rows.sides[row]], lambda: rows.sides, sample="B only",
               hint="Which of the tables has it"),
        _number("Rank A", found.rank_a, "Rank of the merge that makes it in A"),
        _number("Rank B", found.rank_b, "Rank of the merge that makes it in B"),
        Column("Shift", rows.shift, lambda: found.shift, right=True,
               sample=f"+{_widest(found.shift)}0", hint="Rank in B minus rank in A"),
        *used,
        _number("Id A", found.id_a, "Id in A", spare=2),
        _number("Id B", found.id_b, "Id in B", spare=2),
        _made(rows),
    ]  # fmt: skip


def tip(rows: CompareRows, row: int) -> str:
    """How a token is made in both, in a line each."""
    found = rows.comparison
    lines = [readable(found.token(row))]
    for side, ids, ranks, parts in (
        ("A", found.id_a, found.rank_a, found.parts_a(row)),
        ("B", found.id_b, found.rank_b, found.parts_b(row)),
    ):
        if ids[row] < 0:
            lines.append(f"{side} has no such token")
        elif parts is None:
            lines.append(f"{side}: id {grouped(int(ids[row]))}, made by no merge")
        else:
            made = " + ".join(shorten(readable(part), PART) for part in parts)
            known = f"id {grouped(int(ids[row]))}, rank {grouped(int(ranks[row]))}"
            lines.append(f"{side}: {known}, {made}")
    return escaped_lines(lines)


def _made(rows: CompareRows) -> Column:
    found = rows.comparison

    def words(row: int) -> str:
        pairs = (found.parts_a(row), found.parts_b(row)) if rows.other_merge[row] else ()
        known = [pair for pair in pairs if pair is not None]
        return "  ≠  ".join(" + ".join(shorten(readable(p), PART) for p in pair) for pair in known)

    return Column(
        MADE,
        words,
        lambda: ~rows.other_merge,  # those that differ come first
        mono=True,
        sample=14 * "0",
        share=4,
        spare=3,
        hint="The two parts in A and in B, where those are others",
    )


def _number(title: str, values: NDArray[np.int64], hint: str, *, spare: int = 0) -> Column:
    return Column(
        title,
        lambda row: grouped_or_none(values[row]),
        lambda: np.where(values < 0, np.iinfo(np.int64).max, values),  # none comes last
        right=True,
        hint=hint,
        sample=_widest(values),
        spare=spare,
    )


def _widest(values: NDArray[np.int64]) -> str:
    return grouped(np.abs(values).max(initial=0))
