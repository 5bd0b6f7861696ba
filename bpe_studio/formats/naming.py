"""What the name of a file that is to be saved says about its format."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

__all__ = ["format_for", "format_for_convert"]

_OWN: Final = "studio"
_PAIR: Final = ("vocab.json", "merges.txt", "encoder.json", "vocab.bpe")
_READ_ONLY: Final = {".gguf": "a GGUF model", ".model": "a SentencePiece or minbpe model"}


def format_for(path: str | os.PathLike[str]) -> str:
    """The name of the format in which a file is saved where nobody says it: .json is our own.

    Raises
    ------
    ValueError
        The suffix is that of a format that cannot be written.
    """
    suffix = Path(path).suffix.lower()
    if suffix in _READ_ONLY:
        raise _unwritable(path, _READ_ONLY[suffix])
    return "tiktoken" if suffix == ".tiktoken" else _OWN


def format_for_convert(path: str) -> str:
    """As `format_for`, by the whole name, as other programs use it; nothing is guessed.

    >>> [format_for_convert(p) for p in ("a.json", "tokenizer.json", "b-merges.txt", "a.tiktoken")]
    ['studio', 'huggingface', 'gpt2', 'tiktoken']

    Raises
    ------
    ValueError
        The name is one of a format that cannot be written, or of none.
    """
    name = Path(path).name.lower()
    suffix = Path(name).suffix
    if suffix in _READ_ONLY or name == "tekken.json":
        raise _unwritable(path, _READ_ONLY.get(suffix, "a tekken.json"))
    if name == "tokenizer.json":
        return "huggingface"
    if name in _PAIR or name.endswith(tuple(f"-{known}" for known in _PAIR)):
        return "gpt2"
    known = {".json": _OWN, ".tiktoken": "tiktoken"}.get(suffix)
    if known is None or _is_folder(path):
        what = "a folder" if _is_folder(path) else "this name"
        raise ValueError(f"{path}: {what} does not tell the format; give it with --format.")
    return known


def _is_folder(path: str) -> bool:
    return path.endswith((os.sep, "/")) or os.path.isdir(path)


def _unwritable(path: str | os.PathLike[str], what: str) -> ValueError:
    return ValueError(
        f"{os.fspath(path)}: {what} cannot be written; name a file of another format, or the "
        "format with --format."
    )
