"""`bpe-studio health`: tokens that will hurt a model later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bpe_studio.cli.arguments import TablePattern, TextKey
from bpe_studio.cli.run import complain

if TYPE_CHECKING:
    from bpe_studio.analysis.health import HealthReport
    from bpe_studio.analysis.usage import Usage
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.bpe.words import WordCounts
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
    as_json: Annotated[bool, typer.Option("--json", help="All flags, as JSON.")] = False,
    pattern: TablePattern = None,
) -> None:
    """List what is wrong with the tokens of a table.

    Without --corpus it cannot be known which tokens a text uses, so only the table is judged.
    What it finds does not change the exit status.
    """
    from bpe_studio.analysis.health import check
    from bpe_studio.cli.progress import Progress
    from bpe_studio.cli.retrain_line import print_retraining
    from bpe_studio.cli.tables import compile_kernels, open_table

    if text_key is not None and not corpus:
        raise typer.BadParameter("--text-key goes with --corpus")
    tokenizer = open_table(table, pattern)
    compile_kernels()
    report: HealthReport | None = None
    with Progress() as progress:
        usage = _usage(tokenizer, corpus, text_key, progress) if corpus else None
        progress.phase("Checking", total=len(tokenizer.table), unit="tokens")
        for step in check(tokenizer, usage):
            progress.update(step.done)
            report = step.report
    assert report is not None
    if as_json:
        _print_json(tokenizer, table, report)
    else:
        _print_report(tokenizer, report)
        print_retraining(tokenizer, report, table, corpus or [], text_key=text_key)


def _usage(
    tokenizer: Tokenizer, names: list[str], text_key: str | None, progress: Progress
) -> Usage:
    from bpe_studio.analysis.usage import check_countable, usage

    check_countable(tokenizer)
    words = _count(tokenizer, names, text_key, progress)
    progress.phase("Encoding", total=len(words), unit="pieces")
    found = None
    for step in usage(tokenizer, words):
        progress.update(step.done)
        found = step.usage
    assert found is not None
    return found


def _count(
    tokenizer: Tokenizer, names: list[str], text_key: str | None, progress: Progress
) -> WordCounts:
    from bpe_studio.bpe.corpus import CorpusReport, read_blocks
    from bpe_studio.bpe.counting import count_words
    from bpe_studio.cli.documents import open_corpus

    report, words = CorpusReport(), None
    with open_corpus(names, text_key=text_key) as corpus:
        progress.phase("Counting", total=corpus.total_bytes, unit="bytes")
        for count in count_words(read_blocks(corpus, report=report), tokenizer.pattern):
            progress.update(count.bytes_read)
            words = count.words
    for problem in report.problems:
        complain(f"{problem.label}: {problem.message}")
    assert words is not None
    if not len(words):
        raise ValueError("the corpus holds no text.")
    return words


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
