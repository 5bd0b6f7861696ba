"""How fast something goes, and how long it still takes."""

from __future__ import annotations

from collections import deque

WINDOW_SECONDS = 4.0
KNOWN_SECONDS = 1.5  # before it, a time left would be a guess


class Pace:
    """Rate over the last few seconds of a count that only grows.

    >>> pace = Pace()
    >>> pace.note(0, 0.0); pace.note(500, 1.0); pace.note(1000, 2.0)
    >>> pace.rate, pace.seconds_left(2000)
    (500.0, 2.0)
    """

    def __init__(self) -> None:
        self._points: deque[tuple[float, float]] = deque()

    def note(self, done: float, now: float) -> None:
        """Note that `done` had been reached at the time `now`, in seconds."""
        self._points.append((now, done))
        while len(self._points) > 2 and now - self._points[0][0] > WINDOW_SECONDS:
            self._points.popleft()

    @property
    def rate(self) -> float:
        """How much a second, lately; 0 as long as nobody knows."""
        if len(self._points) < 2:
            return 0.0
        (start, before), (end, after) = self._points[0], self._points[-1]
        return (after - before) / (end - start) if end > start else 0.0

    def seconds_left(self, total: float) -> float | None:
        """How long the rest takes at this rate; None as long as nobody knows."""
        rate = self.rate
        if rate <= 0 or self._points[-1][0] - self._points[0][0] < KNOWN_SECONDS:
            return None
        return max(0.0, total - self._points[-1][1]) / rate
