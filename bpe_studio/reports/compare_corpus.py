"""What tables make of a corpus, as a section of a report on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpe_studio.analysis.corpus_comparison import CorpusComparison
from bpe_studio.analysis.naming import opened
from bpe_studio.reports.compare_curves import curves_plot
from bpe_studio.reports.compare_figures import FIGURES, figure_rows, share, unknown_notes
from bpe_studio.reports.compare_groups import group_sections
from bpe_studio.reports.compare_pieces import piece_sections
from bpe_studio.reports.compare_subject import CompareSubject
from bpe_studio.reports.compare_words import DIFFERENCE_WORDS
from bpe_studio.reports.page import Block, Cell, Column, Facts, Section, Table, Token, Words
from bpe_studio.reports.words import percent, shown, whole

__all__ = ["corpus_section"]

MEANING: Final = (
    "A word is a run of letters and marks, of scripts that put spaces between words. The Rényi "
    "efficiency (α = 2.5) is 1 where all ids are used alike, and the lower the more a few ids "
    "make up the text."
)


def corpus_section(subject: CompareSubject) -> Iterator[Section]:
    """Nothing without a corpus."""
    corpus = subject.corpus
    if corpus is None:
        return
    columns = (
        Column(""),
        Column("Table", "name"),
        *(Column(title[:1].upper() + title[1:], "number") for title, _ in FIGURES),
    )
    rows: list[tuple[Cell, ...]] = [
        (row.side, Token(row.name), *row.values) for row in figure_rows(subject)
    ]
    blocks: list[Block] = [
        Facts(tuple(_facts(subject, corpus))),
        Table("Figures of each table on the corpus", columns, rows),
        *(Words(note, "warning") for note in unknown_notes(subject)),
        Words(MEANING),
        *(Words(note) for note in corpus.notes),
        *_spans(subject, corpus),
    ]
    plot = curves_plot(subject)
    yield Section("On the corpus", "corpus", (*blocks, *([plot] if plot else [])))
    yield from group_sections(subject)
    yield from piece_sections(subject)


def _facts(subject: CompareSubject, corpus: CorpusComparison) -> Iterator[tuple[str, str | Token]]:
    facts = subject.corpus_facts
    if facts is not None:
        yield "Corpus", Token(shown(facts.name))
    yield "Files", whole(len(corpus.files))
    yield "Documents", whole(corpus.document_count)
    yield "Bytes", whole(corpus.bytes)
    yield "Characters", whole(corpus.characters)
    yield "Words", whole(corpus.words)
    if facts is not None and facts.fingerprint:
        yield "Fingerprint", Token(facts.fingerprint)


def _spans(subject: CompareSubject, corpus: CorpusComparison) -> Iterator[Block]:
    """How A and B cut the text between places where both cut."""
    total = sum(corpus.spans.values())
    if not total or not subject.detailed:
        return
    differ = total - corpus.spans.get("same", 0)
    if not differ:
        yield Words("A and B cut the corpus in the same places.")
        return
    rows = [
        (opened(DIFFERENCE_WORDS[kind]), whole(count), percent(share(count, total)))
        for kind, count in corpus.spans.items()
    ]
    yield Words(
        f"Places where both cut part the corpus into {total:,} stretches; in {differ:,} of them "
        "the two make other tokens."
    )
    columns = (Column("Between two common cuts"), Column("Stretches", "number"))
    yield Table("How A and B cut", (*columns, Column("Share", "number")), rows)
