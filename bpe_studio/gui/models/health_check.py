"""A check of one table from its question to what the panel shows: steps for a job."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bpe_studio.analysis.flags import Thresholds
from bpe_studio.analysis.health import HealthReport, check
from bpe_studio.bpe.generators import retold
from bpe_studio.gui.models.corpus_source import Source, iter_files
from bpe_studio.gui.models.health_cloud import Cloud, cloud_of
from bpe_studio.gui.models.health_rows import HealthRows, health_rows
from bpe_studio.gui.models.pass_progress import PassStep

if TYPE_CHECKING:
    from bpe_studio.analysis.corpus_use import CorpusUse
    from bpe_studio.analysis.undertrained import UnderTrained
    from bpe_studio.bpe.corpus import Corpus, CorpusReport, Problem
    from bpe_studio.bpe.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """What was found in a table, on what, and what a later check of it need not find again.

    `corpus` is None for the table alone, and for a saved result whose files are not known.
    """

    rows: HealthRows
    source: Source
    corpus: Corpus | None = None
    use: CorpusUse | None = None
    undertrained: UnderTrained | None = None
    problems: tuple[Problem, ...] = ()
    fingerprint: str = ""
    cloud: Cloud | None = None

    @property
    def report(self) -> HealthReport:
        """The report behind the rows."""
        return self.rows.report

    def known(self, thresholds: Thresholds) -> Known:
        """All of this, to be judged by other limits."""
        return Known(
            thresholds=thresholds,
            use=self.use,
            corpus=self.corpus,
            undertrained=self.undertrained,
            problems=self.problems,
            fingerprint=self.fingerprint,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a check begins with: limits, and what another one or a file has found before."""

    thresholds: Thresholds = field(default_factory=Thresholds)
    use: CorpusUse | None = None
    corpus: Corpus | None = None
    undertrained: UnderTrained | None = None
    problems: tuple[Problem, ...] = ()
    fingerprint: str = ""


def iter_checked(
    tokenizer: Tokenizer, source: Source, known: Known | None = None, *, read: Any = None
) -> Generator[PassStep, None, Checked]:
    """Check a table on a corpus; what is known is not read again.

    Parameters
    ----------
    read : a function as `analysis.usage.iter_corpus_use`, for tests

    Raises
    ------
    ValueError
        The files hold no text, or cannot be read.
    """
    known = known or Known()
    corpus, use, problems = known.corpus, known.use, known.problems
    fingerprint = known.fingerprint
    if use is None:
        corpus = source.corpus
        if source.paths:
            corpus = yield from iter_files(source.paths)
        if corpus is not None:
            use, met = yield from _read(tokenizer, corpus, read)
            problems, fingerprint = tuple(met.problems), met.fingerprint()
    report = yield from _judged(tokenizer, use, known)
    rows = yield from health_rows(tokenizer, report, use)
    return Checked(
        rows,
        source,
        corpus,
        use,
        known.undertrained,
        problems,
        fingerprint,
        None if use is None else cloud_of(rows, use),
    )


def _read(
    tokenizer: Tokenizer, corpus: Corpus, read: Any
) -> Generator[PassStep, None, tuple[CorpusUse, CorpusReport]]:
    from bpe_studio.analysis import usage
    from bpe_studio.bpe.corpus import CorpusReport

    met = CorpusReport()
    steps = (read or usage.iter_corpus_use)(tokenizer, corpus, report=met)
    total, phase = corpus.total_bytes, "Encoding the corpus"
    yield PassStep(phase, 0, total, "bytes")
    use = yield from retold(steps, lambda step: PassStep(phase, step.bytes_read, total, "bytes"))
    return use, met


def _judged(
    tokenizer: Tokenizer, use: CorpusUse | None, known: Known
) -> Generator[PassStep, None, HealthReport]:
    report: HealthReport | None = None
    steps = check(tokenizer, use, undertrained=known.undertrained, thresholds=known.thresholds)
    for step in steps:
        report = step.report
        yield PassStep("Looking at tokens", step.done, step.total)
    if report is None:
        raise ValueError("The check ended without a report.")
    return report
