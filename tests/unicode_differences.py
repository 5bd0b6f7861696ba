"""The code points that tiktoken and the installed `regex` put into different classes.

Their Unicode versions differ, so pieces, and with them ids, may differ where a text holds one of
these. The list is kept beside this file; ``python -m tests.unicode_differences`` makes it anew.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Final

import regex

LIST: Final = Path(__file__).with_suffix(".txt")
# Every class that a pattern which tiktoken has too is made of.
CLASSES: Final = (
    r"\p{L}",
    r"\p{N}",
    r"\s",
    r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]",
    r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]",
    r"(?i:[sdmtlrve])",
)
_EVERY: Final = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))


def read_differences() -> frozenset[str]:
    """The characters in the list."""
    found: set[str] = set()
    for line in LIST.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            first, _, last = line.partition("-")
            found.update(map(chr, range(int(first, 16), int(last or first, 16) + 1)))
    return frozenset(found)


def find_differences() -> set[str]:
    """The characters on which the installed packages differ."""
    import tiktoken

    bytes_alone = {bytes([byte]): byte for byte in range(256)}
    found: set[str] = set()
    for expression in CLASSES:
        encoding = tiktoken.Encoding(
            "bytes", pat_str=expression, mergeable_ranks=bytes_alone, special_tokens={}
        )
        theirs = bytes(encoding.encode_ordinary(_EVERY)).decode()
        found |= set(regex.findall(expression, _EVERY)) ^ set(theirs)
    return found


def main() -> None:
    """Writes the list."""
    import tiktoken

    points = sorted(map(ord, find_differences()))
    starts = [points[0], *(b for a, b in pairwise(points) if b > a + 1)]
    ends = [*(a for a, b in pairwise(points) if b > a + 1), points[-1]]
    ranges = [f"{a:X}-{b:X}" if a < b else f"{a:X}" for a, b in zip(starts, ends, strict=True)]
    head = (
        f"# tiktoken {tiktoken.__version__}, regex {regex.__version__}: {len(points)} code points"
    )
    LIST.write_text("\n".join([head, *ranges]) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
