"""`bpe-studio explain`: how a text became its tokens, why a span is not one of them, and why a
token is there at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bpe_studio.cli.arguments import TablePattern, whole_number

if TYPE_CHECKING:
    from bpe_studio.analysis.explain import PieceStory
    from bpe_studio.analysis.history import History
    from bpe_studio.bpe.tokenizer import Tokenizer

_MOST_PIECES = 100


def command(
    table: Annotated[str, typer.Option("-t", "--table", metavar="TABLE", help="The tokenizer.")],
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT|-", help="The text itself; - is standard input."),
    ] = None,
    file: Annotated[
        str | None,
        typer.Option("--file", metavar="FILE|-", help="A file that holds the text."),
    ] = None,
    why: Annotated[
        str | None,
        typer.Option(metavar="FROM:TO", help="Why these characters of TEXT are not one token."),
    ] = None,
    letters: Annotated[
        bool, typer.Option("--letters", help="Which letters are in which tokens.")
    ] = False,
    token: Annotated[
        str | None,
        typer.Option(metavar="ID|TOKEN", help="Why this token is there; needs no TEXT."),
    ] = None,
    corpus: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH...", help="With --token: which pieces of these files earned it."
        ),
    ] = None,
    pieces: Annotated[
        int,
        typer.Option(metavar="N", parser=whole_number, help="Tell at most so many; 0: all."),
    ] = _MOST_PIECES,
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False,
    pattern: TablePattern = None,
) -> None:
    """Tell how TEXT became its tokens, merge by merge.

    What a file or standard input holds is all text, the newline at its end included.
    """
    _check(text, file, why, letters=letters, token=token, corpus=corpus, pieces=pieces)
    given = text is not None or file is not None
    if text is None or text == "-":
        from bpe_studio.cli.documents import read_document

        text = read_document(file or "-", wanted="explain") if given else ""
    span = _parse_span(why, len(text)) if why is not None else None
    from bpe_studio.cli.tables import compile_kernels, open_table

    tokenizer = open_table(table, pattern)
    compile_kernels()
    told: dict[str, Any] = {}
    if given:
        told = _tell(tokenizer, text, span, letters=letters or as_json, most=pieces)
    history = None if token is None else _history(tokenizer, token, corpus or [])
    if as_json:
        _print_json(tokenizer, text if given else None, told, history)
        return
    _print(tokenizer, told, history)


def _check(
    text: str | None,
    file: str | None,
    why: str | None,
    *,
    letters: bool,
    token: str | None,
    corpus: list[str] | None,
    pieces: int,
) -> None:
    """Refuses options that do not go together."""
    if (text is not None and file is not None) or (text is file is token is None):
        raise typer.BadParameter("give either TEXT or --file")
    if why is not None:
        if not re.fullmatch("[0-9]{0,12}:[0-9]{0,12}", why):
            raise typer.BadParameter(f"{why!r} is no span; write it as 2:5", param_hint="--why")
        if text is file is None:
            raise typer.BadParameter("--why asks about a TEXT")
    if letters and text is file is None:
        raise typer.BadParameter("--letters asks about a TEXT")
    if corpus and token is None:
        raise typer.BadParameter("--corpus goes with --token")
    if pieces < 0:
        raise typer.BadParameter("it must be 0 or more", param_hint="--pieces")


def _parse_span(text: str, length: int) -> tuple[int, int]:
    first, _, last = text.partition(":")
    start, end = int(first or 0), int(last or length)
    has = f"the text has {length:,} {'character' if length == 1 else 'characters'}"
    if max(start, end) > length:
        raise ValueError(f"the span {start:,}:{end:,} is not inside the text: {has}.")
    if start >= end:
        raise ValueError(f"the span {start:,}:{end:,} is empty; {has}.")
    return start, end


def _tell(
    tokenizer: Tokenizer, text: str, span: tuple[int, int] | None, *, letters: bool, most: int
) -> dict[str, Any]:
    """All that is to be printed about the text: the arguments of `plain_explanation`."""
    from bpe_studio.analysis.explain import (
        Explanation,
        iter_explain,
        variants_of,
        why_not_one_token,
    )
    from bpe_studio.analysis.letters import grid
    from bpe_studio.analysis.proof import find_proof

    start, end = span or (0, len(text))
    told: dict[str, Any] = {}
    if span:
        reason = why_not_one_token(tokenizer, text, start, end)
        told["reason"], told["variants"] = reason, variants_of(tokenizer, reason)
        told["proof"] = find_proof(tokenizer, text, reason)
    if letters and text:
        told["grid"] = grid(tokenizer, text, start, end)
    stories: list[PieceStory] = list(
        islice(iter_explain(tokenizer, text, start, end), most + 1 if most else None)
    )
    if most and len(stories) > most:
        told["told_to"] = stories[most].start
        stories = stories[:most]
    return {"explanation": Explanation(tuple(stories)), **told}


def _history(tokenizer: Tokenizer, token: str, corpus: Sequence[str]) -> History:
    from bpe_studio.analysis.history import history

    number = _find_token(tokenizer, token)
    if not corpus:
        return history(tokenizer, number)
    from bpe_studio.analysis.earned import check_askable, iter_earned
    from bpe_studio.bpe.corpus import CorpusReport
    from bpe_studio.cli.documents import open_corpus
    from bpe_studio.cli.progress import Progress
    from bpe_studio.cli.run import complain

    check_askable(tokenizer)
    report = CorpusReport()
    with open_corpus(corpus) as files, Progress() as progress:
        steps = iter_earned(tokenizer, number, files, report=report)
        while True:
            try:
                step = next(steps)
            except StopIteration as stop:
                found: History = stop.value
                break
            unit = "pieces" if step.phase == "merging" else "bytes"
            progress.phase(step.phase.capitalize(), total=step.total, unit=unit)
            progress.update(step.done)
    for problem in report.problems:
        complain(f"{problem.label}: {problem.message}")
    return found


def _find_token(tokenizer: Tokenizer, token: str) -> int:
    """The token of an id or of its text, where ␠ and ⟨E2 82⟩ may stand for what they show."""
    from bpe_studio.analysis.row_filter import plain

    if re.fullmatch("[0-9]{1,10}", token):
        number = int(token)
        tokenizer.token_bytes(number)
        return number
    special = tokenizer.special_ids.get(token)
    for data in (token.encode("utf-8", "surrogateescape"), plain(token)):
        found = tokenizer.table.find(data) if special is None else special
        if found is not None:
            return found
    raise ValueError(
        f"the table has no token {token!r}; --token takes an id or the whole text of a token, "
        "with its space in front."
    )


def _print_json(
    tokenizer: Tokenizer, text: str | None, told: dict[str, Any], history: History | None
) -> None:
    from bpe_studio.cli.output import print_json_rows
    from bpe_studio.reports.plain import plain_explanation
    from bpe_studio.reports.plain_history import plain_history

    found = {} if text is None else plain_explanation(tokenizer, text, **told)
    if history is not None:
        found["history"] = plain_history(tokenizer, history)
    print_json_rows(found)


def _print(tokenizer: Tokenizer, told: dict[str, Any], history: History | None) -> None:
    from bpe_studio.cli.explained import print_history, print_letters, print_piece, print_reason
    from bpe_studio.cli.output import write_out

    if "reason" in told:
        print_reason(tokenizer, told["reason"], told["proof"], told["variants"])
    if "grid" in told:
        print_letters(told["grid"])
    for piece in told["explanation"].pieces if told else ():
        print_piece(tokenizer, piece)
    if "told_to" in told:
        count = len(told["explanation"].pieces)
        write_out(
            f"These are the first {count:,} pieces, up to character {told['told_to']:,}; "
            "--pieces 0 tells all.\n"
        )
    if history is not None:
        print_history(tokenizer, history)
