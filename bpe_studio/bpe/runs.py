"""Blocks of documents → runs: stretches of text that may be counted one by one.

A run holds any number of small documents, or a part of a large one, cut where the pattern allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.corpus import Block
from bpe_studio.bpe.scanner import PADDING

__all__ = ["Run", "RunBuilder", "padded"]


class Run(NamedTuple):
    """Text that is counted by one thread.

    Attributes
    ----------
    number : int
        From 0, in reading order.
    data : uint8 array
        UTF-8, and `PADDING` bytes that mean nothing.
    documents : int64 array
        Where each document in it ends.
    first_document : int
        The number of the first one, from 0.
    continues, goes_on : bool
        Whether the first document has begun, and the last one ends, in another run.
    """

    number: int
    data: NDArray[np.uint8]
    documents: NDArray[np.int64]
    first_document: int
    continues: bool
    goes_on: bool


def padded(text: bytearray) -> NDArray[np.uint8]:
    """The text, with padding put after it; not copied."""
    text += bytes(PADDING)
    # Not to be written: kernels are compiled for what the bytes of a str give, and for no more.
    return np.frombuffer(memoryview(text).toreadonly(), dtype=np.uint8)


class RunBuilder:
    """Gathers blocks and gives them back in runs of `size` bytes or more.

    Parameters
    ----------
    size : int
    last_cut : callable
        ``last_cut(data, start, end)``: the last place in ``data[start:end]``, the beginning of a
        text, where it may be cut; `start` where there is none.
    """

    def __init__(self, size: int, last_cut: Callable[[NDArray[np.uint8], int, int], int]) -> None:
        self._size = self._wanted = size
        self._last_cut = last_cut
        self._text = bytearray()
        self._ends: list[int] = []
        self._number = self._document = 0
        self._continues = False

    def take(self, block: Block) -> Iterator[Run]:
        """The runs that are complete with this block."""
        self._text += block.data
        if block.last:
            self._ends.append(len(self._text))
        if len(self._text) >= self._wanted:
            yield from self._cut()

    def rest(self) -> Iterator[Run]:
        """What is left after the last block."""
        if self._ends:
            yield self._run(len(self._text))

    def _cut(self) -> Iterator[Run]:
        start = self._ends[-1] if self._ends else 0
        end = len(self._text)
        if start < end:
            text = padded(self._text)
            end = self._last_cut(text, start, end)
            del text
            del self._text[-PADDING:]
        if end:
            yield self._run(end)
            self._wanted = self._size
        else:
            # Text without a place to cut is searched again when there is twice as much.
            self._wanted = 2 * len(self._text)

    def _run(self, end: int) -> Run:
        ends, goes_on = self._ends, False
        if not ends or ends[-1] < end:
            ends, goes_on = [*ends, end], True
        rest = self._text[end:]
        del self._text[end:]
        run = Run(
            number=self._number,
            data=padded(self._text),
            documents=np.array(ends, dtype=np.int64),
            first_document=self._document,
            continues=self._continues,
            goes_on=goes_on,
        )
        self._number += 1
        self._document += len(ends) - goes_on
        # Without `goes_on` it ends with a document, or a whole one follows.
        self._continues = goes_on
        self._text, self._ends = rest, []
        return run
