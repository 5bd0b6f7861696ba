"""A report on the tokens of a table, section by section: what HTML and Markdown are made from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpe_studio.reports.health_corpus import corpus_section
from bpe_studio.reports.health_differences import change_section
from bpe_studio.reports.health_embeddings import embeddings_section
from bpe_studio.reports.health_kinds import kind_sections
from bpe_studio.reports.health_subject import HealthSubject
from bpe_studio.reports.health_summary import summary
from bpe_studio.reports.health_table import ENGINE_WORDS, method_section, table_section
from bpe_studio.reports.page import Page, Section
from bpe_studio.reports.words import plural, shown

__all__ = ["TITLE", "health_page"]

TITLE: Final = "Health of "
"""What the title of such a report begins with."""


def health_page(subject: HealthSubject) -> Page:
    """The page; its sections are made as they are asked for."""
    tokenizer = subject.tokenizer
    parts = (
        plural(tokenizer.vocab_size, "id"),
        plural(len(tokenizer.table.merges), "merge"),
        f"pattern {tokenizer.pattern.name}",
        ENGINE_WORDS.get(tokenizer.engine, tokenizer.engine),
    )
    return Page(f"{TITLE}{shown(subject.name)}", ", ".join(parts), _sections(subject))


def _sections(subject: HealthSubject) -> Iterator[Section]:
    yield summary(subject)
    yield from change_section(subject)
    yield table_section(subject)
    yield from corpus_section(subject)
    yield from embeddings_section(subject)
    if subject.report.flags:
        yield Section("Tokens by kind", "kinds", ())
    yield from kind_sections(subject)
    yield from method_section(subject)
