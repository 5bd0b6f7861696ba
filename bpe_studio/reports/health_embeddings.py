"""What the embeddings of a model say, as a section of a report on tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpe_studio.analysis.candidate_sorts import candidate_sorts
from bpe_studio.analysis.undertrained import Agreement, UnderTrained
from bpe_studio.bpe.decoder import readable
from bpe_studio.reports.health_plots import indicators_plot
from bpe_studio.reports.health_subject import HealthSubject
from bpe_studio.reports.page import (
    NOTHING,
    Block,
    Cell,
    Column,
    Facts,
    Section,
    Table,
    Token,
    Words,
)
from bpe_studio.reports.words import cut, plural, ratio, shown, whole

__all__ = ["embeddings_section"]

_MOST_CANDIDATES: Final = 100


def embeddings_section(subject: HealthSubject) -> Iterator[Section]:
    """Nothing without embeddings."""
    found = subject.report.undertrained
    if found is None:
        return
    blocks: list[Block] = [
        Words(found.confidence, "warning" if found.low_confidence else None),
        Facts(_facts(found)),
    ]
    if found.agreement:
        blocks.append(_agreement(found))
    plot = indicators_plot(subject)
    if plot is not None:
        blocks.append(plot)
    if len(found.candidates):
        blocks.append(_candidates(subject, found))
    yield Section("In the embeddings", "embeddings", tuple(blocks))


def _facts(found: UnderTrained) -> tuple[tuple[str, str | Token], ...]:
    matrices = shown(found.input_name)
    if not found.tied:
        matrices += f", {shown(found.output_name)}"
    sorts = [f"{sort.title} ({len(sort.rows):,})" for sort in found.reference]
    return (
        ("Matrices", Token(matrices)),
        ("Tied", "yes: one matrix is input and output" if found.tied else "no"),
        ("Rows and columns", f"{found.rows:,} × {found.columns:,}, {found.dtype}"),
        ("Reference rows", "; ".join(sorts) or "none"),
        ("Candidates", f"{len(found.candidates):,}, up to the percentile {found.percentile:g}"),
    )


def _agreement(found: UnderTrained) -> Table:
    titles = {indicator.name: indicator.title for indicator in found.indicators}
    rows = [
        (titles[pair.first], titles[pair.second], ratio(pair.correlation), _told(pair))
        for pair in found.agreement
    ]
    columns = (
        Column("Indicator"),
        Column("And another"),
        Column("Spearman's correlation", "number"),
        Column("Confidence"),
    )
    return Table("Agreement of the indicators", columns, rows)


def _told(pair: Agreement) -> str:
    return "low" if pair.low else "good"


def _candidates(subject: HealthSubject, found: UnderTrained) -> Table:
    rows: list[tuple[Cell, ...]] = []
    ids = found.candidates[:_MOST_CANDIDATES].tolist()
    sorts = candidate_sorts(subject.tokenizer, ids, subject.report.flags)
    for token, count, also in zip(ids, found.votes.tolist(), sorts, strict=False):
        place = found.index(token)
        values = [
            NOTHING if place is None else f"{indicator.values[place]:.3g}"
            for indicator in found.indicators
        ]
        name = Token(cut(readable(subject.tokenizer.token_bytes(token))))
        rows.append((name, whole(token), f"{count} of {len(found.indicators)}", *values, also))
    columns = (
        Column("Token", "name"),
        Column("Id", "number"),
        Column("Agree", "number"),
        *(Column(indicator.title, "number") for indicator in found.indicators),
        Column("Other flags"),
    )
    more = len(found.candidates) - len(rows)
    note = f"and {plural(more, 'more candidate')}" if more else ""
    return Table("Candidates for under-trained tokens", columns, rows, note)
