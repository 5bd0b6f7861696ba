"""`bpe-studio compare`: two tables or more, and what they make of texts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from bpe_studio.cli.arguments import TablePattern, TextKey
from bpe_studio.cli.compare_guard import parse_percent

_MOST_REASONS = 200


def command(
    a: Annotated[str, typer.Argument(metavar="A", help="A tokenizer.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="MORE", help="Others, for figures beside the two."),
    ] = None,
    text: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH...",
            help="Texts to cut with both, span by span, with reasons; - is standard input.",
        ),
    ] = None,
    corpus: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH...", help="Files and folders to encode with all, in one pass."),
    ] = None,
    probe: Annotated[
        bool,
        typer.Option(
            "--probe", help="The same with the texts that come with the program: languages, code."
        ),
    ] = False,
    parallel: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH...",
            help="Files that say the same in several languages, the reference first.",
        ),
    ] = None,
    text_key: TextKey = None,
    fail_if_worse: Annotated[
        Fraction | None,
        typer.Option(
            metavar="PERCENT",
            parser=parse_percent,
            help="Exit with 3 when B needs so many per cent more tokens than A; 0: any more.",
        ),
    ] = None,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            "-o", "--out", metavar="FILE", help="Save a report: .html, .md, .csv or .json."
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Every token and every difference, as JSON.")
    ] = False,
    pattern: TablePattern = None,
) -> None:
    """Set two tables side by side, and tell which one serves a text better.

    Without --fail-if-worse, what it finds does not change the exit status.
    """
    from bpe_studio import __version__
    from bpe_studio.cli.compare_guard import guard_words, guarded_texts
    from bpe_studio.cli.compare_listing import MOST_SHOWN, print_compared
    from bpe_studio.cli.compare_run import CompareAsked, run_compare
    from bpe_studio.cli.output import flush_out, write_out
    from bpe_studio.cli.report_files import check_inputs, check_report, save_report
    from bpe_studio.cli.run import complain
    from bpe_studio.cli.tables import open_table
    from bpe_studio.reports.compare import COMPARE_FORMATS
    from bpe_studio.reports.compare_figures import unknown_notes
    from bpe_studio.reports.compare_plain import compare_json_chunks

    asked = CompareAsked(
        text=text or (),
        corpus=corpus or (),
        parallel=parallel or (),
        probe=probe,
        text_key=text_key,
        reasons=_MOST_REASONS if out or as_json else MOST_SHOWN,
    )
    paths = [*asked.text, *asked.corpus, *asked.parallel]
    _check(paths, asked.any, text_key, fail_if_worse)
    names = (a, b, *(more or ()))
    for path in out or ():
        check_report(path, COMPARE_FORMATS)
    check_inputs(out or (), [*names, *paths])
    tokenizers = [open_table(name, pattern) for name in names]
    subject, given = run_compare(names, tokenizers, asked, __version__)
    for path in out or ():
        save_report(subject, path, COMPARE_FORMATS)
    try:
        if as_json:
            for chunk in compare_json_chunks(subject):
                write_out(chunk)
        else:
            print_compared(subject)
        flush_out()
    except BrokenPipeError:
        if fail_if_worse is None:
            raise
        # Whoever reads has seen enough; whoever asked for a guard waits for its word.
    if asked.any and not subject.detailed:
        raise ValueError(subject.notes[0])
    for note in subject.notes:
        complain(note)
    if fail_if_worse is not None:
        for note in unknown_notes(subject):
            complain(note)
        words = guard_words(tuple(guarded_texts(subject, given)), fail_if_worse)
        if words:
            complain(words)
            raise typer.Exit(3)


def _check(
    given: Sequence[str], any_text: bool, text_key: str | None, percent: Fraction | None
) -> None:
    if text_key is not None and not given:
        raise typer.BadParameter("--text-key goes with --text, --corpus or --parallel")
    if given.count("-") > 1:
        raise typer.BadParameter("- is there twice, and standard input can be read only once")
    if percent is not None and not any_text:
        raise typer.BadParameter(
            "it needs texts to judge by; give --text, --corpus, --parallel or --probe",
            param_hint="--fail-if-worse",
        )
