"""What a report on two tables or more is about: the tables, and what they make of texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from bpe_studio.analysis.compare_text import Difference, DifferenceSpan, TextComparison
from bpe_studio.analysis.corpus_comparison import CorpusComparison, TableFigures
from bpe_studio.analysis.parallel import Parallel
from bpe_studio.analysis.table_comparison import TableComparison
from bpe_studio.analysis.table_outcome import outcome
from bpe_studio.analysis.table_rules import Rule, rules_beside
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.reports.corpus_facts import CorpusFacts

__all__ = [
    "CompareSubject",
    "ComparedDocument",
    "ComparedTexts",
    "FrequentDifference",
    "TextDifference",
    "TextLine",
    "compared_text",
    "letter",
]


def letter(table: int) -> str:
    """What a table is called in short: A, B, C, …

    >>> letter(0), letter(27)
    ('A', '28')
    """
    return chr(ord("A") + table) if table < 26 else str(table + 1)


@dataclass(frozen=True, slots=True)
class ComparedDocument:
    """A text that was cut with every table; `tokens` has a number a table, None for one that cannot
    encode."""

    name: str
    characters: int
    bytes: int
    tokens: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class TextDifference:
    """A part of a document that A and B cut differently.

    Attributes
    ----------
    document : int
        Index into `ComparedTexts.documents`.
    span : DifferenceSpan
    text : str
        What is cut there.
    kind, sentence : str
        Why, where that was asked.
    """

    document: int
    span: DifferenceSpan
    text: str
    kind: str = ""
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class FrequentDifference:
    """The same characters cut in the same ways, in as many places; `first` is the first of them."""

    first: TextDifference
    times: int


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of a document, `number` counted from 1, and the tokens of A and B that begin in it."""

    document: int
    number: int
    text: str
    tokens_a: int
    tokens_b: int


@dataclass(frozen=True)
class ComparedTexts:
    """Texts under all tables, and where the first two differ.

    Attributes
    ----------
    documents : tuple of ComparedDocument
    differences : mapping of Difference to int
        How many spans of each class.
    spans : tuple of TextDifference
        All of them, in the order of the texts.
    lines : tuple of TextLine
        Some for which B needs more tokens, that first for which it needs most more.
    """

    documents: tuple[ComparedDocument, ...]
    differences: Mapping[Difference, int]
    spans: tuple[TextDifference, ...]
    lines: tuple[TextLine, ...] = ()

    @property
    def tables(self) -> int:
        """How many tables have cut the texts; all of a subject, or its first ones."""
        return len(self.documents[0].tokens) if self.documents else 0

    @property
    def characters(self) -> int:
        return sum(document.characters for document in self.documents)

    @property
    def bytes(self) -> int:
        return sum(document.bytes for document in self.documents)

    @cached_property
    def frequent(self) -> tuple[FrequentDifference, ...]:
        """The differences, the most frequent first, those of a number in the order of the texts."""
        found: dict[tuple[object, ...], list[TextDifference]] = {}
        for one in self.spans:
            key = (one.text, one.span.kind, one.span.tokens_a, one.span.tokens_b)
            found.setdefault(key, []).append(one)
        groups = (FrequentDifference(places[0], len(places)) for places in found.values())
        return tuple(sorted(groups, key=lambda group: -group.times))

    def tokens(self, table: int) -> int | None:
        """Of all documents; None for a table that cannot encode, or was not asked."""
        if table >= self.tables:
            return None
        found = [document.tokens[table] for document in self.documents]
        known = [number for number in found if number is not None]
        return sum(known) if len(known) == len(found) else None


def compared_text(
    name: str,
    text: str,
    comparison: TextComparison,
    reasons: Iterable[tuple[DifferenceSpan, str, str]] = (),
    *,
    others: Iterable[int | None] = (),
) -> ComparedTexts:
    """One text under two tables.

    Parameters
    ----------
    reasons : spans with the kind and the sentence of the reason, for as many as are known
    others : the tokens under further tables
    """
    why = {span: (kind, sentence) for span, kind, sentence in reasons}
    tokens = (comparison.tokens_a, comparison.tokens_b, *others)
    spans = tuple(
        TextDifference(0, span, text[span.start : span.end], *why.get(span, ("", "")))
        for span in comparison.differences
    )
    document = ComparedDocument(name, comparison.characters, comparison.bytes, tokens)
    return ComparedTexts((document,), comparison.counts, spans)


@dataclass(frozen=True)
class CompareSubject:
    """Tables, of which the first two are compared in detail, and what else a report tells.

    Attributes
    ----------
    names : tuple of str
        The tables, as somebody named them.
    tokenizers : tuple of Tokenizer
    tables : TableComparison
        Of the first two.
    text : ComparedTexts or None
    corpus : CorpusComparison or None
        Of all tables that can encode, in their order.
    corpus_facts : CorpusFacts or None
        Which corpus that is.
    parallel : Parallel or None
        Of the same tables.
    notes : tuple of str
        What could not be done, and why, a sentence each.
    program : str
        The version of the program that makes the report.
    """

    names: tuple[str, ...]
    tokenizers: tuple[Tokenizer, ...]
    tables: TableComparison
    text: ComparedTexts | None = None
    corpus: CorpusComparison | None = None
    corpus_facts: CorpusFacts | None = None
    parallel: Parallel | None = None
    notes: tuple[str, ...] = field(default_factory=tuple)
    program: str = ""

    @property
    def encoding(self) -> tuple[int, ...]:
        """The numbers of the tables that can encode: what `corpus` and `parallel` are of."""
        return tuple(number for number, table in enumerate(self.tokenizers) if not table.view_only)

    def figures(self, table: int) -> TableFigures | None:
        """What a table makes of the corpus; None without one, and where it cannot encode."""
        if self.corpus is None or table not in self.encoding:
            return None
        return self.corpus.tables[self.encoding.index(table)]

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """What all tables are besides tokens and merges, side by side."""
        return rules_beside(self.tokenizers)

    @cached_property
    def outcome(self) -> str:
        """What A and B come to, in a sentence."""
        return outcome(self.tables, rules_beside(self.tokenizers[:2]))

    @property
    def totals(self) -> tuple[tuple[str, tuple[int, int]], ...]:
        """The tokens of A and B in all of the texts, and of the corpus, where both can encode."""
        found = []
        if self.text is not None:
            a, b = self.text.tokens(0), self.text.tokens(1)
            if a is not None and b is not None:
                found.append(("in the text", (a, b)))
        if self.corpus is not None and self.detailed:
            a, b = (table.tokens for table in self.corpus.tables[:2])
            found.append(("on the corpus", (a, b)))
        return tuple(found)

    @property
    def detailed(self) -> bool:
        """Whether A and B can both encode, so that the corpus is told in detail of these two."""
        return self.encoding[:2] == (0, 1)
