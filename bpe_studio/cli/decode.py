"""`bpe-studio decode`: ids to text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bpe_studio.cli.arguments import TablePattern

if TYPE_CHECKING:
    from bpe_studio.cli.id_words import IdRow

_AT_ONCE = 1 << 18


def command(
    table: Annotated[str, typer.Option("-t", "--table", metavar="TABLE", help="The tokenizer.")],
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|-",
            help="Ids as encode writes them: lines of text, lists, .npy or .bin.",
        ),
    ] = "-",
    skip_specials: Annotated[
        bool, typer.Option("--skip-specials", help="Leave special tokens out.")
    ] = False,
    pattern: TablePattern = None,
) -> None:
    """Decode ids to text.

    Documents come one after another, with nothing put between. Arrays are told by their
    name: they must end in .npy or .bin.
    """
    from bpe_studio.cli.arrays import load_ids
    from bpe_studio.cli.output import write_out
    from bpe_studio.cli.tables import open_table

    tokenizer = open_table(table, pattern)
    if Path(file).suffix in (".npy", ".bin"):
        array = load_ids(file, tokenizer)
        # In parts, because a list of Python's numbers takes ten times the room of an array.
        for start in range(0, len(array), _AT_ONCE):
            write_out(tokenizer.decode_bytes(array[start : start + _AT_ONCE], skip_specials))
        return
    known = set(tokenizer.table.ids.tolist()) | set(tokenizer.special_ids.values())
    for row in _rows(file):
        unknown = next((at for at, number in enumerate(row.ids) if number not in known), None)
        if unknown is not None:
            raise ValueError(
                f"{row.place(unknown)}: there is no token with the id {row.ids[unknown]}."
            )
        write_out(tokenizer.decode_bytes(row.ids, skip_specials))


def _rows(file: str) -> Iterator[IdRow]:
    from bpe_studio.cli.documents import standard_input
    from bpe_studio.cli.id_words import read_ids
    from bpe_studio.files import open_named

    stream = nullcontext(standard_input()) if file == "-" else open_named(file)
    with stream as source:
        yield from read_ids(source, "standard input" if file == "-" else file)
