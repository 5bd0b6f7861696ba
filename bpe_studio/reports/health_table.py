"""The table itself, and how the report was made, as sections of a report on tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpe_studio.analysis.thresholds import LIMITS
from bpe_studio.bpe.patterns import regex_version, unicode_version
from bpe_studio.reports.health_corpus import corpus_facts
from bpe_studio.reports.health_subject import HealthSubject
from bpe_studio.reports.health_words import cut, shown, whole
from bpe_studio.reports.page import NOTHING, Block, Column, Facts, Section, Table, Token, Words

__all__ = ["ENGINE_WORDS", "method_section", "table_section"]

ENGINE_WORDS: Final = {
    "merges": "merges by rank",
    "whole-piece-first": "whole pieces first, then merges by rank",
}


def table_section(subject: HealthSubject) -> Section:
    """Its sizes, pattern and engine, and half characters by side."""
    tokenizer, partial = subject.tokenizer, subject.report.partial
    pattern = tokenizer.pattern
    facts = (
        ("Ids", whole(tokenizer.vocab_size)),
        ("Largest id + 1", whole(tokenizer.id_bound)),
        ("Merges", whole(len(tokenizer.table.merges))),
        ("Specials", whole(len(tokenizer.special_ids))),
        ("Base", tokenizer.base),
        ("Pattern", pattern.name),
        ("Expression", Token(shown(cut(pattern.expression, 400)))),
        ("Engine", ENGINE_WORDS.get(tokenizer.engine, tokenizer.engine)),
    )
    rows = [
        ("end inside a character", whole(partial.ends)),
        ("begin inside a character", whole(partial.begins)),
        ("begin and end inside one", whole(partial.both)),
        ("hold bytes that no UTF-8 text has", whole(partial.never)),
        ("single bytes that begin a character", whole(partial.single_lead)),
        ("single bytes that continue one", whole(partial.single_continuation)),
        ("single bytes that no UTF-8 text has", whole(partial.single_never)),
    ]
    columns = (Column("Tokens that are no whole characters"), Column("Tokens", "number"))
    blocks: tuple[Block, ...] = (Facts(facts), Table("Half characters by side", columns, rows))
    return Section("The table", "table", blocks)


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
