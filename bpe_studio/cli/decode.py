"""`bpe-studio decode`: ids to text."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

_AT_ONCE = 1 << 18
_SEPARATORS = str.maketrans("[],", "   ")


def command(
    table: Annotated[str, typer.Option("-t", "--table", metavar="TABLE", help="The tokenizer.")],
    file: Annotated[
        str,
        typer.Argument(
            metavar="[FILE|-]",
            help="Ids as encode writes them: lines of text, lists, .npy or .bin.",
        ),
    ] = "-",
    skip_specials: Annotated[
        bool, typer.Option("--skip-specials", help="Leave special tokens out.")
    ] = False,
) -> None:
    """Decode ids to text.

    Documents come one after another, with nothing put between.
    """
    from bpe_studio.cli.arrays import load_ids
    from bpe_studio.cli.output import write_out
    from bpe_studio.cli.tables import open_table

    tokenizer = open_table(table)
    if Path(file).suffix in (".npy", ".bin"):
        array = load_ids(file, tokenizer)
        # In parts, because a list of Python's numbers takes ten times the room of an array.
        for start in range(0, len(array), _AT_ONCE):
            write_out(tokenizer.decode_bytes(array[start : start + _AT_ONCE], skip_specials))
        return
    source = "standard input" if file == "-" else file
    for number, ids in enumerate(_lines(file), start=1):
        try:
            write_out(tokenizer.decode_bytes(ids, skip_specials))
        except ValueError as error:
            raise ValueError(f"{source}, line {number}: {error}") from None


def _lines(file: str) -> Iterator[list[int]]:
    from bpe_studio.files import open_regular

    if file == "-":
        yield from _ids_of(sys.stdin.buffer, "standard input")
    else:
        with open_regular(file, follow_links=True) as stream:
            yield from _ids_of(stream, file)


def _ids_of(lines: Iterable[bytes], source: str) -> Iterator[list[int]]:
    for number, line in enumerate(lines, start=1):
        words = line.decode("utf-8", "replace").translate(_SEPARATORS).split()
        for place, word in enumerate(words, start=1):
            if not (word.isascii() and word.isdecimal()):
                raise ValueError(f"{source}, line {number}, word {place}: {word!r} is no id.")
        # No id has more than ten digits; Python refuses to read thousands of them.
        yield [int(word[:20]) for word in words]
