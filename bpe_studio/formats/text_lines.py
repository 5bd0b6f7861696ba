"""Files of lines: only a line feed ends one, and there is a limit to how many there may be."""

from __future__ import annotations

from bpe_studio.formats.source import Source
from bpe_studio.formats.strict.json import MAX_FILE_BYTES
from bpe_studio.formats.strict.token_bytes import MAX_MERGES

__all__ = ["check_lines", "text_lines"]


def check_lines(source: Source) -> None:
    """Raise a ValueError for a file that is too large; a list of its lines would be far larger."""
    size, lines = len(source.data), source.data.count(b"\n")
    if size > MAX_FILE_BYTES:
        raise ValueError(f"{source.name}: it has {size:,} bytes, and 256 MiB is the limit.")
    if lines > MAX_MERGES:
        raise ValueError(f"{source.name}: it has {lines:,} lines, and {MAX_MERGES:,} is the limit.")


def text_lines(source: Source) -> list[str]:
    """The lines of a text in UTF-8, without their ends; those of Windows end so too.

    Raises
    ------
    ValueError
        With the line that is no text.
    """
    check_lines(source)
    try:
        text = source.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{source.name}: line {line:,} is not valid UTF-8.") from None
    return text.replace("\r\n", "\n").split("\n")
