"""Where a text may be cut so that tokenizers make the same of its parts as of the whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.scanner import rules_of
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["LastCut", "last_cut_of"]

LastCut = Callable[[NDArray[np.uint8], int, int], int]


def last_cut_of(tokenizers: Sequence[Tokenizer]) -> LastCut:
    """``last_cut(data, start, end)``: the last place in ``data[start:end]`` where all may be cut.

    It is `start` where there is none.
    """
    patterns = {tokenizer.pattern.expression: tokenizer.pattern for tokenizer in tokenizers}
    rules = [rules_of(pattern) for pattern in patterns.values()]
    if None in rules or not all(tokenizer.may_cut() for tokenizer in tokenizers):
        return lambda _data, start, _end: start
    from bpe_studio.kernels.scan import last_cut

    first, *others = rules

    def last(data: NDArray[np.uint8], start: int, end: int) -> int:
        place = int(last_cut(data, start, end, first))
        while place > start:
            # It is one for others where it is the last in the text up to one byte further.
            further = min(place + 1, end)
            theirs = [int(last_cut(data, start, further, each)) for each in others]
            lowest = min(theirs, default=place)
            if lowest == place:
                return place
            place = int(last_cut(data, start, min(lowest + 1, end), first))
        return start

    return last
