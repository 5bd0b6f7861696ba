"""What can be wrong with a token: the kinds of flags, what they mean, what to do about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from bpe_studio.analysis.thresholds import Thresholds

__all__ = ["KINDS", "SEVERITIES", "Flag", "Kind", "Severity", "Thresholds", "flag"]

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
    other_engine : str
        What an engine of the other kind does with the token, a sentence that the evidence has too;
        empty where it does the same or where that was not asked.
    """

    id: int
    kind: str
    severity: Severity
    evidence: str
    witness: str | None = None
    other_engine: str = ""


class Kind(NamedTuple):
    """A kind of flag in words.

    Attributes
    ----------
    title : str
    meaning : str
        One sentence: what it means for a model.
    advice : str
        One sentence: what people do about it.
    """

    title: str
    meaning: str
    advice: str


KINDS: Final[dict[str, Kind]] = {
    "unreachable": Kind(
        "Unreachable",
        "No text produces this token, so a model never learns what it means.",
        "Mend the merges or the pattern that the file declares, or keep its id out of what "
        "a model may generate.",
    ),
    "duplicate": Kind(
        "Duplicate",
        "Two ids have the same bytes; only one of them is ever used.",
        "Mend the file that made it; the id that is never used can stay as a reserved row.",
    ),
    "never-valid": Kind(
        "Never valid UTF-8",
        "It holds bytes that no UTF-8 text has, so a model never sees it.",
        "Keep its id out of what a model may generate; as a row that is surely untrained it can "
        "serve as a reference.",
    ),
    "concentrated": Kind(
        "Concentrated",
        "Nearly all of its uses are in one document, so a model learns that document instead of "
        "a word; this is how glitch tokens came to be.",
        "Leave the document out, or its repetitions, and train again; or ask for merges that "
        "several documents have.",
    ),
    "under-trained": Kind(
        "Under-trained",
        "Its row of the embedding matrix looks like one that training never moved, so a prompt "
        "with this token can make the model behave oddly.",
        "Try it in a prompt before you believe it; then keep it out of inputs, train its row "
        "further, or leave out of the next tokenizer's corpus what made it.",
    ),
    "special-look-alike": Kind(
        "Special look-alike",
        "A learned token spells a special, so that ordinary data can look like a control token.",
        "Clean such text from the corpus before training, and encode data with specials not "
        "allowed.",
    ),
    "not-alone": Kind(
        "Not alone",
        "Its own text does not encode to it; it appears only between certain neighbours.",
        "Expect it in generated text only where the neighbours fit; encode what was decoded "
        "again before you compare ids.",
    ),
    "always-merged": Kind(
        "Always merged on",
        "Wherever merges make it, they go on to a longer token, so a model never sees it.",
        "Usually nothing: it is a step to longer tokens; keep its id out of what a model may "
        "generate.",
    ),
    "absent": Kind(
        "Absent",
        "It did not come up in this corpus at all, so a model would not learn it here.",
        "Check whether the tokenizer was trained on other data than this; if so, train it on a "
        "sample of what the model will read.",
    ),
    "never-emitted": Kind(
        "Never emitted",
        "Merges make it on the way to longer tokens and always go on; it is never the result.",
        "Usually nothing: longer tokens need it; a smaller vocabulary has fewer of them.",
    ),
    "rare": Kind(
        "Rare",
        "It is used so seldom that a model learns little about it.",
        "Take a smaller vocabulary, a higher least frequency or more data; trimming rare "
        "subwords is reported not to help by itself.",
    ),
    "scaffold": Kind(
        "Scaffold",
        "It nearly always becomes a part of a longer token, so little training reaches it.",
        "Usually nothing: trimming such tokens is reported not to help by itself; a smaller "
        "vocabulary has fewer.",
    ),
    "intermediate": Kind(
        "Intermediate",
        "In training one merge took nearly all of it into a longer token, so it was a step on "
        "the way.",
        "Usually nothing; if the share of such tokens is large, a smaller vocabulary or merges "
        "that end at whole characters leave fewer.",
    ),
    "partial-utf8": Kind(
        "Half a character",
        "It begins or ends inside a character, so it means nothing without its neighbours.",
        "Train with merges of whole characters only, or with characters as base symbols; "
        "a decoder that streams must wait for the rest.",
    ),
    "invisible": Kind(
        "Invisible or control",
        "It holds characters that cannot be seen, or begins with a mark that joins what is before.",
        "Look at the text that made it; clean or normalise the corpus where it is an accident.",
    ),
    "over-long": Kind(
        "Over-long",
        "It is longer than words are; such tokens often come from text repeated in the corpus.",
        "Remove repeated text, or train with a cap on the length of tokens.",
    ),
    "run": Kind(
        "Run",
        "It repeats one character; common in code and tables, rarely of use elsewhere.",
        "Fine for indentation and rules of code; else remove such lines, or cap the length of "
        "tokens.",
    ),
    "duplicate-nfc": Kind(
        "Equal after NFC",
        "Another token is the same text once both are composed; a model sees two words for one.",
        "Normalise the corpus to NFC before training, and texts before encoding.",
    ),
    "cut-by-pattern": Kind(
        "Cut by the pattern",
        "The pattern cuts the token's own text, so it comes only in some context, or never.",
        "Check that the file declares the pattern that its merges were learned with.",
    ),
    "whole-piece-only": Kind(
        "Whole piece only",
        "Merges alone do not make it; this engine takes it when it is a whole piece.",
        "Nothing here; in a program that only merges the token is lost, so say which engine "
        "the table needs.",
    ),
    "unused-base": Kind(
        "Unused base symbol",
        "A single byte or character that this corpus does not need; it is there so that every "
        "text can be encoded.",
        "Nothing: keep it, or some text could not be encoded.",
    ),
}
"""Kind to its words, the most serious first."""

SEVERITIES: Final[dict[str, Severity]] = {
    "unreachable": "error",
    "duplicate": "error",
    "never-valid": "error",
    "concentrated": "warning",
    "under-trained": "warning",
    "special-look-alike": "warning",
    "not-alone": "warning",
    "always-merged": "warning",
    "absent": "warning",
    "never-emitted": "warning",
    "rare": "warning",
}


def flag(
    token: int, kind: str, evidence: str, witness: str | None = None, *, other_engine: str = ""
) -> Flag:
    """A flag with the severity of its kind."""
    return Flag(token, kind, SEVERITIES.get(kind, "info"), evidence, witness, other_engine)
