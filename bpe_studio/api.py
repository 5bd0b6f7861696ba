"""The three verbs: train, load, save."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from bpe_studio.bpe.corpus import find_files
from bpe_studio.bpe.table import Base
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.trainer import Ties
from bpe_studio.session import TrainingSession
from bpe_studio.settings import (
    DEFAULT_SPECIALS,
    ByteOrder,
    Settings,
    settings_for,
    smallest_vocab_size,
)

__all__ = [
    "DEFAULT_SPECIALS",
    "Settings",
    "TrainingSession",
    "load",
    "save",
    "settings_for",
    "smallest_vocab_size",
    "train",
]

PathLike = str | Path


def train(
    paths: PathLike | Iterable[PathLike],
    *,
    vocab_size: int | None = None,
    min_freq: int = 2,
    pattern: str | None = None,
    base: Base | None = None,
    ties: Ties | None = None,
    byte_order: ByteOrder | None = None,
    specials: Sequence[str] | None = None,
    start: Tokenizer | PathLike | None = None,
    hold_out: float | None = None,
    whole_characters: bool | None = None,
    max_token_bytes: int | None = None,
    min_documents: int | None = None,
    without: str | Sequence[str] | None = None,
    text_key: str = "text",
    errors: Literal["drop", "skip-file", "strict"] = "drop",
) -> Tokenizer:
    """Trains a tokenizer on files and folders.

    Parameters
    ----------
    paths : one path or several; files are read in the order given, folders in sorted order
    vocab_size : distinct ids wanted (default 8000)
    min_freq : training ends where no pair is as frequent
    pattern : name of a preset or an expression (default "classic")
    base : "bytes" (default) or "chars"
    ties : "first-seen" (default) or "smallest-ids"
    byte_order : "value" (default) or "gpt2"
    specials : names, by default `DEFAULT_SPECIALS`; an empty sequence for none
    start : a tokenizer, or a path of one, to continue; what is not given follows it. Its base
        symbols stay as they are: characters that a chars base lacks are spelled in bytes
    hold_out : share of the documents that is left out of training (default 0, or as `start` was
        trained), for a curve of text that the table has not seen; 0.02 is 2 %
    whole_characters : merge only to whole characters, or inside one from its first byte on
    max_token_bytes : make no token of more bytes
    min_documents : merge no pair that fewer documents have at that moment (default 1)
    without : files that are not read, by their label (the path in the folder given, or the name of
        a file given), and rows of other files: "a.txt", "rows.jsonl:7" (from 1); besides those
        that `start` was trained without, unless the sequence is empty
    text_key : the key of the text in JSONL rows, its column in Parquet files
    errors : what invalid text does: "drop" it, "skip-file", or "strict" to stop

    Raises
    ------
    ValueError, OSError
        One sentence: what, where, what to do.
    """
    tokenizer = load(start) if isinstance(start, str | Path) else start
    settings = settings_for(
        tokenizer,
        vocab_size=vocab_size,
        min_freq=min_freq,
        pattern=pattern,
        base=base,
        ties=ties,
        byte_order=byte_order,
        specials=specials,
        hold_out=hold_out,
        whole_characters=whole_characters,
        max_token_bytes=max_token_bytes,
        min_documents=min_documents,
        without=without,
    )
    roots = [paths] if isinstance(paths, str | Path) else list(paths)
    session = TrainingSession(find_files(roots, text_key=text_key, errors=errors), settings)
    for _ in session.run():
        pass
    return session.tokenizer()


def load(path: PathLike, pattern: str | None = None) -> Tokenizer:
    """Reads a tokenizer file, or the one in a model folder; the format is told by the content.

    The small tables that come with the program are found by name: ``load("stdlib-8k")``.

    Parameters
    ----------
    pattern : name of a preset or an expression, for a file that does not tell how a text is cut,
        such as a .tiktoken file of an encoding that is not known

    Raises
    ------
    ValueError, OSError
        One sentence that names the file and the place.
    """
    from bpe_studio import formats

    given = Path(path)
    if not given.exists() and str(path) in formats.table_names():
        given = formats.find_table(str(path))
    return formats.load(given, pattern=pattern)


def save(tokenizer: Tokenizer, path: PathLike, format: str | None = None) -> tuple[str, ...]:
    """Writes a tokenizer file, whole or not at all; what the format could not hold, if anything.

    Parameters
    ----------
    format : "studio", "huggingface", "tiktoken" or "gpt2"; where it is left out, the suffix tells
        it, and .json is our own, whatever the rest of the name is

    Raises
    ------
    ValueError
        The format cannot hold the tokenizer: an id or an encoding would change.
    OSError
        The file cannot be written.
    """
    from bpe_studio import formats

    return formats.save(tokenizer, path, format).losses
