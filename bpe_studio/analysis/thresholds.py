"""Where a token begins to count as rare, as scaffold, as concentrated or as long."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final, NamedTuple

__all__ = ["LIMITS", "Limit", "Thresholds"]


class Limit(NamedTuple):
    """What a threshold means, and the values that make sense for it."""

    title: str
    lowest: float
    highest: float
    whole: bool


_MANY: Final = 10**9
LIMITS: Final[dict[str, Limit]] = {
    "rare_uses": Limit("Rare: fewer uses than", 0, _MANY, True),
    "rare_per_million": Limit("Rare: fewer uses in a million tokens than", 0, 1e6, False),
    "scaffold_ratio": Limit("Scaffold: uses of the times made, at most", 0, 1, False),
    "concentrated_share": Limit("Concentrated: share of one document, at least", 0, 1, False),
    "concentrated_uses": Limit("Concentrated: uses, at least", 1, _MANY, True),
    "only_document_uses": Limit(
        "Concentrated in the only document: uses, at least", 1, _MANY, True
    ),
    "intermediate_share": Limit("Intermediate: share that one merge takes, above", 0, 1, False),
    "long_bytes": Limit("Over-long: more bytes than", 1, _MANY, True),
    "run_length": Limit("Run: times one character, at least", 2, _MANY, True),
}
"""Name of a threshold to its meaning and range, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Limits of the kinds of flags; the defaults are those of the literature where it has any.

    A token is rare with fewer than `rare_uses` uses, or fewer than `rare_per_million` in a million
    tokens of the corpus; concentrated when one document holds `concentrated_share` of at least
    `concentrated_uses` uses, or when it is the only one and has `only_document_uses`.

    Raises
    ------
    ValueError
        For a value out of its range.
    """

    rare_uses: int = 5
    rare_per_million: float = 0.1
    scaffold_ratio: float = 0.02
    concentrated_share: float = 0.9
    concentrated_uses: int = 20
    only_document_uses: int = 5
    intermediate_share: float = 0.9
    long_bytes: int = 32
    run_length: int = 4

    def __post_init__(self) -> None:
        for name, value in self.as_dict().items():
            _validate(name, value)

    def as_dict(self) -> dict[str, int | float]:
        """Every threshold by its name."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> Thresholds:
        """Those that are given, and the defaults for the rest.

        Raises
        ------
        ValueError
            For a name that is none, or a value out of its range.
        """
        for name, value in values.items():
            if name not in LIMITS:
                raise ValueError(f"There is no threshold “{name}”; there are {', '.join(LIMITS)}.")
            _validate(name, value)
        return cls(**values)  # type: ignore[arg-type]  # validated above


def _validate(name: str, value: object) -> None:
    limit = LIMITS[name]
    kinds = int if limit.whole else int | float
    sound = isinstance(value, kinds) and not isinstance(value, bool)
    if not sound or not limit.lowest <= value <= limit.highest:  # type: ignore[operator]
        what = "a whole number" if limit.whole else "a number"
        to = f"from {limit.lowest:,.15g} to {limit.highest:,.15g}"
        raise ValueError(f"The threshold “{name}” is {_shown(value)}; it must be {what} {to}.")


def _shown(value: object) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "not finite"
    return repr(value)
