"""The table itself, and how the report was made, as sections of a report on tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpe_studio.analysis.looks import Partial
from bpe_studio.analysis.thresholds import LIMITS
from bpe_studio.bpe.patterns import regex_version, unicode_version
from bpe_studio.reports.health_corpus import corpus_facts
from bpe_studio.reports.health_subject import HealthSubject
from bpe_studio.reports.page import NOTHING, Block, Column, Facts, Section, Table, Token, Words
from bpe_studio.reports.words import cut, shown, whole

__all__ = ["ENGINE_WORDS", "method_section", "table_section"]

ENGINE_WORDS: Final = {
    "merges": "merges by rank",
    "whole-piece-first": "whole pieces first, then merges by rank",
}


def table_section(subject: HealthSubject) -> Section:
    """What its size is made of, what is odd about it, its pattern and engine, half characters."""
    tokenizer, found = subject.tokenizer, subject.report.integrity
    blocks: list[Block] = [Words(sentence) for sentence in found.sentences]
    sizes = [(label[:1].upper() + label[1:], whole(count)) for label, count in found.sizes]
    columns = (Column("What the vocabulary is made of"), Column("Ids", "number"))
    total = ("Together, the ids of the vocabulary", whole(found.vocab_size))
    blocks.append(Table("What the vocabulary is made of", columns, [*sizes, total]))
    facts = (
        ("Merges", whole(len(tokenizer.table.merges))),
        ("Base", tokenizer.base),
        ("Pattern", tokenizer.pattern.name),
        ("Expression", Token(shown(cut(tokenizer.pattern.expression, 400)))),
        ("Engine", ENGINE_WORDS.get(tokenizer.engine, tokenizer.engine)),
    )
    blocks += [Facts(facts), _half_characters(subject.report.partial)]
    return Section("The table", "table", tuple(blocks))


def _half_characters(partial: Partial) -> Table:
    rows = [
        ("End inside a character", whole(partial.ends)),
        ("Begin inside a character", whole(partial.begins)),
        ("Begin and end inside one", whole(partial.both)),
        ("Hold bytes that no UTF-8 text has", whole(partial.never)),
        ("Single bytes that begin a character", whole(partial.single_lead)),
        ("Single bytes that continue one", whole(partial.single_continuation)),
        ("Single bytes that no UTF-8 text has", whole(partial.single_never)),
    ]
    columns = (Column("Tokens that are no whole characters"), Column("Tokens", "number"))
    return Table("Half characters by side", columns, rows)


def method_section(subject: HealthSubject) -> Iterator[Section]:
    """Thresholds, corpus and versions."""
    values = subject.report.thresholds.as_dict()
    rows = [(limit.title, Token(name), f"{values[name]:,}") for name, limit in LIMITS.items()]
    columns = (Column("Threshold"), Column("Name", "name"), Column("Value", "number"))
    blocks: list[Block] = [Table("Thresholds", columns, rows)]
    if subject.corpus is not None:
        blocks.append(Facts(corpus_facts(subject)))
        blocks += [Words(problem) for problem in subject.corpus.problems]
    blocks.append(
        Facts(
            (
                ("BPE Studio", subject.program or NOTHING),
                ("Unicode", unicode_version()),
                ("regex", regex_version()),
            )
        )
    )
    yield Section("How this report was made", "method", tuple(blocks))
