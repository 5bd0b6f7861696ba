"""The first page of a report on tokens: what was found, what it means, what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpe_studio.analysis.flags import KINDS, SEVERITIES, Severity
from bpe_studio.analysis.health import (
    OF_CORPUS,
    OF_DOCUMENTS,
    OF_EMBEDDINGS,
    OF_TRAINING,
    HealthReport,
)
from bpe_studio.analysis.naming import listed
from bpe_studio.reports.health_plots import counts_plot
from bpe_studio.reports.health_subject import HealthSubject
from bpe_studio.reports.page import Block, Column, Figures, KindMark, Section, Table, Words
from bpe_studio.reports.words import percent, plural, whole

__all__ = [
    "SEVERITY_WORDS",
    "apart_words",
    "kind_mark",
    "self_test_words",
    "summary",
    "unasked",
    "vocabulary_share",
]

SEVERITY_WORDS: Final[dict[Severity, str]] = {
    "error": "error",
    "warning": "warning",
    "info": "information",
}
HOLDS: Final = (
    "The self-test holds: a table that was trained here and not edited has no unreachable and no "
    "duplicate token, and this one has none."
)
FAILS: Final = (
    "The self-test fails: a table that was trained here and not edited has no unreachable and no "
    "duplicate token, and this one has some; its file was changed after the training."
)


def kind_mark(kind: str, *, linked: bool = True, severity: Severity | None = None) -> KindMark:
    """A kind of flag, with a link to the section about it where there is one."""
    anchor = f"kind-{kind}" if linked else ""
    return KindMark(KINDS[kind].title, severity or SEVERITIES.get(kind, "info"), anchor)


def apart_words(report: HealthReport) -> Iterator[str]:
    """What one has to know of the number of flagged tokens: a few words each."""
    if report.unsure:
        yield f"{report.unsure:,} of them only as under-trained at low confidence"
    if report.unused_base:
        yield f"{plural(report.unused_base, 'unused base symbol')} apart"


def vocabulary_share(report: HealthReport, count: int) -> float:
    """A number of tokens as a part of all that were looked at."""
    return count / report.tokens if report.tokens else 0.0


def self_test_words(report: HealthReport) -> str:
    """Whether a table trained here is as it must be; empty for other tables."""
    if report.self_test is None:
        return ""
    return HOLDS if report.self_test else FAILS


def summary(subject: HealthSubject) -> Section:
    """Large numbers, a row for each kind that was found, and what was not."""
    report = subject.report
    blocks: list[Block] = [_figures(report)]
    test = self_test_words(report)
    if test:
        blocks.append(Words(test, None if report.self_test else "error"))
    blocks += _found(subject)
    blocks += [Words(sentence) for sentence in (_not_found(report), *unasked(report)) if sentence]
    blocks.append(counts_plot(subject))
    return Section("What was found", "found", tuple(blocks))


def _figures(report: HealthReport) -> Figures:
    tokens: dict[Severity, set[int]] = {"error": set(), "warning": set(), "info": set()}
    for flag in report.flags:
        tokens[flag.severity].add(flag.id)
    part = percent(vocabulary_share(report, report.flagged))
    pairs = [
        (whole(report.tokens), "tokens looked at"),
        (whole(report.flagged), ", ".join((f"with a flag, {part}", *apart_words(report)))),
        (whole(len(tokens["error"])), "with an error"),
        (whole(len(tokens["warning"])), "with a warning"),
    ]
    if report.used is not None:
        share = percent(vocabulary_share(report, report.used))
        pairs.append((share, f"of the vocabulary in use, {plural(report.used, 'token')}"))
    return Figures(tuple(pairs))


def _found(subject: HealthSubject) -> Iterator[Table]:
    report = subject.report
    rows = [
        (
            kind_mark(kind, linked=subject.lists(kind), severity=report.severity_of(kind)),
            SEVERITY_WORDS[report.severity_of(kind)],
            whole(count),
            percent(vocabulary_share(report, count)),
            KINDS[kind].meaning,
            KINDS[kind].advice,
        )
        for kind, count in report.counts.items()
        if count
    ]
    columns = (
        Column("Kind"),
        Column("Severity"),
        Column("Flags", "number"),
        Column("Of all tokens", "number"),
        Column("What it means for a model"),
        Column("What people do about it"),
    )
    if rows:
        yield Table("Kinds of flags that were found", columns, rows)


def _not_found(report: HealthReport) -> str:
    absent = [_small(KINDS[kind].title) for kind, count in report.counts.items() if not count]
    return f"Looked for and not found: {listed(absent)}." if absent else ""


def _small(title: str) -> str:
    """A title inside a sentence; NFC and UTF-8 stay."""
    return title[:1].lower() + title[1:]


def unasked(report: HealthReport) -> Iterator[str]:
    """Why some kinds were not looked for, a sentence each."""
    documents = () if report.use is None else OF_DOCUMENTS
    reasons = (
        (() if report.use is not None else OF_CORPUS, "without a corpus"),
        (documents, "from a corpus of one document"),
        (OF_EMBEDDINGS, "without the embeddings of a model"),
        (OF_TRAINING, "without the record of a training"),
    )
    for kinds, why in reasons:
        missing = [_small(KINDS[kind].title) for kind in kinds if kind not in report.counts]
        if missing:
            yield f"Not known {why}: {listed(missing)}."
    if report.unchecked:
        yield f"What no text produces was not looked for. {report.unchecked}"
