"""Several tables on one corpus: one pass that cuts every text with all of them."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from bpe_studio.analysis.corpus_comparison import CorpusComparison
from bpe_studio.bpe.corpus import Corpus, CorpusReport
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.token_counting import UseProgress
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["compare_corpus", "iter_compare_corpus"]


def compare_corpus(
    tables: Sequence[Tokenizer],
    corpus: Corpus,
    *,
    report: CorpusReport | None = None,
    threads: int | None = None,
) -> CorpusComparison:
    """As `iter_compare_corpus`, at once."""
    return result_of(iter_compare_corpus(tables, corpus, report=report, threads=threads))


def iter_compare_corpus(
    tables: Sequence[Tokenizer],
    corpus: Corpus,
    *,
    report: CorpusReport | None = None,
    threads: int | None = None,
) -> Generator[UseProgress, None, CorpusComparison]:
    """Cuts a corpus with two tables or more, on all cores; in slices.

    To stop, close the generator.

    Parameters
    ----------
    tables : at least two; the first two are compared in detail
    report : CorpusReport, optional
        Filled with what reading the corpus has met.

    Raises
    ------
    ValueError
        The corpus holds no text, or a tokenizer cannot encode it; one sentence.
    """
    raise ValueError("Corpora are not compared yet.")
    yield  # pragma: no cover
