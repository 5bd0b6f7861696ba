"""What Continue would do with the current table, and why it would not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLocale

from bpe_studio.api import settings_for
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.settings import why_not_continued

if TYPE_CHECKING:
    from bpe_studio.bpe.corpus import Corpus
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.gui.state.open_tables import OpenTable

ARROW = " → "


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What Continue would do.

    Attributes
    ----------
    kind : "session", "table" or ""
        Go on with the training that made the table, where it was stopped; train a new table that
        begins with this one; or nothing.
    sentence : what it would do, or why it would do nothing.
    settings : for "table", the keyword arguments of `api.settings_for`.
    """

    kind: str = ""
    sentence: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)


def offer(table: OpenTable | None, corpus: Corpus | None, asked: Mapping[str, Any]) -> Offer:
    """What Continue would do with a table on a corpus, with the settings asked for."""
    if table is None:
        return Offer(sentence="Continue goes on from a table: open or train one.")
    if why := why_not_continued(table.tokenizer):
        return Offer(sentence=f"{table.name} cannot be continued. {why}")
    if _goes_on(table, corpus, asked):
        size = _number(table.session.settings.vocab_size)
        return Offer(
            kind="session", sentence=f"Continue goes on with {table.name} to {size} tokens."
        )
    if corpus is None or not corpus.files:
        return Offer(sentence=f"To go on from {table.name}, add files to train on.")
    has, wanted = table.tokenizer.vocab_size, asked["vocab_size"]
    if wanted <= has:
        more = f"ask for a vocabulary of more than its {_number(has)} tokens"
        return Offer(sentence=f"To go on from {table.name}, {more}.")
    if _is_exhausted(table, corpus, asked):
        least = f"no pair of this corpus is there {_number(asked['min_freq'])} times"
        if table.session is not None and table.session.stop_reason == "rules":
            least = "its rules allow no other pair of this corpus that is frequent enough"
        return Offer(sentence=f"{table.name} cannot grow: {least}.")
    settings = {"start": table.tokenizer, "vocab_size": wanted, "min_freq": asked["min_freq"]}
    try:
        settings_for(**settings)
    except ValueError as error:
        return Offer(sentence=f"{table.name} cannot be continued: {error}")
    return Offer(kind="table", sentence=_promise(table, wanted), settings=settings)


def followed(start: Tokenizer) -> dict[str, Any]:
    """The settings that a table to continue decides, as the form of settings names them."""
    settings = settings_for(start=start, vocab_size=start.vocab_size)
    name = start.pattern.name
    return {
        "pattern": name if name in PRESETS else start.pattern.expression,
        "base": settings.base,
        "ties": settings.ties,
        "byte_order": settings.byte_order,
        "specials": list(settings.specials),
        "hold_out": settings.hold_out,
        **vars(settings.merge_rules),
    }


def continued_stem(name: str) -> str:
    """What the name of a table begins with that goes on from another one; its size follows.

    >>> continued_stem("mytok"), continued_stem("mytok → 16k")
    ('mytok → ', 'mytok → ')
    """
    return f"{name.split(ARROW)[0]}{ARROW}"


def short_size(size: int) -> str:
    """16000 -> 16k."""
    return f"{size // 1000}k" if size and size % 1000 == 0 else str(size)


def _goes_on(table: OpenTable, corpus: Corpus | None, asked: Mapping[str, Any]) -> bool:
    """Whether a stopped training is to go on: nobody asks for another size, count or corpus."""
    session = table.session
    if session is None or session.done:
        return False
    same = corpus is None or corpus == session.corpus
    return same and all(
        asked.get(name) == getattr(session.settings, name) for name in ("vocab_size", "min_freq")
    )


def _is_exhausted(table: OpenTable, corpus: Corpus, asked: Mapping[str, Any]) -> bool:
    """Whether the training of this table on this corpus ended for want of pairs."""
    session = table.session
    return (
        session is not None
        and session.stop_reason in ("min_freq", "no_pairs", "rules")
        and session.corpus == corpus
        and asked["min_freq"] >= session.settings.min_freq
    )


def _promise(table: OpenTable, wanted: int) -> str:
    pattern, base = table.tokenizer.pattern.name, table.tokenizer.base
    record = table.tokenizer.training
    held = record is not None and record.held_out is not None
    rest = "byte order, tie rule and hold-out" if held else "byte order and tie rule"
    return (
        f"Continue goes on from {table.name} to {_number(wanted)} tokens, as a new table. It keeps "
        f"its ids, pattern ({pattern}), base ({base}), specials, {rest}."
    )


def _number(value: int) -> str:
    return QLocale().toString(value)
