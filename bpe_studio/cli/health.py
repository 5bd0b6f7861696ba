"""`bpe-studio health`: tokens that will hurt a model later."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from bpe_studio.cli.arguments import TablePattern, TextKey
from bpe_studio.cli.health_embeddings import EmbeddingsFile, InputName, OutputName, ReferenceRows

_MOST_CONTEXTS = 20


def command(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The tokenizer.")],
    corpus: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH...",
            help="Encode these and look at what is used; - is standard input.",
        ),
    ] = None,
    text_key: TextKey = None,
    save_use: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save what the corpus does with the tokens, for --use."),
    ] = None,
    use: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Read that instead of encoding a corpus again."),
    ] = None,
    embeddings: EmbeddingsFile = None,
    input_embeddings: InputName = None,
    output_embeddings: OutputName = None,
    reference: ReferenceRows = None,
    before: Annotated[
        str | None,
        typer.Option(metavar="TABLE", help="Tell what differs from this one; same corpus."),
    ] = None,
    threshold: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Where a kind begins, such as rare_uses=3; a wrong name lists them all.",
        ),
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND", help="List all tokens of this kind, and of no other, in reports too."
        ),
    ] = None,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            "-o", "--out", metavar="FILE", help="Save a report: .html, .md, .csv or .json."
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Everything, with all flags, as JSON.")
    ] = False,
    pattern: TablePattern = None,
) -> None:
    """List what is wrong with the tokens of a table.

    Without --corpus or --use it cannot be known which tokens a text uses, so only the table is
    judged.
    What it finds does not change the exit status.
    """
    from bpe_studio import __version__
    from bpe_studio.analysis.thresholds import Thresholds
    from bpe_studio.cli.documents import open_corpus
    from bpe_studio.cli.health_embeddings import Asked, print_embeddings
    from bpe_studio.cli.health_listing import (
        MOST_SHOWN,
        print_change,
        print_summary,
        print_tokens,
        print_where_tokens_are,
    )
    from bpe_studio.cli.health_run import HealthRun
    from bpe_studio.cli.health_use import check_options, read_saved, save, trained_on
    from bpe_studio.cli.output import write_out
    from bpe_studio.cli.progress import Progress
    from bpe_studio.cli.report_files import check_inputs, check_report, save_report
    from bpe_studio.cli.retrain_line import print_retraining
    from bpe_studio.cli.tables import compile_kernels, open_table
    from bpe_studio.reports.health import HEALTH_FORMATS
    from bpe_studio.reports.health_plain import health_json_chunks

    weights = Asked(embeddings, input_embeddings, output_embeddings, reference)
    weights.check()
    check_options(corpus=corpus, use=use, save_use=save_use, text_key=text_key)
    kinds = tuple(dict.fromkeys(map(_known_kind, kind or ())))
    values = _thresholds(threshold or ())
    for path in out or ():
        check_report(path, HEALTH_FORMATS)
    places = [*(out or ()), *filter(None, [save_use])]
    check_inputs(places, filter(None, [table, before, use, embeddings]))
    tokenizer = open_table(table, pattern)
    earlier = None if before is None else open_table(before, pattern)
    gathered, limits = read_saved(tokenizer, use) if use is not None else (None, Thresholds())
    limits = Thresholds.from_dict(limits.as_dict() | values)
    compile_kernels()
    paths = corpus or []
    opened = open_corpus(paths, text_key=text_key) if paths else nullcontext(None)
    most = _MOST_CONTEXTS if out or as_json else MOST_SHOWN
    with opened as files, Progress() as progress:
        check_inputs(places, (file.path for file in files.files) if files is not None else ())
        run = HealthRun(files, paths, limits, most, progress)
        subject, gathered = run.look_at(
            table,
            tokenizer,
            gathered=gathered,
            undertrained=weights.judge(tokenizer, progress),
            version=__version__,
        )
        if before is not None and earlier is not None:
            subject = run.beside(subject, before, earlier)
    subject = replace(subject, only=kinds)
    if save_use is not None and gathered is not None:
        save(save_use, tokenizer, table, gathered, limits)
    for path in out or ():
        save_report(subject, path, HEALTH_FORMATS)
    if as_json:
        for chunk in health_json_chunks(subject):
            write_out(chunk)
        return
    print_summary(subject)
    print_change(subject)
    print_embeddings(tokenizer, subject.report)
    if not out or kinds:
        print_tokens(subject, kinds)
    else:
        print_where_tokens_are(subject, out)
    its = gathered is None or trained_on(tokenizer, gathered, files)
    print_retraining(tokenizer, subject.report, table, paths, text_key=text_key, its_corpus=its)


def _thresholds(words: Sequence[str]) -> dict[str, object]:
    from bpe_studio.analysis.thresholds import Thresholds
    from bpe_studio.cli.health_run import threshold_values

    try:
        values = threshold_values(words)
        Thresholds.from_dict(values)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--threshold") from None
    return values


def _known_kind(name: str) -> str:
    from bpe_studio.analysis.flags import KINDS

    for known, words in KINDS.items():
        if name.strip().lower() in (known, words.title.lower()):
            return known
    raise typer.BadParameter(
        f"there is no kind {name[:40]!r}; there are {', '.join(KINDS)}", param_hint="--kind"
    )
