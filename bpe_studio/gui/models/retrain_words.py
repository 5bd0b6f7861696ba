"""What a training without something did, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bpe_studio.analysis.flags import KINDS
from bpe_studio.analysis.health import HealthReport
from bpe_studio.analysis.health_change import compare_health
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.models.retrain_plan import counted

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

MET = {
    "without": "concentrated",
    "whole_characters": "partial-utf8",
    "max_token_bytes": "over-long",
    "min_documents": "concentrated",
}
"""A setting, and the kind of flag that it is there to take away."""


def without_words(settings: Mapping[str, Any]) -> str:
    """What a table was trained without, and by which rules; several rules are only counted.

    >>> without_words({"without": ("a.txt",), "max_token_bytes": 32})
    'without 1 document, with no token of over 32 bytes'
    """
    names, fewest = settings.get("without") or (), settings.get("min_documents", 1)
    longest = settings.get("max_token_bytes")
    rules = [
        "with whole characters only" if settings.get("whole_characters") else "",
        f"with no token of over {grouped(longest)} bytes" if longest else "",
        f"with pairs of at least {grouped(fewest)} documents" if fewest > 1 else "",
    ]
    rules = [rule for rule in rules if rule]
    if len(rules) > 1:
        rules = [f"by {counted(len(rules), 'rule')}"]
    return ", ".join([*([f"without {counted(len(names), 'document')}"] if names else []), *rules])


def outcome(
    settings: Mapping[str, Any],
    before: HealthReport,
    after: HealthReport,
    tokenizers: tuple[Tokenizer, Tokenizer],
) -> str:
    """What became of the flags that it was about, in two sentences."""
    usual = {"without": (), "whole_characters": False, "max_token_bytes": None, "min_documents": 1}
    set_here = (name for name in MET if settings.get(name, usual[name]) != usual[name])
    kinds = dict.fromkeys(MET[name] for name in set_here)
    told = [
        _became(kind, before, after, tokenizers)
        for kind in kinds
        if kind in before.counts and kind in after.counts
    ]
    # What is left out is checked as well, or the two could not be compared.
    where = "On the whole corpus, " if settings.get("without") else ""
    words = f"{where}{'; '.join(told)}."
    end = f" {words[0].upper()}{words[1:]}" if told else ""
    return f"Trained {without_words(settings)}.{end}"


def _became(
    kind: str, before: HealthReport, after: HealthReport, tokenizers: tuple[Tokenizer, Tokenizer]
) -> str:
    """How many flags of a kind there were and are, and what went and came, as the Change page."""
    change = compare_health(before, after, tokenizers).of(kind)
    gone, come = (len(change.gone), len(change.come)) if change is not None else (0, 0)
    moved = f" ({grouped(gone)} gone, {grouped(come)} come)" if gone or come else ""
    counts = f"{grouped(before.counts[kind])} before, {grouped(after.counts[kind])} after{moved}"
    title = KINDS[kind].title
    return f"{title[0].lower()}{title[1:]}: {counts}"
