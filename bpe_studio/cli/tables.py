"""TABLE on the command line → Tokenizer."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bpe_studio import formats
from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.cli.run import complain
from bpe_studio.kernels import are_compiled

__all__ = ["compile_kernels", "find", "open_table"]


def find(name: str) -> Path:
    """Where a table is: a file, a model folder, or a name of one that comes with the program."""
    if os.path.isfile(name) or formats.find_in_folder(name) is not None:
        return Path(name)
    if name in formats.table_names():
        return formats.find_table(name)
    # What is there is read, and so told why it is no table.
    is_name = not (os.path.lexists(name) or os.path.dirname(name) or os.path.splitext(name)[1])
    return formats.find_table(name) if is_name else Path(name)


def open_table(
    name: str, pattern: str | None = None, *, vocab_size: int | None = None
) -> Tokenizer:
    """Read a table; what its reader wants one to know goes to stderr.

    Parameters
    ----------
    pattern : str, optional
        For a file that does not tell how a text is cut.
    vocab_size : int, optional
        Keep only the first merges, as many as make a vocabulary of this size.

    Raises
    ------
    ValueError, OSError
        In one sentence.
    """
    if pattern is not None:
        resolve_pattern(pattern)  # what is wrong with it is told before the file is read
    tokenizer = formats.load(find(name), pattern=pattern)
    for note in tokenizer.notes:
        complain(f"{name}: {note}")
    return tokenizer if vocab_size is None else _cut(tokenizer, vocab_size, name)


def _cut(tokenizer: Tokenizer, vocab_size: int, name: str) -> Tokenizer:
    from bpe_studio.analysis.compression import merges_of_size

    try:
        return tokenizer.prefix(merges_of_size(tokenizer, vocab_size))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def compile_kernels() -> None:
    """Compile what is not compiled yet, and say why that takes so long."""
    if are_compiled():
        return
    print(
        "Compiling the kernels; this takes half a minute to a minute, on a busy machine longer, "
        "once for each installation.",
        file=sys.stderr,
    )
    from bpe_studio import warm

    warm.warm()
