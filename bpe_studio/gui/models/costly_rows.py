"""The pieces that one table cuts into more tokens than the other, as rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bpe_studio.analysis.corpus_comparison import CostlyPiece
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.array_table import Column
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.models.token_details import shorten

HINT = (
    "A run of letters, of digits or of other signs, with the white space before it; counted where "
    "the two do not agree."
)


def costly_columns(pieces: Sequence[CostlyPiece], dearer: str) -> tuple[Column, ...]:
    """The columns of pieces that are dearer under "A" or "B"."""
    words = [readable(piece.data) for piece in pieces]
    sign = 1 if dearer == "A" else -1

    def numbers(title: str, values: list[int], hint: str, spare: int = 0) -> Column:
        return Column(
            title,
            lambda row: grouped(values[row]),
            lambda: np.array(values, np.int64),
            right=True,
            hint=hint,
            sample=max(map(grouped, values), key=len, default="0"),
            spare=spare,
        )

    return (
        Column(
            "Piece",
            lambda row: shorten(words[row]),
            lambda: [piece.data for piece in pieces],
            mono=True,
            hint=HINT,
            tip=words.__getitem__,
            sample=12 * "0",
            share=1,
        ),
        numbers("Count", [piece.count for piece in pieces], "Where the two do not agree."),
        numbers("Tokens A", [piece.tokens_a for piece in pieces], "Tokens that end in it under A."),
        numbers("Tokens B", [piece.tokens_b for piece in pieces], "Tokens that end in it under B."),
        numbers(
            "Lost",
            [sign * piece.lost for piece in pieces],
            f"How many tokens more {dearer} needs.",
        ),
    )


def text_of(piece: CostlyPiece) -> str:
    """The piece as a text that any table can be asked about."""
    return piece.data.decode(errors="replace")
