"""What the embeddings of a model say, as plain values of JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from bpe_studio.analysis.candidate_sorts import NO_OTHER, candidate_sorts
from bpe_studio.analysis.undertrained import UnderTrained
from bpe_studio.reports.health_subject import HealthSubject
from bpe_studio.reports.plain_values import Plain, number, plain_token

__all__ = ["plain_embeddings"]


def plain_embeddings(subject: HealthSubject) -> Plain | None:
    """Matrices, agreement and candidates; None without embeddings."""
    found = subject.report.undertrained
    if found is None:
        return None
    return {
        "input": found.input_name,
        "output": found.output_name,
        "tied": found.tied,
        "dtype": found.dtype,
        "rows": found.rows,
        "columns": found.columns,
        "percentile": found.percentile,
        "confidence": found.confidence,
        "low_confidence": found.low_confidence,
        "alignment": number(found.alignment),
        "reference": [{"title": sort.title, "rows": list(sort.rows)} for sort in found.reference],
        "agreement": [
            {**asdict(pair), "correlation": number(pair.correlation), "low": pair.low}
            for pair in found.agreement
        ],
        "candidates": list(_candidates(subject, found)),
    }


def _candidates(subject: HealthSubject, found: UnderTrained) -> Iterator[Plain]:
    ids = found.candidates.tolist()
    sorts = candidate_sorts(subject.tokenizer, ids, subject.report.flags)
    for token, votes, also in zip(ids, found.votes.tolist(), sorts, strict=True):
        place = found.index(token)
        values = {
            indicator.name: None if place is None else number(float(indicator.values[place]))
            for indicator in found.indicators
        }
        words = plain_token(subject.tokenizer.token_bytes(token))
        other = None if also == NO_OTHER else also
        yield {"id": token, **words, "votes": votes, "indicators": values, "also": other}
