"""Long pieces, merged in windows, against the oracle, which knows of no windows.

These tables are ordered, so the oracle may merge a rank everywhere: one by one it would take hours.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.kernels.turns import SHORT
from bpe_studio.kernels.windows import WINDOW
from tests import oracle
from tests.bpe.test_trainer import trained

KINDS = {
    "one letter": lambda rng, n: "a" * n,
    "two letters": lambda rng, n: "".join(rng.choices("ab", k=n)),
    "letters": lambda rng, n: "".join(rng.choices("abcdefgh", k=n)),
    "blocks": lambda rng, n: "".join(rng.choice("abc") * rng.randrange(1, 200) for _ in range(n))[
        :n
    ],
    "a period": lambda rng, n: ("abcab" * n)[:n],
    "characters": lambda rng, n: "".join(rng.choices("日本語é", k=n // 3)),
}
LENGTHS = [SHORT + 1, 100, 101, 2 * SHORT, 1025, 2 * WINDOW + 1, 4 * WINDOW - 5]


@cache
def table(base: str) -> Tokenizer:
    rng = random.Random(3)
    sample = [make(rng, 400) for make in KINDS.values()]
    return trained(sample * 2, vocab_size=420, base=base)


@pytest.mark.parametrize("base", ["bytes", "chars"])
@pytest.mark.parametrize("kind", KINDS)
def test_pieces_of_every_length(kind: str, base: str) -> None:
    tokenizer = table(base)
    byte_ids = tokenizer.table.byte_ids.tolist()
    rng = random.Random(kind)
    for length in LENGTHS:
        piece = KINDS[kind](rng, length)
        expected = oracle.encode_piece_everywhere(
            piece, tokenizer.merges, byte_ids, tokenizer.table.char_ids
        )
        assert tokenizer.encode_piece(piece.encode()) == expected
        assert tokenizer.encode(piece) == expected


def test_tokens_longer_than_any_window() -> None:
    """Doubling tokens: two windows of a run need not have one in common."""
    merges = [(97, 97, 256), *((255 + k, 255 + k, 256 + k) for k in range(1, 14))]
    table = MergeTable.build(byte_ids=range(256), merges=merges)
    tokenizer = Tokenizer(table, PRESETS["classic"])
    for length in (63, 129, 1000, 4097, 20_001):
        piece = "a" * length + "b" + "a" * 77
        expected = oracle.encode_piece_everywhere(piece, merges, list(range(256)), {})
        assert tokenizer.encode_piece(piece.encode()) == expected
