"""The keys that walk along a curve over vocabulary sizes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

STEP = 0.01  # of the curve; with Shift one point


def chosen_by(event: QKeyEvent) -> bool:
    """Whether it is Enter."""
    return event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def next_point(event: QKeyEvent, point: int, count: int) -> int | None:
    """The point of `count` that a key goes to from another; None for any other key."""
    exact = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
    stride = 1 if exact else max(1, int(count * STEP))
    last = count - 1
    at = last if point < 0 else point
    places = {
        Qt.Key.Key_Left: max(0, at - stride),
        Qt.Key.Key_Right: min(last, at + stride),
        Qt.Key.Key_Home: 0,
        Qt.Key.Key_End: last,
    }
    return places.get(event.key()) if count else None
