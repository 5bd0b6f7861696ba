"""What a corpus does with the tokens of a table: encoded now, or read from a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from bpe_studio.cli.documents import short_names
from bpe_studio.cli.output import shown, size_words
from bpe_studio.cli.run import complain

if TYPE_CHECKING:
    from bpe_studio.analysis.corpus_use import CorpusUse
    from bpe_studio.analysis.flags import Thresholds
    from bpe_studio.bpe.corpus import Corpus
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.cli.progress import Progress

__all__ = ["Gathered", "check_options", "encode_corpus", "read_saved", "save", "trained_on"]


class Gathered(NamedTuple):
    """Use of tokens, the name of its corpus, the fingerprint of that, and what it had to leave out.

    The names of a corpus are without the folders that they are in.
    """

    use: CorpusUse
    corpus: str
    fingerprint: str
    problems: tuple[str, ...] = ()


def check_options(
    *, corpus: list[str] | None, use: Path | None, save_use: Path | None, text_key: str | None
) -> None:
    """Refuses what does not go together, and a place that cannot be saved to, before any work."""
    from bpe_studio.reports.use_file import check_use_place

    if use is not None and corpus:
        raise typer.BadParameter("--use is what --corpus gave; give one of them")
    if save_use is not None and not corpus:
        raise typer.BadParameter("--save-use goes with --corpus")
    if text_key is not None and not corpus:
        raise typer.BadParameter("--text-key goes with --corpus")
    if save_use is not None:
        check_use_place(save_use)


def encode_corpus(
    tokenizer: Tokenizer,
    corpus: Corpus,
    names: Sequence[str],
    progress: Progress,
    *,
    again: bool = False,
) -> Gathered:
    """Encodes a corpus that is open; its problems are told on stderr, unless it is encoded again,
    by another table."""
    from bpe_studio.analysis.usage import iter_corpus_use
    from bpe_studio.bpe.corpus import CorpusReport
    from bpe_studio.bpe.generators import result_of, retold

    report = CorpusReport()
    phase = "Encoding by the table before" if again else "Encoding"
    progress.phase(phase, total=corpus.total_bytes, unit="bytes")
    try:
        steps = iter_corpus_use(tokenizer, corpus, report=report)
        use = result_of(retold(steps, lambda step: progress.update(step.bytes_read)))
    finally:
        problems = tuple(f"{problem.label}: {problem.message}" for problem in report.problems)
        for problem in () if again else problems:
            complain(problem)
    return Gathered(use, short_names(names), report.fingerprint(), problems)


def read_saved(tokenizer: Tokenizer, path: Path) -> tuple[Gathered, Thresholds]:
    """What was saved, and the thresholds with it."""
    from bpe_studio.reports.use_file import read_use

    saved = read_use(path, tokenizer)
    return Gathered(saved.use, saved.corpus, saved.fingerprint), saved.thresholds


def save(
    path: Path, tokenizer: Tokenizer, table: str, found: Gathered, thresholds: Thresholds
) -> None:
    """Saves it for `--use`, and says so on stderr."""
    from bpe_studio.reports.use_file import SavedUse, write_use

    saved = SavedUse(found.use, thresholds, Path(table).name, found.corpus, found.fingerprint)
    write_use(path, saved, tokenizer)
    size = size_words(os.path.getsize(path))
    print(f"Saved {shown(str(path))}: what the corpus told, for --use, {size}", file=sys.stderr)


def trained_on(tokenizer: Tokenizer, found: Gathered, corpus: Corpus | None) -> bool:
    """Whether this is what a table was trained on; what the training left out may be there too."""
    from bpe_studio.analysis.training_corpus import is_training_corpus

    if tokenizer.training is None:
        return False
    sizes = None if corpus is None else {file.label: file.size for file in corpus.files}
    return is_training_corpus(
        tokenizer.training, found.fingerprint, read=found.use.files, sizes=sizes
    )
