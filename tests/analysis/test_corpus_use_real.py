"""The pass over 5 MB of Python's own library against a count in plain Python."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import regex

import bpe_studio as bs
from bpe_studio.analysis.usage import corpus_use
from bpe_studio.bpe.corpus import find_files

BYTES = 5_000_000


def library() -> Iterator[tuple[Path, str]]:
    """Files of Python's library, until they are enough."""
    size = 0
    for path in sorted(Path(os.__file__).parent.rglob("*.py")):
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        if text and "site-packages" not in path.parts:
            yield path, text
            size += len(text.encode())
        if size >= BYTES:
            return


def test_uses_makings_documents_and_shares() -> None:
    tokenizer = bs.load("stdlib-8k")
    ranks = {(left, right): (rank, new)
             for rank, (left, right, new) in enumerate(tokenizer.merges)}  # fmt: skip
    pattern = regex.compile(tokenizer.pattern.expression)
    byte_ids = tokenizer.table.byte_ids.tolist()

    @cache
    def merged(piece: str) -> tuple[Counter[int], Counter[int]]:
        """What a piece becomes, and all that came to be on the way."""
        symbols = [byte_ids[byte] for byte in piece.encode()]
        made = Counter(symbols)
        while pairs := [ranks[pair] for pair in zip(symbols, symbols[1:], strict=False)
                        if pair in ranks]:  # fmt: skip
            rank, new = min(pairs)
            joined: list[int] = []
            for symbol in symbols:
                if joined and ranks.get((joined[-1], symbol)) == (rank, new):
                    joined[-1] = new
                    made[new] += 1
                else:
                    joined.append(symbol)
            symbols = joined
        return Counter(symbols), made

    final: Counter[int] = Counter()
    created: Counter[int] = Counter()
    documents: dict[int, list[tuple[int, int]]] = defaultdict(list)
    files = list(library())
    for number, (_, text) in enumerate(files):
        uses: Counter[int] = Counter()
        for piece, count in Counter(pattern.findall(text)).items():
            result, made = merged(piece)
            for token, times in result.items():
                uses[token] += count * times
            for token, times in made.items():
                created[token] += count * times
        final += uses
        for token, times in uses.items():
            documents[token].append((times, number))

    found = corpus_use(tokenizer, find_files([path for path, _ in files]))
    assert found.bytes >= BYTES
    assert found.tokens == sum(final.values())
    for place, token in enumerate(found.ids.tolist()):
        most, minus = max(((times, -number) for times, number in documents[token]), default=(0, 1))
        assert found.of(token) == (final[token], created[token])
        assert found.documents[place] == len(documents[token])
        assert (found.largest[place], found.largest_document[place]) == (most, -minus)
        if most:
            assert found.share[place] == most / final[token]
