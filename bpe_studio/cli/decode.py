"""`bpe-studio decode`: ids to text."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bpe_studio.bpe.tokenizer import Tokenizer

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
    from bpe_studio.cli.output import write_out
    from bpe_studio.cli.tables import open_table

    tokenizer = open_table(table)
    if Path(file).suffix in (".npy", ".bin"):
        ids = _array(file, tokenizer.id_bound)
        _check_ids(ids, tokenizer, file)
        # In parts, because a list of Python's numbers takes ten times the room of an array.
        for start in range(0, len(ids), _AT_ONCE):
            write_out(tokenizer.decode_bytes(ids[start : start + _AT_ONCE], skip_specials))
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


def _check_ids(ids: NDArray[np.integer], tokenizer: Tokenizer, file: str) -> None:
    import numpy as np

    known = np.append(tokenizer.table.ids, list(tokenizer.special_ids.values()))
    unknown = np.flatnonzero(~np.isin(ids, known))
    if len(unknown):
        place = unknown[0]
        raise ValueError(
            f"{file}: there is no token with the id {ids[place]} (position {place:,})."
        )


def _array(file: str, id_bound: int) -> NDArray[np.integer]:
    import io

    import numpy as np

    from bpe_studio.cli.encode import ids_dtype
    from bpe_studio.files import open_regular

    with open_regular(file, follow_links=True) as stream:
        data = stream.read()
    if file.endswith(".bin"):
        item = np.dtype(ids_dtype(id_bound)).itemsize
        if len(data) % item:
            raise ValueError(f"{file}: it has {len(data):,} bytes, which is no multiple of {item}.")
        return np.frombuffer(data, dtype=ids_dtype(id_bound))
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise ValueError(f"{file}: it is no array of ids ({str(error).rstrip('.')}).") from None
    if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"{file}: it must hold one row of whole numbers.")
    return array
