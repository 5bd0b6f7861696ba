"""The tables side by side, as a section of a report: sizes, and the rules that they follow."""

from __future__ import annotations

from bpe_studio.reports.compare_subject import CompareSubject, letter
from bpe_studio.reports.page import Column, Section, Table, Token
from bpe_studio.reports.words import shown, whole

__all__ = ["tables_section"]


def tables_section(subject: CompareSubject) -> Section:
    """A row a table."""
    columns = (
        Column(""),
        Column("Table", "name"),
        Column("Ids", "number"),
        Column("Id bound", "number"),
        Column("Merges", "number"),
        Column("Pattern"),
        Column("Base"),
    )
    rows = [
        (
            letter(number),
            Token(shown(name)),
            whole(tokenizer.vocab_size),
            whole(tokenizer.id_bound),
            whole(len(tokenizer.table.merges)),
            tokenizer.pattern.name,
            tokenizer.base,
        )
        for number, (name, tokenizer) in enumerate(
            zip(subject.names, subject.tokenizers, strict=True)
        )
    ]
    return Section("The tables", "tables", (Table("The tables", columns, rows),))
