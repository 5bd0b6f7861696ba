"""Everything that decides a training besides the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, cast, get_args

import numpy as np

from bpe_studio.bpe.built_tokens import MAX_ID
from bpe_studio.bpe.merge_rules import MergeRules
from bpe_studio.bpe.patterns import OTHERS, resolve_pattern
from bpe_studio.bpe.table import Base, MergeTable, gpt2_byte_order
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.trainer import Ties

ByteOrder = Literal["value", "gpt2"]

DEFAULT_SPECIALS: Final = (
    "<pad>",
    "<bos>",
    "<eos>",
    "<tool_call>",
    "</tool_call>",
    "<tool_result>",
)


@dataclass(frozen=True)
class Settings:
    """Everything that decides a training besides the corpus.

    Attributes
    ----------
    vocab_size : int
        Distinct ids wanted, specials and bytes included.
    min_freq : int
        Training ends where no pair is as frequent.
    pattern : str
        The name of a preset, or an expression.
    base : "bytes" or "chars"
    ties : "first-seen" or "smallest-ids"
    byte_order : "value" or "gpt2"
        The order in which the 256 bytes take their ids.
    specials : tuple of str
        They take the ids 0, 1, ….
    start : Tokenizer or None
        The table to continue.
    hold_out : float
        The share of the documents, from 0 to less than 1, that is left out of training, to see how
        the table does on what it has not seen; `bpe.hold_out` chooses them.
    whole_characters, max_token_bytes, min_documents
        Rules for merges, see `bpe.merge_rules.MergeRules`.
    without : tuple of str
        Files that are not read, by their label in the corpus, and rows of other files
        (`a.jsonl:7`, from 1).

    Raises
    ------
    ValueError
        In one sentence: a value out of range, or one that contradicts `start`.
    """

    vocab_size: int = 8000
    min_freq: int = 2
    pattern: str = "classic"
    base: Base = "bytes"
    ties: Ties = "first-seen"
    byte_order: ByteOrder = "value"
    specials: tuple[str, ...] = DEFAULT_SPECIALS
    start: Tokenizer | None = None
    hold_out: float = 0.0
    whole_characters: bool = False
    max_token_bytes: int | None = None
    min_documents: int = 1
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_choice("base", self.base, get_args(Base))
        _check_choice("ties", self.ties, get_args(Ties))
        _check_choice("byte_order", self.byte_order, get_args(ByteOrder))
        for name in ("vocab_size", "min_freq"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool):
                raise ValueError(f"{name} is a whole number, not {value!r}.")
        if self.vocab_size > MAX_ID + 1:
            raise ValueError(f"vocab_size is at most {MAX_ID + 1:,}, not {self.vocab_size:,}.")
        if self.min_freq < 1:
            raise ValueError(f"min_freq is at least 1, not {self.min_freq}.")
        _check_share(self.hold_out)
        _ = self.merge_rules  # which are checked
        _check_without(self.without)
        resolve_pattern(self.pattern)
        _check_specials(self.specials)
        if self.start is not None:
            _check_start(self)
        smallest = smallest_vocab_size(self.specials, self.start)
        if self.vocab_size < smallest:
            parts = (
                f"the table to continue has {smallest:,} tokens"
                if self.start
                else f"256 bytes and {len(self.specials)} specials"
            )
            raise ValueError(
                f"vocab_size {self.vocab_size:,} is too small: {parts}, "
                f"so the smallest is {smallest:,}."
            )

    @property
    def merge_rules(self) -> MergeRules:
        return MergeRules(self.whole_characters, self.max_token_bytes, self.min_documents)

    def as_written(self) -> dict[str, Any]:
        """The settings as the native file records them."""
        written: dict[str, Any] = {
            "vocab_size": self.vocab_size,
            "min_freq": self.min_freq,
            "pattern": resolve_pattern(self.pattern).name,
            "base": self.base,
            "ties": self.ties,
            "byte_order": self.byte_order,
            "specials": list(self.specials),
        }
        if self.hold_out:
            written["hold_out"] = float(self.hold_out)
        written |= self.merge_rules.as_written()
        if self.without:
            written["without"] = sorted(set(self.without))
        if self.start is not None:
            written["continued_from"] = len(self.start.table.merges)
        return written


def settings_for(start: Tokenizer | None = None, **given: Any) -> Settings:
    """Settings where what is None or absent follows the table to continue, or the defaults.

    What is not to be read is added to what the table was trained without: its record is to say
    what was never read. Only an empty sequence takes that back.
    """
    values = {name: value for name, value in given.items() if value is not None}
    if start is not None:
        values = {**_settings_of(start), **values, "start": start}
    for name in ("specials", "without"):
        if name in values:
            names = values[name]
            values[name] = (names,) if isinstance(names, str) else tuple(names)
    if start is not None and start.training is not None and values.get("without"):
        values["without"] = tuple(dict.fromkeys((*start.training.without, *values["without"])))
    return Settings(**values)


def smallest_vocab_size(
    specials: Sequence[str] = DEFAULT_SPECIALS, start: Tokenizer | None = None
) -> int:
    """The smallest vocabulary: specials and bytes (a chars base adds the corpus's characters)."""
    return len(specials) + 256 if start is None else start.vocab_size


def why_not_continued(tokenizer: Tokenizer) -> str:
    """Why no training can go on from a tokenizer, a sentence; empty where it can."""
    if tokenizer.view_only:
        return tokenizer.view_only
    if tokenizer.outside is not None:
        return f"{tokenizer.outside.kind} has no merges to go on from."
    if tokenizer.edits_text:
        return "It edits a text before it merges, and training does not."
    if tokenizer.pattern.name in OTHERS:
        return "It cuts a text in a way that training does not know."
    if (tokenizer.table.byte_ids < 0).any():
        return "It lacks some of the 256 bytes."
    return ""


def _settings_of(start: Tokenizer) -> dict[str, Any]:
    """What a table to continue settles."""
    recorded = start.training.settings if start.training else {}
    values: dict[str, Any] = {
        "pattern": start.pattern.expression,
        "base": start.base,
        "specials": start.specials,
        "byte_order": _byte_order_of(start.table),
        "ties": recorded.get("ties"),
        "hold_out": recorded.get("hold_out"),
        "without": recorded.get("without"),
        **(_rules_of(start) or {}),
        "vocab_size": max(8000, start.vocab_size),
    }
    return {name: value for name, value in values.items() if value is not None}


def _rules_of(start: Tokenizer) -> dict[str, Any] | None:
    """The rules by which a table was trained; None where nobody knows."""
    if start.training is None:
        return None
    names = [rule.name for rule in fields(MergeRules)]
    recorded = start.training.settings
    return vars(MergeRules(**{name: recorded[name] for name in names if name in recorded}))


def _byte_order_of(table: MergeTable) -> ByteOrder | None:
    """The order of the byte ids; None where it is neither of the two."""
    by_id = np.argsort(table.byte_ids, kind="stable").tolist()
    if by_id == list(range(256)):
        return "value"
    return "gpt2" if by_id == list(gpt2_byte_order()) else None


def _check_start(settings: Settings) -> None:
    assert settings.start is not None
    if reason := why_not_continued(settings.start):
        raise ValueError(f"The table cannot be continued: {reason}")
    asked = {
        "pattern": resolve_pattern(settings.pattern).expression,
        "base": settings.base,
        "specials": settings.specials,
        "byte_order": settings.byte_order,
        "ties": settings.ties,
    }
    rules = _rules_of(settings.start) or {}
    asked |= vars(settings.merge_rules)
    for name, value in {**_settings_of(settings.start), **rules}.items():
        if name in asked and asked[name] != value:
            shown = {"pattern": (settings.pattern, settings.start.pattern.name)}
            mine, its = shown.get(name, (asked[name], value))
            raise ValueError(
                f"{name} {mine!r} contradicts the table to continue, which has {its!r}."
            )


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} is {' or '.join(map(repr, choices))}, not {value!r}.")


def _check_share(share: object) -> None:
    number = isinstance(share, int | float) and not isinstance(share, bool)
    if not number or not 0 <= cast(float, share) < 1:
        raise ValueError(
            f"hold_out is a share of the documents, from 0 to less than 1 (0.02 is 2 %), "
            f"not {share!r}."
        )


def _check_without(names: tuple[str, ...]) -> None:
    for name in names:
        if not isinstance(name, str) or not name or not _is_unicode(name):
            raise ValueError(
                f"without names files of the corpus, such as 'a.txt' or 'a.jsonl:7', not {name!r}."
            )


def _is_unicode(name: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in name)


def _check_specials(specials: tuple[str, ...]) -> None:
    for name in specials:
        if not isinstance(name, str) or not name:
            raise ValueError(f"A special is a text of at least one character, not {name!r}.")
    twice = next((name for name in specials if specials.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"The special {twice!r} is named twice.")
