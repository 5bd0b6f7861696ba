"""`bpe-studio convert`: a tokenizer file from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    source: Annotated[str, typer.Argument(metavar="IN", help="The tokenizer.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Where to save.")],
    format: Annotated[
        str,
        typer.Option(metavar="NAME", help="studio, the native format, is the only one as yet."),
    ] = "studio",
) -> None:
    """Save a tokenizer in another format."""
    from bpe_studio import formats
    from bpe_studio.cli.tables import open_table

    if format not in formats.FORMATS:
        known = ", ".join(formats.FORMATS)
        raise ValueError(f"the format {format!r} cannot be written yet; only {known} can.")
    formats.save(open_table(source), out, format)
