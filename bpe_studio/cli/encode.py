"""`bpe-studio encode`: text to ids, a document a line or as an array for a data loader."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from bpe_studio.cli.arguments import (
    AllowSpecial,
    TablePattern,
    TextKey,
    VocabSize,
    parse_allowed_special,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bpe_studio.bpe.specials import AllowedSpecial
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.cli.documents import Run

_SUFFIXES = (".npy", ".bin")


def command(
    table: Annotated[str, typer.Option("-t", "--table", metavar="TABLE", help="The tokenizer.")],
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE|-",
            help="Texts, each a document, as is each row of a .jsonl or .parquet file; - is "
            "standard input, one document.",
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
    allow_special: AllowSpecial = None,
    text_key: TextKey = None,
    pattern: TablePattern = None,
    vocab_size: VocabSize = None,
) -> None:
    """Encode texts to ids.

    Standard input is read where no FILE is given.
    """
    names = files or ["-"]
    if as_json + count + (out is not None) > 1:
        raise typer.BadParameter("--json, --count and -o exclude each other")
    if out is not None:
        _check_out(out, names)
    from bpe_studio.cli.documents import open_strict_corpus, read_runs
    from bpe_studio.cli.progress import Progress
    from bpe_studio.cli.tables import compile_kernels, open_table

    tokenizer = open_table(table, pattern, vocab_size=vocab_size)
    compile_kernels()
    allowed = parse_allowed_special(allow_special)
    quiet = out is None
    with (
        open_strict_corpus(names, text_key=text_key) as corpus,
        Progress(lines=not quiet, bar=not (quiet and _is_terminal())) as progress,
    ):
        progress.phase("Encoding", total=corpus.total_bytes, unit="bytes")
        # A special that is to be recognised may stand where a run would end.
        runs = read_runs(corpus, tokenizer.pattern, whole=not tokenizer.may_cut(allowed))
        encoded = progress.follow(
            _encode(runs, tokenizer, add_bos, add_eos, allowed), lambda each: each.run.bytes_read
        )
        if out is None:
            _print_ids(encoded, "count" if count else "json" if as_json else "text")
            return
        saved = _save(encoded, out, tokenizer)
    print(saved, file=sys.stderr)


class _Ids(NamedTuple):
    ids: NDArray[np.int32]
    run: Run


def _encode(
    runs: Iterable[Run], tokenizer: Tokenizer, add_bos: bool, add_eos: bool, allowed: AllowedSpecial
) -> Iterator[_Ids]:
    """The ids of the runs, in order; many documents are encoded on all cores."""
    from bpe_studio.bpe.batch import grouped, in_order
    from bpe_studio.bpe.encoder import TextError

    # Asked once, also where there is nothing to encode: a tokenizer may have no such token.
    before = tokenizer.encode_array("", add_bos=add_bos)
    after = tokenizer.encode_array("", add_eos=add_eos)

    def ids_of(group: list[Run]) -> list[_Ids]:
        try:
            parts = tokenizer.encode_many([run.text for run in group], allowed_special=allowed)
        except TextError as error:
            raise error.error from None
        return [_Ids(framed(ids, run), run) for ids, run in zip(parts, group, strict=True)]

    def framed(ids: NDArray[np.int32], run: Run) -> NDArray[np.int32]:
        import numpy as np

        parts = (before if run.first else before[:0], ids, after if run.last else after[:0])
        return np.concatenate(parts) if add_bos or add_eos else ids

    groups = grouped(runs, lambda run: len(run.text))
    for part in in_order(partial(ids_of, group) for group in groups):
        yield from part


def _check_out(out: Path, names: list[str]) -> None:
    """Say now, and not after an hour of encoding, that the file cannot be saved there."""
    from bpe_studio.files import check_savable

    if out.suffix not in _SUFFIXES:
        raise typer.BadParameter(f"{out} must end in .npy or .bin", param_hint="-o")
    check_savable(out)
    if out.exists() and any(os.path.exists(n) and os.path.samefile(n, out) for n in names):
        raise ValueError(f"{out} is one of the files to encode; name another file.")


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _print_ids(encoded: Iterator[_Ids], form: str) -> None:
    from bpe_studio.cli.output import write_out

    opening, between, ending = ("[", ", ", "]\n") if form == "json" else ("", " ", "\n")
    tokens = 0
    for ids, run in encoded:
        if form != "count":
            joined = between.join(map(str, ids.tolist()))
            write_out((opening if run.first else between if tokens and joined else "") + joined)
        tokens += len(ids)
        if run.last:
            write_out(f"{tokens}\n" if form == "count" else ending)
            tokens = 0


def _save(encoded: Iterator[_Ids], out: Path, tokenizer: Tokenizer) -> str:
    """Save everything; the sentence that tells it."""
    from bpe_studio.cli.arrays import dtype_of, save_ids
    from bpe_studio.cli.output import counted

    documents = 0

    def arrays() -> Iterator[NDArray[np.int32]]:
        nonlocal documents
        for ids, run in encoded:
            documents += run.last
            yield ids

    count = save_ids(arrays(), out, tokenizer)
    told = f"{counted(count, 'id')} of {counted(documents, 'document')}"
    return f"Saved {out}: {told}, as {dtype_of(tokenizer).name}"
