"""Corpora under all tables: one pass with all, and the languages of parallel files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from bpe_studio.cli.documents import open_corpus, open_strict_corpus, read_strictly, short_names
from bpe_studio.cli.run import complain

if TYPE_CHECKING:
    from bpe_studio.analysis.corpus_comparison import CorpusComparison
    from bpe_studio.analysis.parallel import Parallel
    from bpe_studio.bpe.corpus import Corpus
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.cli.progress import Progress
    from bpe_studio.reports.corpus_facts import CorpusFacts

__all__ = ["compare_files", "compare_parallel"]


def compare_files(
    tables: Sequence[Tokenizer],
    paths: Sequence[str],
    text_key: str | None,
    progress: Progress,
    *,
    probe: bool,
) -> tuple[CorpusComparison, CorpusFacts, Parallel | None]:
    """Files and folders, and the texts that come with the program, as one corpus.

    Raises
    ------
    ValueError, OSError
    """
    from bpe_studio.analysis.compare_corpus import iter_compare_corpus
    from bpe_studio.analysis.parallel import parallel_of, parallel_places
    from bpe_studio.bpe.corpus import CorpusReport
    from bpe_studio.bpe.generators import result_of, retold
    from bpe_studio.probe import PROBE_PARALLEL, probe_corpus
    from bpe_studio.reports.corpus_facts import CorpusFacts

    opened = open_corpus(paths, text_key=text_key) if paths else nullcontext(None)
    with opened as given:
        corpus = _together(given, probe_corpus() if probe else None)
        report = CorpusReport()
        progress.phase("Encoding", total=corpus.total_bytes, unit="bytes")
        try:
            steps = iter_compare_corpus(tables, corpus, report=report)
            found = result_of(retold(steps, lambda step: progress.update(step.bytes_read)))
        finally:
            problems = tuple(f"{problem.label}: {problem.message}" for problem in report.problems)
            for problem in problems:
                complain(problem)
    names = [short_names(paths)] if paths else []
    name = " and ".join([*names, *(["the probe texts"] if probe else [])])
    places = parallel_places(found, PROBE_PARALLEL) if probe else ()
    parallel = parallel_of(found, places) if places else None
    return found, CorpusFacts(name, report.fingerprint(), problems), parallel


def _together(given: Corpus | None, probe: Corpus | None) -> Corpus:
    if given is None or probe is None:
        corpus = given or probe
        assert corpus is not None
        return corpus
    return replace(given, files=(*given.files, *probe.files))


def compare_parallel(
    tables: Sequence[Tokenizer], paths: Sequence[str], text_key: str | None, progress: Progress
) -> Parallel:
    """Files that say the same in several languages; the first is what the others are set against.

    Raises
    ------
    ValueError, OSError
        Fewer than two files, an empty one, or what is no text.
    """
    from bpe_studio.analysis.compare_corpus import iter_compare_corpus
    from bpe_studio.analysis.parallel import parallel_of
    from bpe_studio.bpe.generators import result_of, retold

    with open_strict_corpus(paths, text_key=text_key) as corpus:
        if len(corpus.files) < 2:
            raise ValueError(
                "--parallel takes two files or more that say the same in several languages; "
                f"{'there is only one' if corpus.files else 'there is none'}."
            )
        lines = _lines(corpus)
        progress.phase("Encoding parallel files", total=corpus.total_bytes, unit="bytes")
        steps = iter_compare_corpus(tables, corpus)
        found = result_of(retold(steps, lambda step: progress.update(step.bytes_read)))
    parallel = parallel_of(found, range(len(found.files)), lines)
    if not parallel.same_lines:
        told = ", ".join(
            f"{name} {count:,}" for name, count in zip(found.files, lines, strict=True)
        )
        complain(f"The parallel files have different numbers of lines: {told}.")
    return parallel


def _lines(corpus: Corpus) -> list[int]:
    lines, open_ended = [0] * len(corpus.files), False
    filled = [False] * len(corpus.files)
    for block in read_strictly(corpus):
        if block.data:
            filled[block.file] = True
            lines[block.file] += block.data.count(b"\n")
            open_ended = not block.data.endswith(b"\n")
        if block.last:
            lines[block.file] += open_ended
            open_ended = False
    for file, there in zip(corpus.files, filled, strict=True):
        if not there:
            raise ValueError(f"{file.label} is empty; parallel files say the same.")
    return lines
