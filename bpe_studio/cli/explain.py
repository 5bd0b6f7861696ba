"""`bpe-studio explain`: how a text became its tokens, and why a span is not one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from bpe_studio.cli.arguments import TablePattern

if TYPE_CHECKING:
    from bpe_studio.analysis.explain import PieceStory, Reason, Variant
    from bpe_studio.bpe.tokenizer import Tokenizer

_MOST_LOST = 3
_MOST_SYMBOLS = 24


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
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False,
    pattern: TablePattern = None,
) -> None:
    """Tell how TEXT became its tokens, merge by merge.

    What a file or standard input holds is all text, the newline at its end included.
    """
    if (text is None) == (file is None):
        raise typer.BadParameter("give either TEXT or --file")
    if why is not None:
        _check_span(why)
    if text is None or text == "-":
        text = _read(file or "-")
    span = _parse_span(why, len(text)) if why is not None else None
    from bpe_studio.analysis.explain import explain, variants, why_not_one_token
    from bpe_studio.cli.output import print_json
    from bpe_studio.cli.tables import compile_kernels, open_table
    from bpe_studio.reports.plain import plain_explanation

    tokenizer = open_table(table, pattern)
    compile_kernels()
    start, end = span or (0, len(text))
    story = explain(tokenizer, text, start=start, end=end)
    reason = why_not_one_token(tokenizer, text, *span) if span else None
    near = variants(tokenizer, text[start:end]) if span else ()
    if as_json:
        print_json(plain_explanation(tokenizer, text, story, reason, near))
        return
    if reason is not None:
        _print_reason(reason, near)
    for piece in story.pieces:
        _print_piece(tokenizer, piece)


def _read(file: str) -> str:
    from bpe_studio.cli.documents import read_documents

    documents = list(islice(read_documents([file]), 2))
    if len(documents) != 1:
        number = "no document" if not documents else "more than one document"
        raise ValueError(f"{file} holds {number}, and explain takes one.")
    return documents[0]


def _check_span(text: str) -> None:
    if not re.fullmatch("[0-9]{0,12}:[0-9]{0,12}", text):
        raise typer.BadParameter(f"{text!r} is no span; write it as 2:5", param_hint="--why")


def _parse_span(text: str, length: int) -> tuple[int, int]:
    first, _, last = text.partition(":")
    start, end = int(first or 0), int(last or length)
    has = f"the text has {length:,} {'character' if length == 1 else 'characters'}"
    if max(start, end) > length:
        raise ValueError(f"the span {start:,}:{end:,} is not inside the text: {has}.")
    if start >= end:
        raise ValueError(f"the span {start:,}:{end:,} is empty; {has}.")
    return start, end


def _print_reason(reason: Reason, near: tuple[Variant, ...]) -> None:
    from bpe_studio.cli.output import print_rows, shown, write_out

    write_out(shown(reason.sentence) + "\n")
    single = [variant for variant in near if len(variant.ids) == 1]
    if single:
        write_out("Near to it, one token:\n")
        print_rows([(variant.ids[0], _token(variant.text), variant.label) for variant in single])
    write_out("\n")


def _print_piece(tokenizer: Tokenizer, piece: PieceStory) -> None:
    from bpe_studio.cli.output import print_rows, shown, write_out

    place = f"characters {piece.start}–{piece.end}"
    if piece.special:
        made = "a special"
    elif piece.alternative is None:
        made = "by the rules of the tokenizer"
    else:
        made = f"alternative {piece.alternative + 1}: {piece.alternative_expression}"
    write_out(f"{_token(piece.text)}  {place}, {shown(made)}\n")
    if piece.whole_piece:
        write_out("  the whole piece is a token, which this engine takes before any merge\n")
    if piece.shortened:
        write_out("  the piece is too long for its merges to be told\n")
    if piece.steps:
        print_rows(_step_rows(tokenizer, piece), right=">")
    spans = (
        ("token", token.id, f"bytes {token.start}–{token.end}", _token(token.data))
        for token in piece.tokens
    )
    print_rows(spans, right=" >")
    write_out("\n")


def _step_rows(tokenizer: Tokenizer, piece: PieceStory) -> Iterator[tuple[str, ...]]:
    name = tokenizer.token_bytes
    short = len(piece.symbols) <= _MOST_SYMBOLS
    head = ("rank", "merge", "id", "times")
    yield (*head, "then", "pairs that lost") if short else (*head, "pairs that lost")
    for step in piece.steps:
        lost = [
            f"{_token(name(left))}+{_token(name(right))} ({rank})"
            for rank, left, right in step.lost[:_MOST_LOST]
        ]
        if len(step.lost) > _MOST_LOST:
            lost.append(f"and {len(step.lost) - _MOST_LOST} more")
        merge = f"{_token(name(step.left))} + {_token(name(step.right))} → {_token(name(step.id))}"
        then = ("|".join(_token(name(symbol)) for symbol in step.after),) if short else ()
        yield (
            str(step.rank), merge, str(step.id), str(len(step.positions)), *then, ", ".join(lost),
        )  # fmt: skip


def _token(data: bytes | str) -> str:
    from bpe_studio.bpe.decoder import readable

    return readable(data if isinstance(data, bytes) else data.encode())
