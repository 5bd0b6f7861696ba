"""merges.txt: a line ``#version``, and then two tokens a line with a space between them."""

from __future__ import annotations

from typing import Final, NoReturn

from bpe_studio.formats.source import Source
from bpe_studio.formats.strict.json import quoted
from bpe_studio.formats.text_lines import text_lines

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
    lines = text_lines(source)
    first = 1 if lines and lines[0].startswith(_VERSION) else 0
    end = len(lines)
    while end > first and not lines[end - 1]:
        end -= 1
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


def _fail(source: Source, number: int, line: str, vocab: dict[str, int]) -> NoReturn:
    parts = line.split(" ")
    if len(parts) != 2 or not all(parts):
        reason = f"must be two tokens with a space between them, not {quoted(line)}"
    else:
        lacking = next(token for token in (*parts, "".join(parts)) if token not in vocab)
        use = "makes" if lacking == "".join(parts) else "uses"
        reason = f"{use} {quoted(lacking)}, which is not in the vocabulary"
    raise ValueError(f"{source.name}: line {number + 1:,} {reason}.")
