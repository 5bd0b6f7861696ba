"""`bpe-studio train`: files and folders to a tokenizer file."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bpe_studio.cli.arguments import (
    PATTERN_NAMES,
    Base,
    TextKey,
    Ties,
    parse_share,
    parse_specials,
    whole_number,
)
from bpe_studio.cli.interrupts import Interrupts, status_of
from bpe_studio.cli.run import complain
from bpe_studio.cli.train_partner import Model, check_options, train_partner_file

if TYPE_CHECKING:
    from bpe_studio.api import TrainingSession
    from bpe_studio.bpe.corpus import Corpus
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.bpe.training_record import TrainingRecord


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
        int,
        typer.Option(
            metavar="N",
            parser=whole_number,
            help="Distinct ids wanted, specials and bytes included.",
        ),
    ],
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH",
            help="Files and folders; .jsonl and .parquet rows are documents; - is standard input.",
        ),
    ] = None,
    standard_library: Annotated[
        bool,
        typer.Option(
            "--standard-library", help="Train on this Python's standard library (after PATHs)."
        ),
    ] = False,
    model: Annotated[
        Model,
        typer.Option(
            help="WordPiece and Unigram are trained by the package tokenizers, to compare with."
        ),
    ] = Model.bpe,
    min_freq: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=whole_number, help="End where no pair is as frequent; default 2."
        ),
    ] = None,
    pattern: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|REGEX",
            help=f"{PATTERN_NAMES} (classic is the default), or an expression.",
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
    hold_out: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            parser=parse_share,
            help="Leave so many of the documents out, and see how the table does on them: 2%; "
            "none by default, or as TABLE was trained.",
        ),
    ] = None,
    whole_characters: Annotated[
        bool,
        typer.Option(
            "--whole-characters",
            help="Merge only to whole characters, or inside one from its first byte on.",
        ),
    ] = False,
    max_token_bytes: Annotated[
        int | None,
        typer.Option(metavar="N", parser=whole_number, help="Make no token of more bytes."),
    ] = None,
    min_documents: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=whole_number, help="Merge no pair that fewer documents have."
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Do not read this file, by its path in the folder that is given, or this row of "
            "it: rows.jsonl:7. Can be given again; what TABLE was trained without is left out too.",
        ),
    ] = None,
    text_key: TextKey = None,
    errors: Annotated[
        Errors, typer.Option(help="What to do about text that is invalid.")
    ] = Errors.drop,
    keep_partial: Annotated[
        bool,
        typer.Option("--keep-partial", help="On Ctrl-C or SIGTERM, save what is learned so far."),
    ] = False,
) -> int:
    """Train a tokenizer on files and folders."""
    if not paths and not standard_library:
        raise typer.BadParameter("give a PATH, or --standard-library")
    if min_freq is not None and min_freq < 1:
        raise typer.BadParameter("a smallest count is 1 or more", param_hint="--min-freq")
    names = paths or []
    if model is not Model.bpe:
        merging = {
            "--min-freq": min_freq if model is Model.unigram else None,
            "--base": base,
            "--ties": ties,
            "--byte-order": byte_order,
            "--start": start,
            "--whole-characters": whole_characters,
            "--max-token-bytes": max_token_bytes,
            "--min-documents": min_documents,
            "--keep-partial": keep_partial,
        }
        check_options(model, merging)
    _check_out(out, names)
    if model is not Model.bpe:
        from bpe_studio.cli.documents import open_corpus
        from bpe_studio.cli.tables import compile_kernels

        with open_corpus(names, text_key=text_key, errors=errors.value) as found:
            compile_kernels()
            return train_partner_file(
                _with_library(found, out, standard_library),
                model,
                vocab_size,
                out,
                pattern=pattern,
                specials=parse_specials(specials),
                min_freq=min_freq,
                hold_out=hold_out,
                without=without or (),
            )
    from bpe_studio.api import TrainingSession, settings_for
    from bpe_studio.cli.documents import open_corpus
    from bpe_studio.cli.tables import compile_kernels, open_table

    settings = settings_for(
        open_table(start, pattern) if start else None,
        vocab_size=vocab_size,
        min_freq=min_freq,
        pattern=pattern,
        base=base and base.value,
        ties=ties and ties.value,
        byte_order=byte_order and byte_order.value,
        specials=parse_specials(specials),
        hold_out=hold_out,
        whole_characters=whole_characters or None,
        max_token_bytes=max_token_bytes,
        min_documents=min_documents,
        without=without or None,
    )
    with open_corpus(names, text_key=text_key, errors=errors.value) as found:
        session = TrainingSession(_with_library(found, out, standard_library), settings)
        compile_kernels()
        with Interrupts() as interrupts:
            _run(session, interrupts)
            return _finish(session, out, interrupts, keep=keep_partial)


def _check_out(out: Path, names: list[str]) -> None:
    """Say now, and not after an hour of training, that the table cannot be saved there."""
    from bpe_studio import formats
    from bpe_studio.files import check_savable, open_regular

    if str(out) == "-":
        raise typer.BadParameter("the table goes into a file; name one", param_hint="-o")
    if formats.format_for(out) != formats.OWN:
        raise typer.BadParameter(
            f"{out} must end in .json; `bpe-studio convert` makes other formats of it",
            param_hint="-o",
        )
    for name in names:
        if os.path.isfile(name) and out.exists() and os.path.samefile(name, out):
            raise _is_input(out)
    check_savable(out)
    if out.exists():
        with open_regular(out, follow_links=True) as file:
            head = file.read(4096)
        # An empty file, such as mktemp makes, holds nothing to lose.
        if head and not formats.is_tokenizer(head):
            raise ValueError(f"{out} is there and is no tokenizer; name another file.")


def _is_input(out: Path) -> ValueError:
    return ValueError(f"{out} is one of the files to train on; name another file.")


def _with_library(corpus: Corpus, out: Path, standard_library: bool) -> Corpus:
    if standard_library:
        from bpe_studio.bpe.corpus import standard_library as library

        corpus = replace(corpus, files=corpus.files + library().files)
    # In a folder that was given there may be the table itself.
    if out.exists() and any(
        file.path.name == out.name and file.path.samefile(out) for file in corpus.files
    ):
        raise _is_input(out)
    return corpus


def _run(session: TrainingSession, interrupts: Interrupts) -> None:
    """Train to the end, or to the step in which an interrupt comes."""
    from bpe_studio.bpe.counting import CountProgress
    from bpe_studio.cli.progress import Progress

    with Progress() as progress:
        progress.phase("Counting", total=session.corpus.total_bytes, unit="bytes")
        for event in session.run():
            if isinstance(event, CountProgress):
                progress.update(event.bytes_read)
            else:
                progress.phase("Merging", total=session.total or 0, unit="merges")
                progress.update(session.learned)
            if interrupts.number:
                return


def _finish(session: TrainingSession, out: Path, interrupts: Interrupts, *, keep: bool) -> int:
    """Save what there is to save; the exit status."""
    start = session.settings.start
    old = len(start.table.merges) if start is not None else 0
    if interrupts.number and (session.words is None or session.learned == old):
        complain("interrupted before the first merge; nothing was saved.")
    elif interrupts.number and not keep:
        complain("interrupted; nothing was saved (--keep-partial would have kept the merges).")
    else:
        # From here on the table is whole: an interrupt must not lose it.
        interrupts.be_patient()
        whole = session.done
        _save(session.tokenizer(), out)
        _tell(session, out)
        if interrupts.number:
            complain(f"interrupted; the {'whole' if whole else 'smaller'} table was saved.")
    return status_of(interrupts.number) if interrupts.number else 0


def _save(tokenizer: Tokenizer, out: Path) -> None:
    from bpe_studio import formats

    formats.save(tokenizer, out, formats.OWN)


def _tell(session: TrainingSession, out: Path) -> None:
    """The summary, on stderr."""
    from bpe_studio.cli.corpus_notes import left_out_lines, read_line, trouble_lines
    from bpe_studio.cli.output import counted, shown

    tokenizer, words = session.tokenizer(), session.words
    assert words is not None and tokenizer.training is not None
    tokens = tokenizer.training.totals["tokens"]
    ratio = f"{words.characters / tokens:.2f}" if tokens else "no"
    why = {
        "min_freq": "no pair is frequent enough",
        "no_pairs": "no pair is left",
        "rules": "the rules allow no other pair",
    }
    ended = why.get(session.stop_reason or "", "")
    start = session.settings.start
    if session.stop_reason == "rules" and session.learned == (len(start.merges) if start else 0):
        ended = "the rules ended it before the first merge, since they allow no pair here"
    lines = [
        read_line(words),
        f"{counted(session.learned, 'merge')}, {counted(tokenizer.vocab_size, 'id')}"
        f"{', ' + ended if ended else ''}; {ratio} characters per token",
    ]
    report = session.report
    lines += _held_out_lines(tokenizer.training)
    lines += _rule_lines(tokenizer.training)
    lines += left_out_lines(report)
    lines += trouble_lines(words, report)
    print(*lines, f"Saved {shown(str(out))}", sep="\n", file=sys.stderr)


def _rule_lines(record: TrainingRecord) -> list[str]:
    """By which rules it was trained."""
    from textwrap import wrap

    rules = record.settings
    told = {
        "whole_characters": "only whole characters, or the beginning of one",
        "max_token_bytes": f"none of over {rules.get('max_token_bytes') or 0:,} bytes",
        "min_documents": f"only pairs of at least {rules.get('min_documents') or 0:,} documents",
    }
    kept = [words for name, words in told.items() if name in rules]
    words = f"rules for merges: {', '.join(kept)}"
    return wrap(words, 99, subsequent_indent="  ", break_on_hyphens=False) if kept else []


def _held_out_lines(record: TrainingRecord) -> list[str]:
    """How the table does on what was held out."""
    from bpe_studio.cli.output import counted, size_words

    if record.held_out is None:
        return []
    totals = record.held_out_totals
    if not totals["tokens"]:
        share = record.settings["hold_out"]
        return [f"nothing was held out: no document with text fell into the share of {share:g}"]
    return [
        f"{counted(totals['documents'], 'document')} held out, {size_words(totals['bytes'])}; "
        f"{totals['characters'] / totals['tokens']:.2f} characters per token there"
    ]
