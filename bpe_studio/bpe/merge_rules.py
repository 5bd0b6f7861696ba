"""Which pairs a training may merge at all, however frequent they are."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

__all__ = ["LARGEST", "NO_RULES", "MergeRules"]

LARGEST: Final = (1 << 31) - 1


@dataclass(frozen=True)
class MergeRules:
    """Rules that a merge must keep; by default there are none.

    Attributes
    ----------
    whole_characters : bool
        The result is whole characters, or lies inside one character, from its first byte on: so
        a character is built from its bytes before it is joined with a neighbour.
    max_token_bytes : int or None
        The result is no longer.
    min_documents : int
        So many documents, or more, have the pair at the moment when it would be merged.
    """

    whole_characters: bool = False
    max_token_bytes: int | None = None
    min_documents: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.whole_characters, bool):
            raise ValueError(f"whole_characters is True or False, not {self.whole_characters!r}.")
        longest, documents = self.max_token_bytes, self.min_documents
        if longest is not None:
            _check_number("max_token_bytes", longest, 2)
        _check_number("min_documents", documents, 1)

    def as_written(self) -> dict[str, Any]:
        """Those that are set, as the native file records them."""
        return {
            rule.name: getattr(self, rule.name)
            for rule in fields(self)
            if getattr(self, rule.name) != rule.default
        }


def _check_number(name: str, value: object, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{name} is a whole number, not {value!r}.")
    if not least <= value <= LARGEST:
        raise ValueError(f"{name} is {least} to {LARGEST:,}, not {value:,}.")


NO_RULES: Final = MergeRules()
