"""`bpe-studio train`: files and folders to a tokenizer file."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bpe_studio.cli.arguments import parse_specials
from bpe_studio.cli.run import INTERRUPTED, complain

if TYPE_CHECKING:
    from bpe_studio.api import TrainingSession
    from bpe_studio.bpe.corpus import Corpus
    from bpe_studio.bpe.tokenizer import Tokenizer

_MOST_PROBLEMS = 20


class Base(StrEnum):
    bytes = "bytes"
    chars = "chars"


class Ties(StrEnum):
    first_seen = "first-seen"
    smallest_ids = "smallest-ids"


class ByteOrder(StrEnum):
    value = "value"
    gpt2 = "gpt2"


class Errors(StrEnum):
    drop = "drop"
    skip_file = "skip-file"
    strict = "strict"


def command(
    out: Annotated[Path, typer.Option("-o", "--out", metavar="OUT.json", help="Where to save.")],
    vocab_size: Annotated[
        int, typer.Option(metavar="N", help="Distinct ids wanted, specials and bytes included.")
    ],
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH...", help="Files and folders; .jsonl rows are documents."),
    ] = None,
    standard_library: Annotated[
        bool,
        typer.Option(
            "--standard-library", help="Train on this Python's standard library (after PATHs)."
        ),
    ] = False,
    min_freq: Annotated[
        int, typer.Option(metavar="N", help="End where no pair is as frequent.")
    ] = 2,
    pattern: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|REGEX",
            help="classic (the default), gpt2, cl100k, llama3, qwen2, o200k, or an expression.",
        ),
    ] = None,
    base: Annotated[Base | None, typer.Option(help="Base symbols; bytes by default.")] = None,
    ties: Annotated[
        Ties | None, typer.Option(help="Which of equally frequent pairs; first-seen by default.")
    ] = None,
    byte_order: Annotated[
        ByteOrder | None, typer.Option(help="Order of the byte ids; value by default.")
    ] = None,
    specials: Annotated[
        str | None,
        typer.Option(metavar="default|none|A,B", help="Special tokens; they take the first ids."),
    ] = None,
    start: Annotated[str | None, typer.Option(metavar="TABLE", help="Continue this table.")] = None,
    text_key: Annotated[
        str, typer.Option(metavar="KEY", help="Key of the text in the rows of .jsonl files.")
    ] = "text",
    errors: Annotated[
        Errors, typer.Option(help="What to do about text that is invalid.")
    ] = Errors.drop,
    keep_partial: Annotated[
        bool, typer.Option("--keep-partial", help="On Ctrl-C, save what is learned so far.")
    ] = False,
) -> int:
    """Train a tokenizer on files and folders."""
    if not paths and not standard_library:
        raise typer.BadParameter("give a PATH, or --standard-library")
    _check_out(out)
    from bpe_studio.api import TrainingSession, settings_for
    from bpe_studio.cli.tables import compile_kernels, open_table

    settings = settings_for(
        open_table(start) if start else None,
        vocab_size=vocab_size,
        min_freq=min_freq,
        pattern=pattern,
        base=base and base.value,
        ties=ties and ties.value,
        byte_order=byte_order and byte_order.value,
        specials=parse_specials(specials),
    )
    corpus = _find(paths or [], standard_library, text_key=text_key, errors=errors)
    compile_kernels()
    session = TrainingSession(corpus, settings)
    if _run(session):
        _save(session.tokenizer(), out)
        _tell(session, out)
        return 0
    return _interrupted(session, out, keep=keep_partial)


def _check_out(out: Path) -> None:
    """Say now, and not after an hour of training, that the file cannot be saved there."""
    if out.is_dir():
        raise IsADirectoryError(f"{out} is a folder; give the name of a file.")
    if out.exists() and not out.is_file():
        raise OSError(f"{out} is no regular file; give the name of one.")
    if not out.absolute().parent.is_dir():
        raise FileNotFoundError(f"{out} cannot be saved: there is no folder {out.parent}.")


def _find(paths: list[Path], standard_library: bool, *, text_key: str, errors: Errors) -> Corpus:
    from bpe_studio.bpe import corpus

    found = corpus.find_files(paths, text_key=text_key, errors=errors.value)
    if not standard_library:
        return found
    return replace(found, files=found.files + corpus.standard_library().files)


def _run(session: TrainingSession) -> bool:
    """Train to the end; False when interrupted before."""
    from bpe_studio.bpe.words import CountProgress
    from bpe_studio.cli.progress import Progress

    with Progress() as progress, _interrupt() as interrupted:
        progress.phase("Counting", total=session.corpus.total_bytes, unit="bytes")
        for event in session.run():
            if isinstance(event, CountProgress):
                progress.update(event.bytes_read)
            else:
                progress.phase("Merging", total=session.total or 0, unit="merges")
                progress.update(session.learned)
            if interrupted:
                return False
    return True


@contextmanager
def _interrupt() -> Iterator[list[int]]:
    """Ctrl-C only leaves a note, so that a training stops between two merges, not in one.

    A second Ctrl-C interrupts at once.
    """
    notes: list[int] = []

    def take_note(number: int, _frame: object) -> None:
        if notes:
            raise KeyboardInterrupt
        notes.append(number)

    before = signal.signal(signal.SIGINT, take_note)
    try:
        yield notes
    finally:
        signal.signal(signal.SIGINT, before)


def _save(tokenizer: Tokenizer, out: Path) -> None:
    from bpe_studio import formats

    formats.save(tokenizer, out)


def _interrupted(session: TrainingSession, out: Path, *, keep: bool) -> int:
    if not keep:
        complain("interrupted; nothing was saved (--keep-partial would have kept the merges).")
    elif session.words is None:
        complain("interrupted before the first merge; nothing was saved.")
    else:
        _save(session.tokenizer(), out)
        _tell(session, out)
        complain("interrupted; the smaller table was saved.")
    return INTERRUPTED


def _tell(session: TrainingSession, out: Path) -> None:
    """The summary, on stderr."""
    from bpe_studio.cli.output import counted, shown, size_words

    tokenizer, words = session.tokenizer(), session.words
    assert words is not None and tokenizer.training is not None
    tokens = tokenizer.training.totals["tokens"]
    ratio = f"{words.characters / tokens:.2f}" if tokens else "no"
    why = {"min_freq": "no pair is frequent enough", "no_pairs": "no pair is left"}
    ended = why.get(session.stop_reason or "", "")
    lines = [
        f"{counted(words.documents, 'document')}, {size_words(words.bytes)}, "
        f"{counted(words.pieces, 'piece')}, {len(words):,} distinct",
        f"{counted(session.learned, 'merge')}, {tokenizer.vocab_size:,} ids"
        f"{', ' + ended if ended else ''}; {ratio} characters per token",
    ]
    report = session.report
    if report.surrogates_replaced:
        lines.append(f"{report.surrogates_replaced:,} lone surrogates became U+FFFD")
    if words.cut_pieces:
        lines.append(f"{words.cut_pieces:,} pieces of over 1 MiB were cut")
    lines += [f"{shown(p.label)}: {shown(p.message)}" for p in report.problems[:_MOST_PROBLEMS]]
    if len(report.problems) > _MOST_PROBLEMS:
        lines.append(f"and {len(report.problems) - _MOST_PROBLEMS:,} more problems")
    print(*lines, f"Saved {out}", sep="\n", file=sys.stderr)
