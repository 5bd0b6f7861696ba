"""A report on two tables or more, section by section: what HTML and Markdown are made from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpe_studio.bpe.patterns import regex_version, unicode_version
from bpe_studio.reports.compare_corpus import corpus_section
from bpe_studio.reports.compare_groups import language_section
from bpe_studio.reports.compare_subject import CompareSubject
from bpe_studio.reports.compare_summary import summary
from bpe_studio.reports.compare_tables import tables_section
from bpe_studio.reports.compare_texts import texts_section
from bpe_studio.reports.compare_tokens import tokens_section
from bpe_studio.reports.page import NOTHING, Facts, Page, Section
from bpe_studio.reports.words import plural, short, shown

__all__ = ["TITLE", "compare_page"]

TITLE: Final = "Comparison of "
"""What the title of such a report begins with."""


def compare_page(subject: CompareSubject) -> Page:
    """The page; its sections are made as they are asked for."""
    names = [short(name) for name in subject.names]
    title = f"{TITLE}{names[0]} and {names[1]}"
    parts = [f"A is {shown(subject.names[0])}", f"B is {shown(subject.names[1])}"]
    if len(names) > 2:
        parts.append(f"{plural(len(names) - 2, 'more table')} beside them")
    return Page(title, ", ".join(parts), _sections(subject))


def _sections(subject: CompareSubject) -> Iterator[Section]:
    yield summary(subject)
    yield tables_section(subject)
    yield from tokens_section(subject)
    yield from texts_section(subject)
    yield from corpus_section(subject)
    yield from language_section(subject)
    yield _method(subject)


def _method(subject: CompareSubject) -> Section:
    versions = (
        ("BPE Studio", subject.program or NOTHING),
        ("Unicode", unicode_version()),
        ("regex", regex_version()),
    )
    return Section("How this report was made", "method", (Facts(versions),))
