"""Compares the pieces of the compiled scanner with those of `regex`, on whole corpora.

    python -m tests.bench.scanner_equality CORPUS… [--megabytes 100] [--presets gpt2 cl100k …]

The compiled scanner sees the text as a whole, `regex` about a million characters at a time; so
this also judges the places where a text may be cut. A difference is shown, and ends the run with
status 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.patterns import PRESETS, Pattern
from bpe_studio.bpe.scanner import PADDING, cut_blocks, rules_of
from bpe_studio.kernels.scan import scan

SLICE_CHARS = 1 << 20


def read_text(path: Path, megabytes: float) -> str:
    """The first so many megabytes, without what is no UTF-8."""
    with path.open("rb") as file:
        return file.read(int(megabytes * 1e6)).decode(errors="ignore")


def padded(text: str) -> NDArray[np.uint8]:
    """The bytes of a text, with room behind them."""
    return np.frombuffer(text.encode() + bytes(PADDING), dtype=np.uint8)


def compiled_ends(pattern: Pattern, data: NDArray[np.uint8]) -> Iterator[NDArray[np.int64]]:
    """Where the pieces end in padded bytes, a few thousand at a time."""
    rules = rules_of(pattern)
    position, end = 0, len(data) - PADDING
    ends = np.empty(4096, dtype=np.int64)
    while position < end:
        count, position = scan(data, position, end, rules, ends)
        yield ends[:count]


def regex_ends(pattern: Pattern, text: str) -> Iterator[NDArray[np.int64]]:
    """Where the pieces end in ``text.encode()``, a slice at a time."""
    before = 0
    for first, last in cut_blocks(pattern, text, SLICE_CHARS):
        part = text[first:last]
        data = np.frombuffer(part.encode(), dtype=np.uint8)
        places = np.append(np.flatnonzero(data & 0xC0 != 0x80), len(data))
        matches = pattern.compiled.finditer(part)
        yield places[np.fromiter((match.end() for match in matches), dtype=np.int64)] + before
        before += len(data)


def first_difference(pattern: Pattern, text: str) -> tuple[int, int | None]:
    """How many pieces are the same from the beginning, and the byte where they differ, or None."""
    found = compiled_ends(pattern, padded(text))
    waiting = np.zeros(0, dtype=np.int64)
    same = 0
    for expected in regex_ends(pattern, text):
        parts, length = [waiting], len(waiting)
        while length < len(expected) and (part := next(found, None)) is not None:
            parts.append(part.copy())
            length += len(part)
        waiting = np.concatenate(parts)
        both = min(len(waiting), len(expected))
        unlike = np.flatnonzero(waiting[:both] != expected[:both])
        if len(unlike) or both < len(expected):
            place = int(unlike[0]) if len(unlike) else both
            return same + place, int(expected[max(place - 1, 0)])
        same += both
        waiting = waiting[both:]
    if len(waiting):
        return same, int(waiting[0])
    return same, None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--presets", nargs="+", choices=PRESETS, default=list(PRESETS))
    arguments = parser.parse_args()
    differ = 0
    for path in arguments.corpora:
        text = read_text(path, arguments.megabytes)
        data = text.encode()
        for name in arguments.presets:
            begin = time.process_time()
            same, place = first_difference(PRESETS[name], text)
            seconds = time.process_time() - begin
            told = "equal" if place is None else "DIFFERENT"
            print(
                f"{path.name}  {name:8}{len(data) / 1e6:8.1f} MB {same:12,} pieces  "
                f"{told} ({seconds:.0f} s)",
                flush=True,
            )
            if place is not None:
                differ += 1
                print(f"  at byte {place:,}: {data[max(0, place - 40) : place + 40]!r}")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
