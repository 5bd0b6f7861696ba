"""Small tables for the tests of the window, learned by a plain trainer in a moment."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np

from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.reference import merge
from bpe_studio.bpe.scanner import split_pieces
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord

SPECIALS = ("<pad>", "<bos>", "<eos>")
PROSE = "low low lower lowest newer newest wider widest the then there this that "


@cache
def small_tokenizer(text: str = PROSE * 3, merges: int = 40, pattern: str = "classic") -> Tokenizer:
    """Train on a text; the byte b has the id 3 + b."""
    words = Counter(piece.encode() for piece in split_pieces(PRESETS[pattern], text))
    pieces = [(tuple(3 + byte for byte in word), count) for word, count in words.items()]
    symbols = sum(len(piece) * count for piece, count in pieces)
    rows, counts = [], []
    for new in range(259, 259 + merges):
        pairs: Counter[tuple[int, int]] = Counter()
        for piece, count in pieces:
            for pair in zip(piece, piece[1:], strict=False):
                pairs[pair] += count
        if not pairs or max(pairs.values()) < 2:
            break
        left, right = max(pairs, key=pairs.__getitem__)
        rows.append((left, right, new))
        counts.append(pairs[left, right])
        pieces = [(merge(piece, left, right, new)[0], count) for piece, count in pieces]
    applied = np.array(counts, np.int64)
    size = len(text.encode())
    return Tokenizer(
        table=MergeTable.build(byte_ids=range(3, 259), merges=rows),
        pattern=PRESETS[pattern],
        special_ids={name: number for number, name in enumerate(SPECIALS)},
        roles={"pad": "<pad>", "bos": "<bos>", "eos": "<eos>"},
        training=TrainingRecord(
            counts=applied,
            applied=applied,
            settings={"vocab_size": 259 + merges, "pattern": pattern},
            totals={
                "documents": 1,
                "characters": len(text),
                "bytes": size,
                "pieces": sum(words.values()),
                "distinct_pieces": len(words),
                "base_symbols": symbols,
                "tokens": symbols - int(applied.sum()),
            },
        ),
    )
