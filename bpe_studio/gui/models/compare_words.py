"""What Compare says of two tables."""

from __future__ import annotations

from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.compare_rows import CompareRows
from bpe_studio.gui.models.numbers import grouped

MOST_NAMES = 3


def figures(rows: CompareRows) -> str:
    """Return the figures of two tables in one line."""
    found = rows.comparison
    return "  ·  ".join(
        [
            f"{grouped(found.shared)} shared",
            f"{grouped(found.only_a)} only in A",
            f"{grouped(found.only_b)} only in B",
            f"{100 * found.jaccard:.1f} % in common",
            f"{grouped(found.ranks_moved)} ranks moved",
        ]
    )


def remarks(rows: CompareRows, *, most_names: int = MOST_NAMES) -> str:
    """Return in words where two tables part, and what else is not the same."""
    found, parts = rows.comparison, []
    if found.same:
        parts.append("The tables have the same tokens, merges and ids.")
    elif found.first_difference is None:
        parts.append("The merges are the same.")
    else:
        first = found.first_difference
        parts.append(
            f"They part at rank {grouped(first.rank)}: "
            f"A merges {_pair(first.a)}, B {_pair(first.b)}."
        )
    for name, one, other in (
        ("pattern", rows.a.pattern.name, rows.b.pattern.name),
        ("base", rows.a.base, rows.b.base),
        ("engine", rows.a.engine, rows.b.engine),
    ):
        if one != other:
            parts.append(f"The {name} is {one} in A and {other} in B.")
    for side, names in (("A", found.specials_only_a), ("B", found.specials_only_b)):
        if names:
            more = f" and {len(names) - most_names} more" if len(names) > most_names else ""
            parts.append(f"Specials only in {side}: {', '.join(names[:most_names])}{more}.")
    return " ".join(parts)


def _pair(parts: tuple[bytes, bytes] | None) -> str:
    return "nothing more" if parts is None else f"{readable(parts[0])} + {readable(parts[1])}"
