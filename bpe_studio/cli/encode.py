"""`bpe-studio encode`: text to ids, a document a line or as an array for a data loader."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bpe_studio.cli.arguments import parse_allowed_special

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bpe_studio.bpe.tokenizer import Tokenizer

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
        _save(encoded, out, tokenizer)
        return
    for ids in encoded:
        if count:
            write_out(f"{len(ids)}\n")
        elif as_json:
            write_out(json.dumps(ids.tolist()) + "\n")
        else:
            write_out(" ".join(map(str, ids.tolist())) + "\n")


def _save(encoded: Iterable[NDArray[np.int32]], out: Path, tokenizer: Tokenizer) -> None:
    from bpe_studio.files import write_atomic

    dtype = ids_dtype(tokenizer.id_bound)
    if out.suffix == ".bin":
        write_atomic(out, (ids.astype(dtype).tobytes() for ids in encoded))
    else:
        arrays = [ids.astype(dtype) for ids in encoded]
        length = sum(map(len, arrays))
        header = _npy_header(dtype, length)
        write_atomic(out, (part for part in [header, *(array.tobytes() for array in arrays)]))


def ids_dtype(id_bound: int) -> str:
    """`<u2` while every id fits in 16 bits, else `<u4`."""
    return "<u2" if id_bound <= 1 << 16 else "<u4"


def _npy_header(dtype: str, length: int) -> bytes:
    import numpy as np

    header: Any = io.BytesIO()
    about = {"descr": dtype, "fortran_order": False, "shape": (length,)}
    np.lib.format.write_array_header_1_0(header, about)
    found: bytes = header.getvalue()
    return found
