"""The first page of a report on two tables: large numbers, and what they say."""

from __future__ import annotations

from collections.abc import Iterator

from bpe_studio.analysis.naming import opened
from bpe_studio.reports.compare_figures import share
from bpe_studio.reports.compare_subject import CompareSubject
from bpe_studio.reports.compare_words import merge_words, moved_words, signed_percent
from bpe_studio.reports.page import Block, Figures, Section, Words
from bpe_studio.reports.words import percent, ratio, whole

__all__ = ["summary"]


def summary(subject: CompareSubject) -> Section:
    """The answer in a screenful."""
    blocks: list[Block] = [Figures(tuple(_figures(subject)))]
    blocks += [Words(sentence) for sentence in _sentences(subject)]
    blocks += [Words(note, "warning") for note in subject.notes]
    return Section("At a glance", "glance", tuple(blocks))


def _figures(subject: CompareSubject) -> Iterator[tuple[str, str]]:
    tables = subject.tables
    yield whole(tables.shared), f"tokens shared, {percent(tables.jaccard)} of all"
    yield whole(tables.only_a), "only in A"
    yield whole(tables.only_b), "only in B"
    if tables.rank_correlation == tables.rank_correlation:
        yield ratio(tables.rank_correlation), "correlation of the ranks"
    for where, pair in subject.totals:
        yield signed_percent(*pair), f"tokens of B against A, {where}"


def _sentences(subject: CompareSubject) -> Iterator[str]:
    tables = subject.tables
    yield subject.outcome
    if not tables.same:
        yield f"{opened(moved_words(tables))}."
    if tables.first_difference is not None:
        yield f"{opened(merge_words(tables.first_difference))}."
    corpus = subject.corpus
    if corpus is not None and subject.detailed:
        a, b = (ratio(share(corpus.characters, table.tokens)) for table in corpus.tables[:2])
        yield f"On the corpus A packs {a} characters into a token, and B {b}."
        if corpus.equal is not None:
            a, b = (
                ratio(share(corpus.characters, table.tokens))
                for table in (corpus.equal.a, corpus.equal.b)
            )
            one, other = (each.pattern.expression for each in subject.tokenizers[:2])
            what = "the choice of merges does" if one == other else "pattern and merges do"
            size = corpus.equal.vocab_size
            yield f"Both cut to {size:,} ids, it is {a} and {b}: that is what {what}, without size."
