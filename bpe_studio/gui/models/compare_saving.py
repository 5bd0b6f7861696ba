"""Saving a report on two tables, with what is known of a text and a corpus, on a worker thread."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bpe_studio.gui.models.program import version_of_program

if TYPE_CHECKING:
    from bpe_studio.analysis.compare_text import TextComparison
    from bpe_studio.gui.models.compare_rows import CompareRows
    from bpe_studio.gui.models.corpus_question import ComparedCorpus
    from bpe_studio.reports.compare import CompareSubject
    from bpe_studio.reports.compare_subject import ComparedTexts

MOST_REASONS = 300
REPORTS = {
    "Web page (*.html)": ".html",
    "Markdown (*.md)": ".md",
    "CSV, a row a token (*.csv)": ".csv",
    "JSON (*.json)": ".json",
}


@dataclass(frozen=True, slots=True, eq=False)
class SeenText:
    """A text that was set under both tables."""

    name: str
    text: str
    comparison: TextComparison


@dataclass(frozen=True, slots=True, eq=False)
class SeenTables:
    """What the panel knows of two tables: all of it goes into a report."""

    names: tuple[str, str]
    rows: CompareRows
    text: SeenText | None = None
    corpus: ComparedCorpus | None = None


def iter_saved_comparison(path: Path, seen: SeenTables) -> Generator[int, None, Path]:
    """Save a report by the suffix of its path; yields as it goes, returns the path.

    Raises
    ------
    ValueError, OSError
        In one sentence.
    """
    from bpe_studio.files import write_atomic
    from bpe_studio.reports.compare import compare_chunks, compare_format

    compare_format(path)  # a suffix that is none is told before anything is made
    subject = yield from _subject(seen)
    chunks: list[bytes] = []
    for chunk in compare_chunks(subject, path):
        chunks.append(chunk)
        yield len(chunks)
    write_atomic(path, chunks)
    return path


def _subject(seen: SeenTables) -> Generator[int, None, CompareSubject]:
    from bpe_studio.analysis.parallel import parallel_of
    from bpe_studio.gui.models.corpus_parallel import parallel_files
    from bpe_studio.reports.compare import CompareSubject
    from bpe_studio.reports.corpus_facts import CorpusFacts

    rows, corpus = seen.rows, seen.corpus
    text = (yield from _text(rows, seen.text)) if seen.text is not None else None
    if corpus is None:
        return CompareSubject(
            seen.names, (rows.a, rows.b), rows.comparison, text, program=version_of_program()
        )
    problems = tuple(f"{problem.label}: {problem.message}" for problem in corpus.problems)
    told = corpus.question.source.kind == "probe"  # of other files only the user knows
    places = parallel_files(corpus) if told else []
    return CompareSubject(
        corpus.names,
        corpus.question.tokenizers,
        rows.comparison,
        text,
        corpus.comparison,
        CorpusFacts(corpus.question.source.title, corpus.fingerprint, problems),
        parallel_of(corpus.comparison, places) if len(places) > 1 else None,
        program=version_of_program(),
    )


def _text(rows: CompareRows, seen: SeenText) -> Generator[int, None, ComparedTexts]:
    from bpe_studio.analysis.difference_reasons import iter_reasons
    from bpe_studio.reports.compare import compared_text

    numbers = np.flatnonzero(seen.comparison.kinds)[:MOST_REASONS].tolist()
    steps = iter_reasons(rows.a, rows.b, seen.text, seen.comparison, numbers)
    reasons = yield from _counted(steps)
    told = [(reason.span, reason.kind, reason.sentence) for reason in reasons]
    return compared_text(seen.name, seen.text, seen.comparison, told)


def _counted(steps: Generator[None, None, tuple]) -> Generator[int, None, tuple]:
    """The same steps, numbered."""
    step = 0
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value
        step += 1
        yield step
