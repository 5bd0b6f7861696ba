"""What a new training without something could be: worked out before a dialog asks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bpe_studio.analysis.health import HealthReport, check_all
from bpe_studio.analysis.polluting import PollutingDocument
from bpe_studio.analysis.retraining import Suggestion, recorded_settings, suggest
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.models.token_details import shorten

if TYPE_CHECKING:
    from bpe_studio.bpe.corpus import Corpus
    from bpe_studio.bpe.tokenizer import Tokenizer

MOST_NAMED = 12
RULES = ("without", "whole_characters", "max_token_bytes", "min_documents")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file or a row that can be left out: its name, what is in it, and more in a tooltip."""

    name: str
    holds: str
    tip: str = ""
    tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrainPlan:
    """What the dialog shows at its beginning.

    Attributes
    ----------
    table, corpus_name : str
        How they are called.
    settings : dict
        Those with which the table was trained, without the rules.
    chosen : dict
        Rules of the table, and names that are chosen at first: its own and those suggested.
    suggestion : Suggestion
    candidates : tuple of Candidate
        Documents in which something was found, and those that are left out already.
    files : dict of label to bytes on disk
        All that could be left out.
    rows : frozenset of label
        The files of which every row is a document.
    on_corpus : bool
        Whether the table was checked on a corpus, so that concentrated tokens are known.
    remarks : tuple of str
        What the user should know: another corpus, a training that went on from a table.
    """

    table: str
    corpus_name: str
    settings: dict[str, Any]
    chosen: dict[str, Any]
    suggestion: Suggestion
    candidates: tuple[Candidate, ...]
    files: dict[str, int]
    rows: frozenset[str] = frozenset()
    on_corpus: bool = True
    remarks: tuple[str, ...] = field(default=())


def retrain_plan(
    tokenizer: Tokenizer,
    report: HealthReport | None,
    corpus: Corpus,
    *,
    table: str,
    corpus_name: str,
) -> RetrainPlan:
    """Work it out, for a thread; without a report, the table alone is checked first."""
    from bpe_studio.bpe.corpus import holds_rows

    report = check_all(tokenizer) if report is None else report
    suggestion = suggest(report, tokenizer)
    settings = recorded_settings(tokenizer)
    before = {name: settings.pop(name) for name in RULES if name in settings}
    files = {file.label: file.size for file in corpus.files}
    rows = frozenset(file.label for file in corpus.files if holds_rows(file))
    found = [_candidate(tokenizer, document) for document in suggestion.documents]
    found = [one for one in found if is_in(one.name, files, rows)]
    known = {one.name for one in found}
    without = [name for name in before.get("without", ()) if is_in(name, files, rows)]
    found += [Candidate(name, "left out before") for name in without if name not in known]
    wanted = [name for name in suggestion.without if is_in(name, files, rows)]
    found.sort(key=lambda one: one.name not in wanted)  # what is proposed comes first
    chosen = dict(before)  # documents are preselected; other rules would change other tokens too
    chosen["without"] = tuple(dict.fromkeys((*without, *wanted)))
    return RetrainPlan(
        table=table,
        corpus_name=corpus_name,
        settings=settings,
        chosen=chosen,
        suggestion=suggestion,
        candidates=tuple(found),
        files=files,
        rows=rows,
        on_corpus=report.use is not None,
        remarks=tuple(filter(None, (_other_corpus(tokenizer, files), _continued(tokenizer)))),
    )


def is_in(name: str, files: dict[str, int], rows: frozenset[str]) -> bool:
    """Whether a corpus has a file of this name, or a file that could have such a row."""
    label, _, row = name.rpartition(":")
    return name in files or (label in rows and row.isdecimal() and int(row) > 0)


def _candidate(tokenizer: Tokenizer, document: PollutingDocument) -> Candidate:
    parts = []
    if document.tokens:
        parts = [counted(len(document.tokens), "token"), counted(document.uses, "use")]
    if document.taken is not None and document.tokens:
        parts.append(f"{_percent(document.taken)} of it")
    spelled = [f"{name} {grouped(count)}×" for name, count in document.specials]
    shown = [shorten(readable(tokenizer.token_bytes(t)), 40) for t in document.tokens[:MOST_NAMED]]
    more = len(document.tokens) - MOST_NAMED
    tip = f"{document.place}\nConcentrated in it: {', '.join(shown)}" if shown else ""
    tip += f" and {grouped(more)} more" if more > 0 else ""
    tip += f"\nIt spells {', '.join(spelled)}" if spelled else ""
    holds = " · ".join([*parts, *spelled])
    return Candidate(document.name, holds, tip.strip(), len(document.tokens))


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.01 else "under 1 %"


def _other_corpus(tokenizer: Tokenizer, files: dict[str, int]) -> str:
    """That the table was trained on something else, where its record says so."""
    record = tokenizer.training
    if record is None:
        return (
            "It has no training record: the new table gets its size, pattern and specials, and "
            "the default of everything else."
        )
    listed = {file["path"]: file["size"] for file in record.corpus.get("files", [])}
    lacking = sum(name not in files for name in listed)
    changed = sum(name in files and files[name] != size for name, size in listed.items())
    left_out = {name.rpartition(":")[0] or name for name in record.without} | set(record.without)
    new = sum(name not in listed and name not in left_out for name in files)
    if not lacking and not changed and not new:
        return ""
    parts = [
        f"{counted(lacking, 'file')} of its training {'is' if lacking == 1 else 'are'} not there"
        if lacking
        else "",
        f"{counted(changed, 'file')} {'has' if changed == 1 else 'have'} another size"
        if changed
        else "",
        f"{counted(new, 'file')} {'is' if new == 1 else 'are'} new" if new else "",
    ]
    return f"The Corpus panel holds another corpus: {_listed([part for part in parts if part])}."


def _continued(tokenizer: Tokenizer) -> str:
    record = tokenizer.training
    if record is None or "continued_from" not in record.settings:
        return ""
    merges = counted(record.settings["continued_from"], "merge")
    return f"It went on from a table of {merges}; the new training learns all of them anew."


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def counted(count: int, what: str) -> str:
    """1, "file" -> 1 file; 2, "file" -> 2 files."""
    return f"{grouped(count)} {what}{'s'[: count != 1]}"
