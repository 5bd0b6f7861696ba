"""What can be wrong with a token: the kinds of flags, what they mean, and where the limits lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Flag:
    """One thing that is worth knowing about one token.

    Attributes
    ----------
    id : int
    kind : str
        A key of `KINDS`.
    severity : "error", "warning" or "info"
    evidence : str
        One sentence that shows it.
    witness : str or None
        A text that shows it, where there is one.
    """

    id: int
    kind: str
    severity: Severity
    evidence: str
    witness: str | None = None


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where a token begins to count as rare, as scaffold or as long."""

    rare_uses: int = 5
    rare_per_million: float = 0.1
    scaffold_ratio: float = 0.02
    long_bytes: int = 32
    run_length: int = 4


KINDS: Final[dict[str, tuple[str, str]]] = {
    "unreachable": (
        "Unreachable",
        "No text produces this token, so a model never learns what it means.",
    ),
    "duplicate": (
        "Duplicate",
        "Two ids have the same bytes; only one of them is ever used.",
    ),
    "not-alone": (
        "Not alone",
        "Its own text does not encode to it; it appears only between certain neighbours.",
    ),
    "always-merged": (
        "Always merged on",
        "Wherever merges make it, they go on to a longer token, so a model never sees it.",
    ),
    "special-look-alike": (
        "Special look-alike",
        "A learned token spells a special, so that ordinary data can look like a control token.",
    ),
    "never-valid": (
        "Never valid UTF-8",
        "It holds bytes that no UTF-8 text has.",
    ),
    "absent": (
        "Absent",
        "It did not come up in this corpus at all, so a model would not learn it here.",
    ),
    "never-emitted": (
        "Never emitted",
        "Merges make it on the way to longer tokens and always go on; it is never the result.",
    ),
    "rare": (
        "Rare",
        "It is used so seldom that a model learns little about it.",
    ),
    "scaffold": (
        "Scaffold",
        "It nearly always becomes a part of a longer token. Information: leaving such tokens out "
        "is reported not to help by itself.",
    ),
    "partial-utf8": (
        "Half a character",
        "It begins or ends inside a character, so it means nothing without its neighbours.",
    ),
    "invisible": (
        "Invisible or control",
        "It holds characters that cannot be seen, or begins with a mark that joins what is before.",
    ),
    "over-long": (
        "Over-long",
        "It is longer than words are; such tokens often come from text repeated in the corpus.",
    ),
    "run": (
        "Run",
        "It repeats one character; common in code and tables, rarely of use elsewhere.",
    ),
    "duplicate-nfc": (
        "Equal after NFC",
        "Another token is the same text once both are composed; a model sees two words for one.",
    ),
    "whole-piece-only": (
        "Whole piece only",
        "Merges alone do not make it; this engine takes it when it is a whole piece.",
    ),
    "unused-base": (
        "Unused base symbol",
        "A single byte or character that this corpus does not need; it is there so that every "
        "text can be encoded.",
    ),
}
"""Kind to title and meaning, the most serious first."""

SEVERITIES: Final[dict[str, Severity]] = {
    "unreachable": "error",
    "duplicate": "error",
    "not-alone": "warning",
    "always-merged": "warning",
    "special-look-alike": "warning",
    "never-valid": "error",
    "absent": "warning",
    "never-emitted": "warning",
    "rare": "warning",
}


def flag(token: int, kind: str, evidence: str, witness: str | None = None) -> Flag:
    """A flag with the severity of its kind."""
    return Flag(token, kind, SEVERITIES.get(kind, "info"), evidence, witness)
