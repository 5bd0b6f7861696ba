"""Every token of a table, and what is wrong with it: flags with evidence."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Final

from bpe_studio.analysis.corpus_use import CorpusUse
from bpe_studio.analysis.flags import KINDS, SEVERITIES, Flag, Severity, Thresholds
from bpe_studio.analysis.integrity import Integrity, iter_integrity
from bpe_studio.analysis.looks import LookChecks, Partial
from bpe_studio.analysis.reach_checks import OF_REACH, ReachChecks, unreached
from bpe_studio.analysis.training_scaffold import intermediate_flags
from bpe_studio.analysis.undertrained import UnderTrained, severity_of, undertrained_flags
from bpe_studio.analysis.usage_checks import tells_documents, usage_flags
from bpe_studio.bpe.generators import retold
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = [
    "AS_FOUND",
    "KINDS",
    "OF_CORPUS",
    "OF_DOCUMENTS",
    "OF_EMBEDDINGS",
    "OF_TRAINING",
    "Flag",
    "HealthProgress",
    "HealthReport",
    "Thresholds",
    "check",
    "check_all",
]

_SLICE_SECONDS: Final = 0.01
OF_CORPUS: Final = ("concentrated", "absent", "never-emitted", "rare", "scaffold", "unused-base")
OF_DOCUMENTS: Final = ("concentrated",)
OF_EMBEDDINGS: Final = ("under-trained",)
OF_TRAINING: Final = ("intermediate",)
AS_FOUND: Final = ("concentrated", "under-trained")


@dataclass(frozen=True)
class HealthReport:
    """What was found.

    Attributes
    ----------
    flags : tuple of Flag
        Serious kinds first, each kind by id, but those of `AS_FOUND` with the worst token first.
    counts : dict from kind to number of flags
        Every kind that was looked for, 0 included.
    tokens : int
        How many tokens were looked at; specials are none of them.
    partial : Partial
        Half characters by the side on which they break, single bytes apart.
    trained_here : bool
        The table carries a training record; then it must have no unreachable and no duplicate.
    use : CorpusUse or None
        What the corpus does with the tokens; None without a corpus.
    undertrained : UnderTrained or None
        What the embeddings of a model say; None without them.
    unchecked : str
        Why some kinds were not looked for, a sentence; empty where all were.
    thresholds : Thresholds
    integrity : Integrity
        Ids, merges and their parts, and what the size is made of.
    """

    flags: tuple[Flag, ...]
    counts: dict[str, int]
    tokens: int
    partial: Partial
    trained_here: bool
    use: CorpusUse | None = None
    undertrained: UnderTrained | None = None
    unchecked: str = ""
    thresholds: Thresholds = field(default_factory=Thresholds)
    integrity: Integrity = field(default_factory=Integrity)

    @property
    def used(self) -> int | None:
        """How many different tokens the corpus uses; None without a corpus."""
        return None if self.use is None else self.use.used

    @property
    def flagged(self) -> int:
        """How many different tokens have a flag; unused bytes and characters are counted apart."""
        return len({flag.id for flag in self.flags if flag.kind != "unused-base"})

    @property
    def unused_base(self) -> int:
        """How many base symbols the corpus does not use, which are not among `flagged`."""
        return self.counts.get("unused-base", 0)

    @property
    def unsure(self) -> int:
        """How many of `flagged` are so only by indicators of low confidence."""
        if self.undertrained is None or not self.undertrained.low_confidence:
            return 0
        others = {
            flag.id for flag in self.flags if flag.kind not in ("under-trained", "unused-base")
        }
        return len({flag.id for flag in self.flags if flag.kind == "under-trained"} - others)

    def severity_of(self, kind: str) -> Severity:
        """How serious a kind is here: candidates of low confidence are no warning."""
        if kind == "under-trained" and self.undertrained is not None:
            return severity_of(self.undertrained)
        return SEVERITIES.get(kind, "info")

    @property
    def self_test(self) -> bool | None:
        """Whether a trained table has no unreachable and no duplicate token; None for others."""
        if not self.trained_here:
            return None
        return self.counts.get("unreachable", 0) == 0 and self.counts["duplicate"] == 0

    def of_kind(self, kind: str) -> tuple[Flag, ...]:
        return tuple(flag for flag in self.flags if flag.kind == kind)


@dataclass(frozen=True)
class HealthProgress:
    """Tokens done of all; only the last one carries the report."""

    done: int
    total: int
    report: HealthReport | None = None


def check_all(
    tokenizer: Tokenizer,
    use: CorpusUse | None = None,
    *,
    undertrained: UnderTrained | None = None,
    thresholds: Thresholds | None = None,
) -> HealthReport:
    """As `check`, at once."""
    last = None
    for progress in check(tokenizer, use, undertrained=undertrained, thresholds=thresholds):
        last = progress.report
    assert last is not None
    return last


def check(
    tokenizer: Tokenizer,
    use: CorpusUse | None = None,
    *,
    undertrained: UnderTrained | None = None,
    thresholds: Thresholds | None = None,
) -> Generator[HealthProgress, None, None]:
    """Looks at every token in slices of about 10 ms.

    Parameters
    ----------
    use : CorpusUse, optional
        What a corpus does with the tokens; without it only the table is judged.
    undertrained : UnderTrained, optional
        What the embeddings of a model say about the tokens.
    """
    limits = thresholds or Thresholds()
    total = len(tokenizer.table)
    flags: list[Flag] = []
    for _ in _prepare(tokenizer):
        yield HealthProgress(0, total)
    looks = LookChecks(tokenizer, limits)
    for done in _in_slices(_table_flags(tokenizer, looks), flags):
        yield HealthProgress(min(done, total), total)
    unreachable = {flag.id for flag in flags if flag.kind == "unreachable"}
    flags += intermediate_flags(tokenizer, limits)
    if use is not None:
        for _ in _in_slices(usage_flags(tokenizer, use, limits, unreachable), flags):
            yield HealthProgress(total, total)
    if undertrained is not None:
        flags += undertrained_flags(undertrained)
    made_of = yield from retold(iter_integrity(tokenizer), lambda _: HealthProgress(total, total))
    report = _report(tokenizer, flags, looks, use, undertrained, limits, made_of)
    yield HealthProgress(total, total, report)


def _prepare(tokenizer: Tokenizer) -> Iterator[None]:
    """What is computed on first use and kept, one after another, so that a cancel waits for one."""
    table = tokenizer.table
    yield
    if len(table.token_list):
        yield
    table.find(b"")
    yield
    if len(table.dense_merges) and not tokenizer.view_only and tokenizer.outside is None:
        yield
        if tokenizer.encoder.tables:
            yield


def _table_flags(tokenizer: Tokenizer, looks: LookChecks) -> Iterator[list[Flag]]:
    """The flags of each token that the table alone shows, token by token."""
    reach = ReachChecks(tokenizer)
    for alone in reach.tokens():
        yield [*reach.flags(alone), *looks.flags(alone.token, alone.data)]


def _in_slices(found: Iterator[list[Flag]], flags: list[Flag]) -> Iterator[int]:
    """Collects flags; yields the number of tokens seen about every 10 ms."""
    due = time.monotonic() + _SLICE_SECONDS
    for seen, more in enumerate(found, start=1):
        flags += more
        if time.monotonic() >= due:
            yield seen
            due = time.monotonic() + _SLICE_SECONDS


def _report(
    tokenizer: Tokenizer,
    flags: list[Flag],
    looks: LookChecks,
    use: CorpusUse | None,
    undertrained: UnderTrained | None,
    thresholds: Thresholds,
    made_of: Integrity,
) -> HealthReport:
    order = {kind: place for place, kind in enumerate(KINDS)}
    flags.sort(key=lambda flag: (order[flag.kind], 0 if flag.kind in AS_FOUND else flag.id))
    found = Counter(flag.kind for flag in flags)
    left_out: tuple[str, ...] = () if use is not None else OF_CORPUS
    unchecked = unreached(tokenizer)
    if unchecked:
        left_out += OF_REACH
    if use is None or not tells_documents(use):
        left_out += OF_DOCUMENTS
    if undertrained is None:
        left_out += OF_EMBEDDINGS
    if tokenizer.training is None:
        left_out += OF_TRAINING
    looked_for = [kind for kind in KINDS if kind not in left_out]
    return HealthReport(
        flags=tuple(flags),
        counts={kind: found[kind] for kind in looked_for},
        tokens=len(tokenizer.table),
        partial=looks.partial(),
        trained_here=tokenizer.training is not None,
        use=use,
        undertrained=undertrained,
        unchecked=unchecked,
        thresholds=thresholds,
        integrity=made_of,
    )
