"""merges.txt: a line ``#version``, and then two tokens a line with a space between them."""

from __future__ import annotations

from typing import Final, NoReturn

from bpe_studio.formats.source import Source
from bpe_studio.formats.strict_json import MAX_FILE_BYTES, quoted
from bpe_studio.formats.token_bytes import MAX_MERGES

__all__ = ["looks_like_merges", "read_merges"]

_VERSION: Final = "#version"
_FEW: Final = 8


def looks_like_merges(head: bytes) -> bool:
    """Whether it begins with the line of the version, or, without it, with merges that use only
    single characters and what the merges before them make."""
    if head.startswith(_VERSION.encode()):
        return True
    lines = head.decode("utf-8", "replace").split("\n")[:-1][:64]
    made: set[str] = set()
    for line in lines:
        left, _, right = line.removesuffix("\r").partition(" ")
        if any(len(part) != 1 and part not in made for part in (left, right)):
            return False
        made.add(left + right)
    return len(made) >= _FEW


def read_merges(source: Source, vocab: dict[str, int]) -> list[tuple[int, int, int]]:
    """Rows (left id, right id, new id) by rank.

    Raises
    ------
    ValueError
        With the line.
    """
    if len(source.data) > MAX_FILE_BYTES:
        raise ValueError(f"{source.name}: it is larger than 256 MiB, which is the limit.")
    lines = _lines(source)
    first = 1 if lines and lines[0].startswith(_VERSION) else 0
    end = len(lines)
    while end > first and not lines[end - 1]:
        end -= 1
    if end - first > MAX_MERGES:
        raise ValueError(
            f"{source.name}: it has {end - first:,} merges, and {MAX_MERGES:,} is the limit."
        )
    merges: list[tuple[int, int, int]] = []
    for number in range(first, end):
        left, space, right = lines[number].partition(" ")
        try:
            merges.append((vocab[left], vocab[right], vocab[left + right]))
        except KeyError:
            _fail(source, number, lines[number], vocab)
        if not left or not space or not right:
            _fail(source, number, lines[number], vocab)
    return merges


def _lines(source: Source) -> list[str]:
    """Only a line feed ends a line (one that Windows has made may have a carriage return, which
    no token is spelled with)."""
    try:
        text = source.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{source.name}: line {line:,} is not valid UTF-8.") from None
    return text.replace("\r\n", "\n").split("\n")


def _fail(source: Source, number: int, line: str, vocab: dict[str, int]) -> NoReturn:
    parts = line.split(" ")
    if len(parts) != 2 or not all(parts):
        reason = f"must be two tokens with a space between them, not {quoted(line)}"
    else:
        lacking = next(token for token in (*parts, "".join(parts)) if token not in vocab)
        use = "makes" if lacking == "".join(parts) else "uses"
        reason = f"{use} {quoted(lacking)}, which is not in the vocabulary"
    raise ValueError(f"{source.name}: line {number + 1:,} {reason}.")
