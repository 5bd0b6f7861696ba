"""What a new training could leave out or forbid, so that what a health check found is gone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from bpe_studio.analysis.corpus_use import CorpusUse
from bpe_studio.analysis.health import HealthReport
from bpe_studio.analysis.polluting import PollutingDocument, polluting_documents
from bpe_studio.analysis.utf8 import classify, unfinished
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.visible_names import visible_name

__all__ = ["Suggestion", "crosses_characters", "recorded_settings", "stricter", "suggest"]

TAKEN: Final = 0.1
"""From this share of a document on, concentrated tokens are what it is about."""

LEFT_OUT: Final = 0.1
"""No more of a corpus than this share is suggested to be left out."""

FEWEST_DOCUMENTS: Final = 10
"""In a corpus of fewer documents, a token that is in one only says little."""

_SEVERAL: Final = 2


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """Settings that a new training could have, and why.

    Attributes
    ----------
    without : tuple of str
        Files and rows to leave out, as `Settings.without` takes them.
    whole_characters, max_token_bytes, min_documents
        As in `Settings`.
    sentences : tuple of str
        Why, a sentence for each setting that is not as usual.
    documents : tuple of PollutingDocument
        All that one could leave out; `without` names some of them.
    already : tuple of str
        Those of the checked files and rows in which tokens are concentrated, and that the training
        left out already.
    crossing, longer, lonely : int
        Tokens that hold parts of several characters or begin inside one, that are over-long, and
        concentrated ones that one document only has.
    """

    without: tuple[str, ...] = ()
    whole_characters: bool = False
    max_token_bytes: int | None = None
    min_documents: int = 1
    sentences: tuple[str, ...] = ()
    documents: tuple[PollutingDocument, ...] = field(default=(), repr=False)
    crossing: int = 0
    longer: int = 0
    lonely: int = 0
    already: tuple[str, ...] = ()

    @property
    def rules(self) -> dict[str, Any]:
        """The settings that are not as usual, by name."""
        usual = Suggestion()
        names = ("without", "whole_characters", "max_token_bytes", "min_documents")
        return {
            name: getattr(self, name)
            for name in names
            if getattr(self, name) != getattr(usual, name)
        }


def suggest(report: HealthReport, tokenizer: Tokenizer) -> Suggestion:
    """What would take away the concentrated tokens, the halves across characters, the over-long.

    Files are named only where the table was trained on them. Documents are suggested as long as
    concentrated tokens are a good part of them and all of them together are a small part of the
    corpus; what is concentrated elsewhere is met by asking for pairs of several documents. What the
    table was trained without, and the rules by which it was, are not suggested again.
    """
    everything = polluting_documents(report, tokenizer)
    before = set() if tokenizer.training is None else {*tokenizer.training.without}
    known = [one for one in everything if one.name in before or one.place.file in before]
    documents = tuple(one for one in everything if one not in known)
    already = [one for one in known if one.tokens]
    had = {} if tokenizer.training is None else tokenizer.training.settings
    left_out = _to_leave_out(documents, report, tokenizer)
    names = {document.name for document in left_out}
    spread = [document for document in documents if document.name not in names]
    halves = (tokenizer.token_bytes(flag.id) for flag in report.of_kind("partial-utf8"))
    crossing = sum(map(crosses_characters, halves))
    longer = len(report.of_kind("over-long"))
    longest = max(2, report.thresholds.long_bytes)
    few = not isinstance(report.use, CorpusUse) or report.use.document_count < FEWEST_DOCUMENTS
    alone = 0 if few else _lonely(report, spread)
    whole = crossing > 0 and not had.get("whole_characters")
    short = longer > 0 and not 0 < (had.get("max_token_bytes") or 0) <= longest
    several = alone > 0 and had.get("min_documents", 1) < _SEVERAL
    sentences = (
        _why_without(left_out),
        _why_whole(crossing if whole else 0),
        _why_short(longer if short else 0, longest),
        _why_several(alone if several else 0),
        _why_not_again(already),
    )
    return Suggestion(
        without=tuple(document.name for document in left_out),
        whole_characters=whole,
        max_token_bytes=longest if short else None,
        min_documents=_SEVERAL if several else 1,
        sentences=tuple(filter(None, sentences)),
        documents=everything,
        already=tuple(one.name for one in already),
        crossing=crossing,
        longer=longer,
        lonely=_lonely(report, documents),
    )


def crosses_characters(data: bytes) -> bool:
    """Whether merges of whole characters could not make a token.

    >>> [crosses_characters(data) for data in (b"a", b"\\xe2\\x82", b" \\xe2\\x82", b"\\x82\\xac")]
    [False, False, True, True]
    """
    return classify(data) != "valid" and unfinished(data) != data


def recorded_settings(tokenizer: Tokenizer) -> dict[str, Any]:
    """The settings with which a table was trained, as `settings_for` takes them.

    Of a table without a record, those that it shows. The size is the one that it has, so that a
    training that was stopped is repeated as far as it went.
    """
    recorded = tokenizer.training.settings if tokenizer.training is not None else {}
    names = (
        "min_freq", "ties", "byte_order", "hold_out", "whole_characters", "max_token_bytes",
        "min_documents", "without",
    )  # fmt: skip
    pattern = tokenizer.pattern
    known = pattern.name in PRESETS and PRESETS[pattern.name].expression == pattern.expression
    return {
        **{name: recorded[name] for name in names if name in recorded},
        "vocab_size": tokenizer.vocab_size,
        "pattern": pattern.name if known else pattern.expression,
        "base": tokenizer.base,
        "specials": tuple(tokenizer.specials),
    }


def stricter(before: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """The rules of two trainings together: what either leaves out or forbids.

    >>> stricter({"min_documents": 3, "without": ("a",)}, {"min_documents": 2, "without": ("b",)})
    {'min_documents': 3, 'without': ('a', 'b')}
    """
    rules = {**before, **more}
    for name, choose in (("min_documents", max), ("max_token_bytes", min)):
        given = [one[name] for one in (before, more) if one.get(name) is not None]
        if given:
            rules[name] = choose(given)
    names = (*before.get("without", ()), *more.get("without", ()))
    if names:
        rules["without"] = tuple(dict.fromkeys(names))
    return rules


def _to_leave_out(
    documents: Iterable[PollutingDocument], report: HealthReport, tokenizer: Tokenizer
) -> list[PollutingDocument]:
    record, use = tokenizer.training, report.use
    if record is None or not isinstance(use, CorpusUse):
        return []
    trained_on = {file["path"] for file in record.corpus.get("files", [])}
    found: list[PollutingDocument] = []
    share = 0.0
    for document in documents:
        if not document.tokens or document.taken is None or document.share is None:
            continue
        fits = share + document.share <= LEFT_OUT and document.taken >= TAKEN
        if fits and document.place.file in trained_on:
            found.append(document)
            share += document.share
    return found


def _lonely(report: HealthReport, documents: Iterable[PollutingDocument]) -> int:
    """How many concentrated tokens of documents are in one document only."""
    use = report.use
    if not isinstance(use, CorpusUse):
        return 0
    rows = (use.index(token) for document in documents for token in document.tokens)
    return sum(row is not None and int(use.documents[row]) == 1 for row in rows)


def _why_without(documents: list[PollutingDocument]) -> str:
    if not documents:
        return ""
    uses = sum(document.uses for document in documents)
    tokens = sum(len(document.tokens) for document in documents)
    what = _counted(len(documents), "document")
    has = f"{_counted(tokens, 'concentrated token')} {'has' if tokens == 1 else 'have'}"
    return f"Leave out {what}: {has} most of {_its(tokens)} uses there, {uses:,} in all."


def _why_whole(crossing: int) -> str:
    if not crossing:
        return ""
    verb = "holds" if crossing == 1 else "hold"
    tokens = _counted(crossing, "token")
    return f"Only whole characters: {tokens} {verb} half a character beside others."


def _why_short(longer: int, longest: int) -> str:
    if not longer:
        return ""
    verb = "is" if longer == 1 else "are"
    return f"No token of over {longest} bytes: {_counted(longer, 'token')} {verb} longer."


def _why_several(alone: int) -> str:
    if not alone:
        return ""
    verb = "is" if alone == 1 else "are"
    tokens = _counted(alone, "other concentrated token")
    return f"Only pairs of at least {_SEVERAL} documents: {tokens} {verb} in one document only."


def _why_not_again(already: list[PollutingDocument]) -> str:
    """The check reads all files, so that two tables can be compared; the training did not."""
    if not already:
        return ""
    tokens = sum(len(document.tokens) for document in already)
    has = f"{_counted(tokens, 'concentrated token')} {'has' if tokens == 1 else 'have'}"
    first = visible_name(already[0].name)
    what = f"{first} is" if len(already) == 1 else f"{first} and {len(already) - 1:,} more are"
    return f"{what} left out already: {has} most of {_its(tokens)} uses there, which it never saw."


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'s'[: count != 1]}"


def _its(count: int) -> str:
    return "its" if count == 1 else "their"
