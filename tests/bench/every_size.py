"""Tokens at every vocabulary size from one traced encode, against encoding again: the same?

    python -m tests.bench.every_size DIR --text en.txt

For every tokenizer file of the folder that has merges: a sentence under the first k merges for
*every* k, merged one pair at a time by plain Python that looks only at ranks below k; and the first
100,000 characters of the text at random sizes by ``tokenizer.prefix(k).encode_with_offsets``, ids
and spans. The exit status is 1 where anything differs.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from bpe_studio import formats
from bpe_studio.bpe.scanner import iter_pieces
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.traced_text import trace_text

SENTENCE: Final = " Tokenizing strawberry: 12345 straße, 東京 🙂!\n\tdef lowest(self):"
_NEVER: Final = 1 << 60


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--text", type=Path, required=True)
    parser.add_argument("--characters", type=int, default=100_000)
    parser.add_argument("--sizes", type=int, default=40)
    given = parser.parse_args(arguments)
    text = given.text.read_text(encoding="utf-8")[: given.characters]
    wrong = 0
    for path, tokenizer in _tokenizers(given.folder):
        started = time.perf_counter()
        every = 0 if tokenizer.edits_text else _differences_at_every_size(tokenizer, SENTENCE)
        some = _differences_at_some_sizes(tokenizer, text, given.sizes)
        merges = len(tokenizer.table.merges)
        first = "not asked (it edits texts)" if tokenizer.edits_text else f"{every} differences"
        print(
            f"{path.name}: {merges:,} merges; a sentence at all {merges + 1:,} sizes: {first}; "
            f"{len(text):,} characters at {given.sizes} sizes: {some} differences "
            f"({time.perf_counter() - started:.0f} s)",
            flush=True,
        )
        wrong += every + some
    return int(wrong > 0)


def _tokenizers(folder: Path) -> Iterator[tuple[Path, Tokenizer]]:
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            tokenizer = formats.load(path)
        except ValueError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        if not tokenizer.view_only and tokenizer.outside is None and len(tokenizer.table.merges):
            yield path, tokenizer


def _differences_at_every_size(tokenizer: Tokenizer, text: str) -> int:
    """At how many sizes the number of tokens is not that of plain merging."""
    pieces = [piece for some in iter_pieces(tokenizer.pattern, text) for piece in some]
    merges = len(tokenizer.table.merges)
    expected = sum(np.array(list(_lengths(tokenizer, piece, merges))) for piece in pieces)
    return int(np.count_nonzero(trace_text(tokenizer, text).counts() != expected))


def _lengths(tokenizer: Tokenizer, piece: str, merges: int) -> Iterator[int]:
    """The tokens of a piece under the first 0, 1, … merges."""
    table = tokenizer.table
    symbols = list(table.symbols(piece.encode()))
    whole = table.find(piece.encode()) if tokenizer.engine == "whole-piece-first" else None
    ranks = () if whole is None else table.ranks_of(whole)
    needed = _NEVER if whole is None else ranks[0] + 1 if ranks else 0
    for k in range(merges + 1):
        yield 1 if k >= needed else _merged(symbols, table.merge_ranks, k)


def _merged(symbols: list[int], ranks: dict[tuple[int, int], tuple[int, int]], below: int) -> int:
    """How many symbols are left when ranks below a bound are merged, one pair at a time."""
    word = list(symbols)
    while True:
        found = [
            (ranks[pair][0], at)
            for at, pair in enumerate(zip(word, word[1:], strict=False))
            if pair in ranks and ranks[pair][0] < below
        ]
        if not found:
            return len(word)
        _, at = min(found)
        word[at : at + 2] = [ranks[word[at], word[at + 1]][1]]


def _differences_at_some_sizes(tokenizer: Tokenizer, text: str, sizes: int) -> int:
    """At how many of some sizes ids or spans are not those of the smaller tokenizer."""
    traced = trace_text(tokenizer, text)
    merges, counts = len(tokenizer.table.merges), traced.counts()
    rng = random.Random(5)
    wrong = 0
    for k in [merges, *(rng.randint(traced.exact_from, merges) for _ in range(sizes - 1))]:
        expected = tokenizer.prefix(k).encode_with_offsets(text)
        found = traced.cut(k)
        same = np.array_equal(found.ids, expected.ids)
        same = same and np.array_equal(found.offsets, expected.offsets)
        wrong += not (same and counts[k] == len(expected))
    return wrong


if __name__ == "__main__":
    sys.exit(main())
