"""Which documents of a corpus are held out: a share of them, chosen by what they say.

A document is chosen by the SHA-256 of `SEED` and the first `LOOKED_AT` bytes of its text, as UTF-8
after decoding: so neither its name, its place, the rest of a long one nor the way in which it comes
in blocks matters, equal documents go together, and a larger share holds out all that a smaller one
does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final

from bpe_studio.bpe.corpus import Block

__all__ = ["LOOKED_AT", "SEED", "is_held_out", "split_held_out", "without_held_out"]

SEED: Final = b"bpe-studio hold-out 1\n"
LOOKED_AT: Final = 1 << 16
"""Bytes. Reading a corpus once must do, so a long document is told by how it begins."""

_ALL: Final = 1 << 64


def is_held_out(text: bytes, share: float) -> bool:
    """Whether a document is held out, by its text in UTF-8 or the first `LOOKED_AT` bytes of it."""
    digest = hashlib.sha256(SEED + text[:LOOKED_AT]).digest()
    return int.from_bytes(digest[:8], "big") < int(share * _ALL)


def split_held_out(blocks: Iterable[Block], share: float) -> Iterator[tuple[bool, Block]]:
    """Every block with whether its document is held out.

    The first blocks of a document are joined until so much of it is there that this is known.
    """
    begun = bytearray()
    decided: bool | None = None
    for block in blocks:
        if decided is None:
            if not block.data and not block.last:  # it only says that reading goes on
                yield False, block
                continue
            begun += block.data
            if len(begun) < LOOKED_AT and not block.last:
                continue
            decided = is_held_out(bytes(begun[:LOOKED_AT]), share)
            block = block._replace(data=bytes(begun))
            begun.clear()
        yield decided, block
        if block.last:
            decided = None


def without_held_out(blocks: Iterable[Block], share: float) -> Iterable[Block]:
    """The blocks of the documents that are not held out."""
    if not share:
        return blocks
    return (block for held, block in split_held_out(blocks, share) if not held)
