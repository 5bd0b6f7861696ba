"""The steps of `bpe-studio health`: a corpus is encoded, tables checked, examples looked up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bpe_studio.cli.run import complain

if TYPE_CHECKING:
    from bpe_studio.analysis.contexts import Context
    from bpe_studio.analysis.corpus_use import CorpusUse
    from bpe_studio.analysis.flags import Thresholds
    from bpe_studio.analysis.health import HealthReport
    from bpe_studio.analysis.undertrained import UnderTrained
    from bpe_studio.bpe.corpus import Corpus
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.cli.health_use import Gathered
    from bpe_studio.cli.progress import Progress
    from bpe_studio.reports.health_subject import HealthSubject

__all__ = ["HealthRun", "threshold_values"]


def threshold_values(words: Sequence[str]) -> dict[str, object]:
    """``["rare_uses=3"]`` → values by name, which `Thresholds` then judges; hyphens are fine too.

    Raises
    ------
    ValueError
        For what is no ``NAME=VALUE``.
    """
    from bpe_studio.analysis.thresholds import LIMITS

    values: dict[str, object] = {}
    for word in words:
        name, sign, value = word.partition("=")
        key = name.strip().replace("-", "_")
        if not sign:
            raise ValueError(f"{word[:40]!r} is no threshold; write it as rare_uses=3.")
        values[key] = _number(value.strip(), whole=key in LIMITS and LIMITS[key].whole)
    return values


def _number(text: str, *, whole: bool) -> object:
    """The text itself for what is no number: the thresholds refuse it by name."""
    try:
        return int(text) if whole else float(text)
    except ValueError:
        return text


@dataclass(frozen=True)
class HealthRun:
    """What is asked of every table.

    Attributes
    ----------
    corpus : Corpus or None
    paths : sequence of str
        The corpus as it was named.
    thresholds : Thresholds
    contexts : int
        For how many flagged tokens of each kind an example is looked up.
    progress : Progress
    """

    corpus: Corpus | None
    paths: Sequence[str]
    thresholds: Thresholds
    contexts: int
    progress: Progress

    def look_at(
        self,
        name: str,
        tokenizer: Tokenizer,
        *,
        gathered: Gathered | None = None,
        undertrained: UnderTrained | None = None,
        version: str = "",
    ) -> tuple[HealthSubject, Gathered | None]:
        """Check a table; with a corpus, encode that first.

        Parameters
        ----------
        gathered : what a corpus does, where that is known already
        version : of the program
        """
        from bpe_studio.cli.health_use import encode_corpus
        from bpe_studio.reports.corpus_facts import CorpusFacts
        from bpe_studio.reports.health_subject import HealthSubject

        if self.corpus is not None:
            gathered = encode_corpus(tokenizer, self.corpus, self.paths, self.progress)
        use = None if gathered is None else gathered.use
        report = self._check(tokenizer, use, undertrained, "Checking")
        facts = None
        if gathered is not None:
            facts = CorpusFacts(gathered.corpus, gathered.fingerprint, gathered.problems)
        subject = HealthSubject(
            name=name,
            tokenizer=tokenizer,
            report=report,
            corpus=facts,
            contexts=self._contexts(tokenizer, report),
            program=version,
        )
        return subject, gathered

    def beside(self, subject: HealthSubject, name: str, tokenizer: Tokenizer) -> HealthSubject:
        """Check an earlier table by the same corpus, and tell what differs."""
        from bpe_studio.analysis.health_change import compare_health
        from bpe_studio.cli.health_use import encode_corpus

        use = None
        if self.corpus is not None:
            use = encode_corpus(tokenizer, self.corpus, self.paths, self.progress, again=True).use
        before = self._check(tokenizer, use, None, "Checking the table before")
        tables = (tokenizer, subject.tokenizer)
        change = compare_health(before, subject.report, tables)
        return replace(subject, change=change, before_name=name)

    def _check(
        self,
        tokenizer: Tokenizer,
        use: CorpusUse | None,
        undertrained: UnderTrained | None,
        phase: str,
    ) -> HealthReport:
        from bpe_studio.analysis.health import check

        report: HealthReport | None = None
        self.progress.phase(phase, total=len(tokenizer.table), unit="tokens")
        for step in check(tokenizer, use, undertrained=undertrained, thresholds=self.thresholds):
            self.progress.update(step.done)
            report = step.report
        assert report is not None
        return report

    def _contexts(self, tokenizer: Tokenizer, report: HealthReport) -> dict[int, Context]:
        from bpe_studio.analysis.contexts import iter_contexts
        from bpe_studio.bpe.generators import result_of, retold

        if self.corpus is None or report.use is None or not self.contexts:
            return {}
        kinds = [report.of_kind(kind)[: self.contexts] for kind in report.counts]
        first = [flag.id for flags in kinds for flag in flags]
        self.progress.phase("Reading examples", total=self.corpus.total_bytes, unit="bytes")
        steps = iter_contexts(tokenizer, self.corpus, report.use, first)
        contexts = result_of(retold(steps, self.progress.update))
        for sentence in dict.fromkeys(contexts.missing.values()):
            complain(sentence)
        return contexts.found
