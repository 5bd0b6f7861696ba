"""Documents that are too large for tokenizers which have to see them whole, cut at line ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from bpe_studio.bpe.corpus import Block, Corpus

__all__ = ["cut_long"]


def cut_long(
    blocks: Iterable[Block], most: int | None, corpus: Corpus, cuts: Counter[int]
) -> Iterator[Block]:
    """The blocks, with every document of over `most` bytes made several that end with a line.

    Parameters
    ----------
    cuts : Counter
        Of cuts in each file, by its number; counted up.

    Raises
    ------
    ValueError
        Twice as many bytes have no line end.
    """
    if most is None:
        yield from blocks
        return
    size, shift = 0, 0
    for block in blocks:
        block = block._replace(document=block.document + shift)
        size += len(block.data)
        if size > most:
            end = block.data.rfind(b"\n") + 1
            if end:
                yield block._replace(data=block.data[:end], last=True)
                shift += 1
                cuts[block.file] += 1
                block = block._replace(document=block.document + 1, data=block.data[end:])
                size = len(block.data)
            elif size > 2 * most:
                raise ValueError(
                    f"{corpus.files[block.file].label}: one of the tokenizers encodes a document "
                    f"only as a whole, and one here has over {2 * most >> 20} MiB without a line "
                    "end; split it into files."
                )
        if block.last:
            size = 0
        yield block
