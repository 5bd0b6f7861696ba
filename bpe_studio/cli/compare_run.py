"""The steps of `bpe-studio compare`: tables, texts, a corpus, parallel files → what is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bpe_studio.cli.compare_corpora import compare_files, compare_parallel
from bpe_studio.cli.compare_texts import compare_texts
from bpe_studio.cli.progress import Progress

if TYPE_CHECKING:
    from bpe_studio.analysis.parallel import Parallel
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.reports.compare_subject import CompareSubject

__all__ = ["CompareAsked", "run_compare"]


@dataclass(frozen=True)
class CompareAsked:
    """What is to be cut: files and folders as they were named.

    `reasons` is the number of differences whose reason is asked.
    """

    text: Sequence[str] = ()
    corpus: Sequence[str] = ()
    parallel: Sequence[str] = ()
    probe: bool = False
    text_key: str | None = None
    reasons: int = 10

    @property
    def any(self) -> bool:
        return bool(self.text or self.corpus or self.parallel or self.probe)


def run_compare(
    names: Sequence[str], tokenizers: Sequence[Tokenizer], asked: CompareAsked, program: str
) -> tuple[CompareSubject, Parallel | None]:
    """Does it; what a table cannot do is a note of the subject.

    Returns
    -------
    CompareSubject, Parallel or None
        The second are files that were given as parallel.
    """
    from bpe_studio.analysis.compare import compare_tables
    from bpe_studio.cli.tables import compile_kernels
    from bpe_studio.reports.compare_subject import CompareSubject

    tables = compare_tables(*tokenizers[:2])
    with Progress() as progress:
        notes = _notes(names, tokenizers) if asked.any else ()
        can = asked.any and not any(tokenizer.view_only for tokenizer in tokenizers[:2])
        text = corpus = facts = parallel = given = None
        if can:
            compile_kernels()
            encoding = [tokenizer for tokenizer in tokenizers if not tokenizer.view_only]
            if asked.text:
                text = compare_texts(
                    tokenizers, asked.text, asked.text_key, progress, reasons=asked.reasons
                )
            if asked.corpus or asked.probe:
                corpus, facts, parallel = compare_files(
                    encoding, asked.corpus, asked.text_key, progress, probe=asked.probe
                )
            if asked.parallel:
                given = compare_parallel(encoding, asked.parallel, asked.text_key, progress)
    subject = CompareSubject(
        names=tuple(names),
        tokenizers=tuple(tokenizers),
        tables=tables,
        text=text,
        corpus=corpus,
        corpus_facts=facts,
        parallel=given or parallel,
        notes=notes,
        program=program,
    )
    return subject, given


def _notes(names: Sequence[str], tokenizers: Sequence[Tokenizer]) -> tuple[str, ...]:
    """A sentence for each table that can only be viewed."""
    notes = []
    for number, (name, tokenizer) in enumerate(zip(names, tokenizers, strict=True)):
        if tokenizer.view_only:
            what = "the text is not compared" if number < 2 else "it is left out of the texts"
            notes.append(f"{name}: {what}. {tokenizer.view_only}")
    return tuple(notes)
