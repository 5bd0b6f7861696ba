"""The curves of a table as numbers for a spreadsheet."""

from __future__ import annotations

import csv
import io
from itertools import zip_longest

from bpe_studio.gui.models.curve_data import Curves, LiveCurve

COLUMNS = ("tokens", "characters_per_token", "bytes_per_token")


def csv_of(curves: Curves) -> bytes:
    """A row for every vocabulary size; a column that is not known so far ends earlier."""
    parts = {
        "": None if curves.own_is_text else curves.own,
        "held_out_": curves.held,
        "text_": curves.own if curves.own_is_text else curves.text,
    }
    known = {prefix: curve for prefix, curve in parts.items() if curve is not None}
    last = len(curves.own)
    names = ["vocab_size", *(prefix + name for prefix in known for name in COLUMNS)]
    columns = [curves.own.sizes.tolist()]
    columns += [column[:last] for curve in known.values() for column in _columns(curve)]
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(zip_longest(*columns, fillvalue=""))
    return lines.getvalue().encode()


def _columns(curve: LiveCurve) -> list[list[object]]:
    return [
        curve.tokens.tolist(),
        [f"{value:.6f}" for value in curve.characters_per_token.tolist()],
        [f"{value:.6f}" for value in curve.bytes_per_token.tolist()],
    ]
