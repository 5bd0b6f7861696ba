"""The first page of a report on two tables: large numbers, and what they say."""

from __future__ import annotations

from collections.abc import Iterator

from bpe_studio.reports.compare_subject import CompareSubject
from bpe_studio.reports.compare_words import merge_words, moved_words, verdict
from bpe_studio.reports.page import Block, Figures, Section, Words
from bpe_studio.reports.words import percent, whole

__all__ = ["summary"]


def summary(subject: CompareSubject) -> Section:
    """The answer in a screenful."""
    blocks: list[Block] = [Figures(tuple(_figures(subject)))]
    blocks += [Words(f"{sentence}.") for sentence in _sentences(subject)]
    blocks += [Words(note, "warning") for note in subject.notes]
    return Section("At a glance", "glance", tuple(blocks))


def _figures(subject: CompareSubject) -> Iterator[tuple[str, str]]:
    tables = subject.tables
    yield whole(tables.shared), f"tokens shared, {percent(tables.jaccard)} of all"
    yield whole(tables.only_a), "only in A"
    yield whole(tables.only_b), "only in B"


def _sentences(subject: CompareSubject) -> Iterator[str]:
    tables = subject.tables
    if verdict(subject.tables):
        yield verdict(subject.tables)
        return
    yield moved_words(tables)
    words = merge_words(tables.first_difference)
    yield words[:1].upper() + words[1:]
