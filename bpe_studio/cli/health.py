"""`bpe-studio health`: tokens that will hurt a model later."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bpe_studio.cli.arguments import TablePattern, TextKey

if TYPE_CHECKING:
    from bpe_studio.analysis.health import HealthReport
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.cli.health_use import Gathered
    from bpe_studio.cli.progress import Progress

_MOST_SHOWN = 8


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
    as_json: Annotated[bool, typer.Option("--json", help="All flags, as JSON.")] = False,
    pattern: TablePattern = None,
) -> None:
    """List what is wrong with the tokens of a table.

    Without --corpus or --use it cannot be known which tokens a text uses, so only the table is
    judged.
    What it finds does not change the exit status.
    """
    from bpe_studio.analysis.health import check
    from bpe_studio.cli.health_use import check_options, read_saved, save
    from bpe_studio.cli.progress import Progress
    from bpe_studio.cli.retrain_line import print_retraining
    from bpe_studio.cli.tables import compile_kernels, open_table

    check_options(corpus=corpus, use=use, save_use=save_use, text_key=text_key)
    tokenizer = open_table(table, pattern)
    found, limits = read_saved(tokenizer, use) if use is not None else (None, None)
    compile_kernels()
    report: HealthReport | None = None
    with Progress() as progress:
        found = _gather(tokenizer, corpus, text_key, progress) if corpus else found
        progress.phase("Checking", total=len(tokenizer.table), unit="tokens")
        for step in check(tokenizer, None if found is None else found.use, thresholds=limits):
            progress.update(step.done)
            report = step.report
    assert report is not None
    if save_use is not None and found is not None:
        save(save_use, tokenizer, table, found, report.thresholds)
    if as_json:
        _print_json(tokenizer, table, report)
    else:
        _print_report(tokenizer, report)
        print_retraining(tokenizer, report, table, corpus or [], text_key=text_key)


def _gather(
    tokenizer: Tokenizer, names: list[str], text_key: str | None, progress: Progress
) -> Gathered:
    from bpe_studio.cli.documents import open_corpus
    from bpe_studio.cli.health_use import encode_corpus

    with open_corpus(names, text_key=text_key) as corpus:
        return encode_corpus(tokenizer, corpus, names, progress)


def _print_json(tokenizer: Tokenizer, name: str, report: HealthReport) -> None:
    from bpe_studio.bpe.decoder import readable
    from bpe_studio.cli.output import jsonable, print_json

    flags = []
    for flag in report.flags:
        data = tokenizer.token_bytes(flag.id)
        flags.append({**jsonable(flag), "token": readable(data), "bytes": data.hex()})
    rest = {
        "counts": report.counts,
        "tokens": report.tokens,
        "partial": report.partial,
        "trained_here": report.trained_here,
        "used": report.used,
        "unchecked": report.unchecked,
        "thresholds": report.thresholds.as_dict(),
        "flagged": report.flagged,
    }
    print_json({"table": name, **rest, "flags": flags})


def _print_report(tokenizer: Tokenizer, report: HealthReport) -> None:
    from bpe_studio.analysis.health import KINDS, OF_CORPUS
    from bpe_studio.bpe.decoder import readable
    from bpe_studio.cli.output import counted, print_rows, shown, write_out

    used = "" if report.used is None else f", {report.used:,} of them used by the corpus"
    write_out(f"{counted(report.tokens, 'token')}{used}; {report.flagged:,} flagged\n\n")
    print_rows(
        [
            (f"{report.counts[kind]:,}", KINDS[kind].title, KINDS[kind].meaning)
            for kind in report.counts
        ],
        right=">",
    )
    for kind, count in report.counts.items():
        if not count:
            continue
        write_out(f"\n{KINDS[kind].title}\n")
        flags = report.of_kind(kind)
        rows = [
            (flag.id, readable(tokenizer.token_bytes(flag.id)), shown(flag.evidence))
            for flag in flags[:_MOST_SHOWN]
        ]
        print_rows(rows, right=">")
        if count > _MOST_SHOWN:
            write_out(f"  and {count - _MOST_SHOWN:,} more (--json lists all)\n")
    if report.unchecked:
        write_out(f"\nnot looked for: what can be reached. {shown(report.unchecked)}\n")
    if report.used is None:
        unknown = ", ".join(KINDS[kind].title.lower() for kind in OF_CORPUS)
        write_out(f"\nnot known without --corpus: {unknown}\n")
