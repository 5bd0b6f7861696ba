"""`bpe-studio convert`: a tokenizer file of one format to one of another."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from bpe_studio.cli.arguments import TablePattern, VocabSize
from bpe_studio.cli.run import complain

FORMATS = """Formats that can be written (the README has all that can be read):

\b
studio       BPE Studio's JSON (.json): all but models that other libraries
             run
huggingface  tokenizer.json, for the package tokenizers: specials are always
             taken, roles are not held, no training record
tiktoken     a rank file (.tiktoken): bytes base; no pattern, no specials, no
             training record
gpt2         vocab.json and merges.txt: bytes base; no pattern, no mark on
             specials, no training record
"""


def command(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="A tokenizer of any format, or a model folder.")
    ],
    out: Annotated[
        str,
        typer.Argument(
            metavar="OUT",
            help="Where to save. For gpt2 either file of the pair, or a folder; one that ends in / "
            "is made.",
        ),
    ],
    format: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The format of OUT. Without it its name tells: tokenizer.json is huggingface; "
            "vocab.json, merges.txt, encoder.json and vocab.bpe are gpt2; .tiktoken is tiktoken; "
            "any other .json is studio.",
        ),
    ] = None,
    pattern: TablePattern = None,
    vocab_size: VocabSize = None,
) -> None:
    from bpe_studio import formats
    from bpe_studio.cli.output import counted, shown
    from bpe_studio.cli.tables import find, open_table

    if format is not None and format not in formats.WRITERS:
        known = ", ".join(formats.WRITERS)
        raise typer.BadParameter(f"{format!r} must be {known}", param_hint="--format")
    _check_out(out)
    given = find(source)
    name = format or formats.format_for_convert(out)
    if not formats.is_folder(out):
        _check_places([Path(out)], given)
    tokenizer = open_table(source, pattern, vocab_size=vocab_size)
    written = formats.make(tokenizer, name, out)
    places = formats.places(written, out)
    _check_places(places, given)
    formats.store(written, out)
    for loss in written.losses:
        complain(f"{out}: {loss}")
    files = ", ".join(shown(str(place)) for place in places)
    size = sum(map(len, written.files.values()))
    print(f"Saved {files}: {formats.WRITERS[name].TITLE}, {counted(size, 'byte')}", file=sys.stderr)
    if written.hint:
        print(f"\n{written.hint_for(out)}", file=sys.stderr)


def _check_out(out: str) -> None:
    if not out:
        raise typer.BadParameter("the name is empty; name a file", param_hint="OUT")
    if out == "-":
        raise typer.BadParameter(
            "a tokenizer is written to a file, not to standard output; name one", param_hint="OUT"
        )


def _check_places(places: list[Path], given: Path) -> None:
    """Say now that a file cannot be saved, or would be lost."""
    from bpe_studio.files import check_savable

    _refuse_inputs(places, given)
    for place in places:
        # A folder that is to be made is where the file will be.
        check_savable(place if place.parent.exists() or len(places) == 1 else place.parent)
        _refuse_other_files(place)


command.__doc__ = f"""Save a tokenizer in another format; ids stay as they are.

What OUT cannot hold is told. What would change ids is an error, and nothing is saved.

{FORMATS}"""


def _refuse_inputs(places: Iterable[Path], given: Path) -> None:
    """Nothing that may have been read is written over."""
    folder = given if given.is_dir() else given.parent
    for place in places:
        if not place.exists():
            continue
        is_input = given.is_file() and os.path.samefile(place, given)
        # Of a folder, and of a pair of files, more than one may have been read.
        has_parts = given.is_dir() or (_is_of_pair(given) and _is_of_pair(place))
        if is_input or (has_parts and os.path.samefile(place.parent, folder)):
            raise ValueError(f"{place} is a part of what is converted; name another place.")


def _is_of_pair(path: Path) -> bool:
    return path.name.endswith(("vocab.json", "merges.txt", "encoder.json", "vocab.bpe"))


def _refuse_other_files(place: Path) -> None:
    from bpe_studio import formats
    from bpe_studio.files import open_regular

    if place.exists():
        with open_regular(place, follow_links=True) as file:
            head = file.read(1 << 16)
        if head and not formats.is_tokenizer(head):
            raise ValueError(f"{place} is there and is no tokenizer; name another file.")
