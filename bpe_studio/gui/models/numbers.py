"""Numbers as tables write them."""

from __future__ import annotations

from PySide6.QtCore import QLocale


def grouped(value: int) -> str:
    """12345 -> 12,345, with the group separator of the locale."""
    return QLocale().toString(int(value))


def grouped_or_none(value: int) -> str:
    """As `grouped`; a negative value stands for none and becomes a dash."""
    return grouped(value) if value >= 0 else "–"
