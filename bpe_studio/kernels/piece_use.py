"""Texts → which distinct pieces each has, how often, and where first.

Pieces are looked up in a table of `count`, where each has a number; what is known of a document is
a few rows, one for each of its distinct pieces.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bpe_studio.kernels.count import ENTRIES, GROUP, count_group, has_room
from bpe_studio.kernels.scan import scan

# A piece of a document: its number, how often it is there, and where it begins first.
USE = np.dtype([("piece", np.int64), ("count", np.int64), ("place", np.int64)])
# What `use_texts` says when it returns.
DONE, NEEDS_ROOM = 0, 1
# No piece is cut: what is longer than a run of text is kept as it is.
_NO_CAP = np.int64(1 << 60)


@njit(nogil=True, cache=True)
def use_texts(data, texts, state, rules, ends, table, scratch, last_in, uses, borders):
    """Scans texts that stand one after another, and notes their pieces.

    Parameters
    ----------
    data : uint8, with padding after the last text
    texts : int64, where they end
    state : int64, of two
        The text and the position to begin with; moved on.
    rules : of the scanner
    ends : int64
        Room for a batch.
    table, scratch : as of `count.count_pieces`
    last_in : int64, with room for all pieces
        The row of `uses` where each was noted last, plus 1; 0 for none.
    uses : USE, with room for a row for every piece of the texts
    borders : int64, shape (texts + 1,)
        Text i has the rows ``uses[borders[i] : borders[i + 1]]``.

    Returns
    -------
    DONE, or NEEDS_ROOM: to be called again with a larger table.
    """
    index, position = state[0], state[1]
    while index < len(texts):
        end = texts[index]
        first = borders[index]
        while position < end:
            n, after = scan(data, position, end, rules, ends)
            room = table.used[ENTRIES] + n <= len(last_in)
            if not has_room(table, n, after - position, _NO_CAP) or not room:
                return NEEDS_ROOM
            filled = borders[index + 1]
            for group in range(0, n, GROUP):
                last = min(n, group + GROUP)
                count_group(data, position, ends, group, last, _NO_CAP, index, table, scratch)
                for i in range(group, last):
                    number = np.int64(scratch[3 * (i - group) + 2])
                    row = last_in[number] - 1
                    # A row of an earlier call may be anybody's now.
                    if row >= first and row < filled and uses[row].piece == number:
                        uses[row].count += 1
                    else:
                        uses[filled].piece = number
                        uses[filled].count = 1
                        uses[filled].place = position
                        filled += 1
                        last_in[number] = filled
                    position = ends[i]
            borders[index + 1] = filled
            state[1] = position
        index += 1
        state[0] = index
        if index < len(texts):
            borders[index + 1] = borders[index]
    return DONE
