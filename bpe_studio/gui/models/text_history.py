"""The texts before the one that is shown, where the editor's own undo cannot bring them back."""

from __future__ import annotations

from collections import deque

MOST = 8  # whole texts; some of them are long


class TextHistory:
    """Remembers texts that were replaced as a whole by another one."""

    def __init__(self) -> None:
        self._earlier: deque[str] = deque(maxlen=MOST)
        self._later: deque[str] = deque(maxlen=MOST)

    def replaced(self, before: str) -> None:
        """Another text is shown now, in the place of this one."""
        if before:
            self._earlier.append(before)
        self._later.clear()

    def edited(self) -> None:
        """The text is edited; what was taken back cannot come again."""
        self._later.clear()

    def earlier(self, now: str) -> str | None:
        """Return the text before the one that is shown now; None where there is none."""
        return _step(self._earlier, self._later, now)

    def later(self, now: str) -> str | None:
        """Return the text that was taken back; None where there is none."""
        return _step(self._later, self._earlier, now)


def _step(taken: deque[str], kept: deque[str], now: str) -> str | None:
    if not taken:
        return None
    kept.append(now)
    return taken.pop()
