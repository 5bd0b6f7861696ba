"""`bpe-studio encode`: text to ids, a document a line or as an array for a data loader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from bpe_studio.cli.arguments import parse_allowed_special

_SUFFIXES = (".npy", ".bin")


def command(
    table: Annotated[str, typer.Option("-t", "--table", metavar="TABLE", help="The tokenizer.")],
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE|-]...",
            help="Texts, each a document, as is each row of a .jsonl file; - is standard input.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="A JSON list of ids on one line a document.")
    ] = False,
    count: Annotated[
        bool, typer.Option("--count", help="Only the number of tokens, a document a line.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="IDS.npy|IDS.bin",
            help="Save the ids of all documents, one after another, as uint16 or uint32.",
        ),
    ] = None,
    add_bos: Annotated[
        bool, typer.Option("--add-bos", help="Put the bos token in front of each document.")
    ] = False,
    add_eos: Annotated[
        bool, typer.Option("--add-eos", help="Put the eos token after each document.")
    ] = False,
    allow_special: Annotated[
        str | None,
        typer.Option(metavar="all|A,B", help="Specials that are recognised in the text."),
    ] = None,
) -> None:
    """Encode texts to ids.

    Standard input is read where no FILE is given.
    """
    if as_json + count + (out is not None) > 1:
        raise typer.BadParameter("--json, --count and -o exclude each other")
    if out is not None and out.suffix not in _SUFFIXES:
        raise typer.BadParameter(f"{out} must end in .npy or .bin", param_hint="-o")
    from bpe_studio.cli.arrays import save_ids
    from bpe_studio.cli.documents import read_documents
    from bpe_studio.cli.output import write_out
    from bpe_studio.cli.tables import compile_kernels, open_table

    tokenizer = open_table(table)
    compile_kernels()
    allowed = parse_allowed_special(allow_special)
    encoded = (
        tokenizer.encode_array(text, add_bos, add_eos, allowed)
        for text in read_documents(files or ["-"])
    )
    if out is not None:
        save_ids(encoded, out, tokenizer)
        return
    for ids in encoded:
        if count:
            write_out(f"{len(ids)}\n")
        elif as_json:
            write_out(json.dumps(ids.tolist()) + "\n")
        else:
            write_out(" ".join(map(str, ids.tolist())) + "\n")
