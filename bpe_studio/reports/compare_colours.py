"""The colour of each table in plots, as a class of the page."""

from __future__ import annotations

from typing import Final

__all__ = ["colour_of"]

_COLOURS: Final = ("cool", "warm", "green", "violet")


def colour_of(table: int) -> str:
    """The first four have their own."""
    return _COLOURS[table] if table < len(_COLOURS) else "grey"
