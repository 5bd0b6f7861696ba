"""Tables compared on a corpus: the question, its steps on a worker thread, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bpe_studio.analysis.compare_text import Difference
from bpe_studio.analysis.corpus_comparison import (
    CorpusComparison,
    CostlyPiece,
    EqualSize,
    KindFigures,
)
from bpe_studio.bpe.generators import retold
from bpe_studio.gui.models.corpus_source import Source, iter_files
from bpe_studio.gui.models.pass_progress import PassStep
from bpe_studio.gui.state.open_tables import OpenTable

if TYPE_CHECKING:
    from bpe_studio.bpe.corpus import Corpus, Problem
    from bpe_studio.bpe.tokenizer import Tokenizer

Compare = Callable[..., Generator[Any, None, CorpusComparison]]
"""As `analysis.compare_corpus.iter_compare_corpus`."""
_SWAPPED: dict[Difference, Difference] = {"a-splits": "b-splits", "b-splits": "a-splits"}


@dataclass(frozen=True, slots=True)
class CorpusQuestion:
    """Which tables, A and B first, as they are now, and on what."""

    tables: tuple[OpenTable, ...]
    tokenizers: tuple[Tokenizer, ...]
    source: Source

    @property
    def pairs(self) -> dict[OpenTable, Tokenizer]:
        """The tokenizer that each table has in this question."""
        return dict(zip(self.tables, self.tokenizers, strict=True))

    @property
    def swapped(self) -> CorpusQuestion:
        """The same with A for B."""
        first, second, *rest = range(len(self.tables))
        order = (second, first, *rest)
        return replace(
            self,
            tables=tuple(self.tables[place] for place in order),
            tokenizers=tuple(self.tokenizers[place] for place in order),
        )

    def answers(self, other: CorpusQuestion) -> bool:
        """Whether what comes of this one tells all that the other asks for."""
        if self.source != other.source or self.tables[:2] != other.tables[:2]:
            return False
        known = self.pairs
        return all(known.get(table) is made for table, made in other.pairs.items())


@dataclass(frozen=True, slots=True, eq=False)
class ComparedCorpus:
    """What several tables make of a corpus, and what reading it has met.

    Attributes
    ----------
    kinds, equal_kinds : tuple of KindFigures
        Files by kind, under every table; and under the first two at equal size, where there is one.
    """

    question: CorpusQuestion
    comparison: CorpusComparison
    corpus: Corpus
    kinds: tuple[KindFigures, ...] = ()
    equal_kinds: tuple[KindFigures, ...] = ()
    problems: tuple[Problem, ...] = ()
    fingerprint: str = ""

    @property
    def tables(self) -> tuple[OpenTable, ...]:
        """The open tables that were compared, in the order of `comparison.tables`."""
        return self.question.tables

    @property
    def names(self) -> tuple[str, ...]:
        """What they are called now."""
        return tuple(table.name for table in self.tables)

    @property
    def swapped(self) -> ComparedCorpus:
        """The same with A for B; nothing is read again for that."""
        return replace(
            self,
            question=self.question.swapped,
            comparison=_swapped(self.comparison),
            kinds=tuple(_swapped_kind(kind) for kind in self.kinds),
            equal_kinds=tuple(_swapped_kind(kind) for kind in self.equal_kinds),
        )


def iter_compared(
    question: CorpusQuestion, compare: Compare | None = None
) -> Generator[PassStep, None, ComparedCorpus]:
    """Compare tables on a corpus, which is looked for first where only its paths are known.

    Raises
    ------
    ValueError
        The files hold no text, or a tokenizer cannot encode them.
    """
    from bpe_studio.bpe.corpus import CorpusReport

    if compare is None:
        from bpe_studio.analysis.compare_corpus import iter_compare_corpus as compare
    source, corpus = question.source, question.source.corpus
    if source.kind == "probe":
        corpus = probe_texts()
    elif source.paths:
        corpus = yield from iter_files(source.paths)
    if corpus is None:
        raise ValueError("No files are chosen to compare the tables on.")
    met, total = CorpusReport(), corpus.total_bytes
    yield PassStep("Comparing", 0, total, "bytes")
    steps = compare(question.tokenizers, corpus, report=met)
    found = yield from retold(
        steps, lambda step: PassStep("Comparing", step.bytes_read, total, "bytes")
    )
    equal = found.equal
    return ComparedCorpus(
        question,
        found,
        corpus,
        found.kinds(),
        () if equal is None else found.kinds((equal.a, equal.b)),
        tuple(met.problems),
        met.fingerprint(),
    )


def probe_texts() -> Corpus:
    """The built-in probe texts."""
    from bpe_studio.probe import probe_corpus

    return probe_corpus()


def _swapped(found: CorpusComparison) -> CorpusComparison:
    first, second, *rest = found.tables
    equal = found.equal
    return replace(
        found,
        tables=(second, first, *rest),
        equal=None if equal is None else EqualSize(equal.vocab_size, equal.b, equal.a),
        spans={_SWAPPED.get(kind, kind): count for kind, count in found.spans.items()},
        dearer_a=tuple(_swapped_piece(piece) for piece in found.dearer_b),
        dearer_b=tuple(_swapped_piece(piece) for piece in found.dearer_a),
    )


def _swapped_piece(piece: CostlyPiece) -> CostlyPiece:
    return replace(piece, tokens_a=piece.tokens_b, tokens_b=piece.tokens_a)


def _swapped_kind(kind: KindFigures) -> KindFigures:
    first, second, *rest = kind.tokens
    return replace(kind, tokens=(second, first, *rest))
