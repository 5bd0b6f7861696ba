"""`bpe-studio explain`: how a text became its tokens, why a span is not one of them, and why a
token is there at all.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bpe_studio.cli.arguments import (
    AllowSpecial,
    TablePattern,
    parse_allowed_special,
    whole_number,
)

if TYPE_CHECKING:
    from bpe_studio.analysis.explain import PieceStory
    from bpe_studio.analysis.history import History
    from bpe_studio.bpe.specials import AllowedSpecial
    from bpe_studio.bpe.tokenizer import Tokenizer

_MOST_PIECES = 100
_LONG = 20_000  # characters of which all pieces take seconds


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
    token_text: Annotated[
        str | None,
        typer.Option(
            metavar="TOKEN", help="As --token, but always the text of the token: 42, not the id 42."
        ),
    ] = None,
    corpus: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH...", help="With --token: which pieces of these files earned it."
        ),
    ] = None,
    allow_special: AllowSpecial = None,
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
    asked = None if token is None and token_text is None else (token, token_text)
    _check(text, file, why, letters=letters, token=asked, corpus=corpus, pieces=pieces)
    given = text is not None or file is not None
    allowed = parse_allowed_special(allow_special)
    if text is None or text == "-":
        from bpe_studio.cli.documents import read_document

        text = read_document(file or "-", wanted="explain") if given else ""
    span = _parse_span(why, len(text)) if why is not None else None
    from bpe_studio.cli.histories import find_history
    from bpe_studio.cli.tables import compile_kernels, open_table

    tokenizer = open_table(table, pattern)
    compile_kernels()
    history = None if asked is None else find_history(tokenizer, *asked, corpus or [])
    with _progress(text, most=pieces) as follow:
        told: dict[str, Any] = {}
        if given:
            told = _tell(tokenizer, text, span, allowed, letters=letters or as_json, most=pieces)
            told["stories"] = follow(told["stories"])
        if as_json:
            _print_json(tokenizer, text if given else None, told, history)
        else:
            _print(tokenizer, told, history)


def _check(
    text: str | None,
    file: str | None,
    why: str | None,
    *,
    letters: bool,
    token: tuple[str | None, str | None] | None,
    corpus: list[str] | None,
    pieces: int,
) -> None:
    """Refuses options that do not go together."""
    if (text is not None and file is not None) or (text is None and file is None and token is None):
        raise typer.BadParameter("give either TEXT or --file, or --token alone")
    if token is not None and None not in token:
        raise typer.BadParameter("give either --token or --token-text")
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
    if start > end:
        raise ValueError(f"the span {start:,}:{end:,} ends before it begins; write {end}:{start}.")
    if start == end:
        raise ValueError(f"the span {start:,}:{end:,} is empty; {has}.")
    return start, end


@contextmanager
def _progress(text: str, *, most: int) -> Iterator[Callable[[Iterator[PieceStory]], Any]]:
    """Follows the pieces of a text that is told as a whole, where that takes a while."""
    if most or len(text) < _LONG:
        yield lambda stories: stories
        return
    from bpe_studio.cli.progress import Progress

    with Progress(bar=not sys.stdout.isatty()) as progress:
        progress.phase("Explaining", total=len(text), unit="characters")
        yield lambda stories: progress.follow(stories, lambda story: story.end)


def _tell(
    tokenizer: Tokenizer,
    text: str,
    span: tuple[int, int] | None,
    allowed: AllowedSpecial,
    *,
    letters: bool,
    most: int,
) -> dict[str, Any]:
    """All that is to be printed about the text; `stories` of its pieces come one by one."""
    from bpe_studio.analysis.explain import iter_explain, variants_of, why_not_one_token
    from bpe_studio.analysis.letters import grid
    from bpe_studio.analysis.proof import find_proof

    start, end = span or (0, len(text))
    told: dict[str, Any] = {}
    if span:
        reason = why_not_one_token(tokenizer, text, start, end, allowed_special=allowed)
        told["reason"], told["variants"] = reason, variants_of(tokenizer, reason)
        told["proof"] = find_proof(tokenizer, text, reason, allowed_special=allowed)
        told["plain_special"] = _plain_special(tokenizer, text, start, end, allowed)
    if letters and text:
        told["grid"] = grid(tokenizer, text, start, end, allowed_special=allowed)
    stories = iter_explain(tokenizer, text, start, end, allowed_special=allowed)
    first = list(islice(stories, most + 1)) if most else []
    if most and len(first) > most:
        told["told_to"] = first.pop().start
    elif not most:
        # What cannot be encoded is told before anything is printed.
        tokenizer.encode_array(text, allowed_special=allowed)
    return {**told, "stories": chain(first, () if most else stories)}


def _plain_special(
    tokenizer: Tokenizer, text: str, start: int, end: int, allowed: AllowedSpecial
) -> str | None:
    """A special whose text touches the span and is read as plain text there."""
    from bpe_studio.analysis.finding import find_parts

    names = [
        name
        for name in tokenizer.special_ids
        if name and name in text[max(start - len(name) + 1, 0) : end + len(name) - 1]
    ]
    parts = find_parts(tokenizer, text, start, end, allowed_special=allowed) if names else ()
    taken = {part.special for part in parts}
    return next((name for name in names if tokenizer.special_ids[name] not in taken), None)


def _print_json(
    tokenizer: Tokenizer, text: str | None, told: dict[str, Any], history: History | None
) -> None:
    from bpe_studio.cli.output import print_json_rows
    from bpe_studio.reports.plain import plain_answers, plain_pieces
    from bpe_studio.reports.plain_history import plain_history

    found: dict[str, Any] = {}
    if text is not None:
        found = plain_pieces(tokenizer, text, told["stories"], told_to=told.get("told_to"))
        asked = {
            name: told[name] for name in ("reason", "variants", "proof", "grid") if name in told
        }
        found |= plain_answers(tokenizer, **asked)
    if history is not None:
        found["history"] = plain_history(tokenizer, history)
    print_json_rows(found)


def _print(tokenizer: Tokenizer, told: dict[str, Any], history: History | None) -> None:
    from bpe_studio.cli.explained import print_history, print_letters, print_piece, print_reason
    from bpe_studio.cli.output import write_out

    if "reason" in told:
        print_reason(
            tokenizer, told["reason"], told["proof"], told["variants"], told["plain_special"]
        )
    if "grid" in told:
        print_letters(told["grid"])
    count = 0
    for piece in told.get("stories", ()):
        print_piece(tokenizer, piece)
        count += 1
    if told and not count:
        write_out("The text is empty, so it has no tokens.\n")
    if "told_to" in told:
        first = "This is the first piece" if count == 1 else f"These are the first {count:,} pieces"
        write_out(f"{first}, up to character {told['told_to']:,}; --pieces 0 tells all.\n")
    if history is not None:
        print_history(tokenizer, history)
