"""In which documents rare pieces are: from what every table has met to one list for each piece.

The entries of the tables hold the numbers of their pieces by now, see `join.write`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bpe_studio.kernels.count import COUNT, ENTRY_WORDS

_ENTRY = np.uint64((1 << 32) - 1)
_DOCUMENT_SHIFT = np.uint64(32)


@njit(nogil=True, cache=True)
def mark_settled(table, first, last, settled):
    """Marks the pieces of entries that enough documents have in this table alone."""
    entries, seen_in, floor = table.entries, table.seen_in, table.floor
    for number in range(first, last):
        if seen_in[2 * number + 1] >= floor:
            settled[np.int64(entries[number * ENTRY_WORDS + COUNT])] = True


@njit(nogil=True, cache=True)
def measure_lists(table, first, last, settled, sizes):
    """Adds what the pieces that are not settled were met in, to ``sizes[piece]``."""
    entries, met = table.entries, table.met
    for i in range(first, last):
        piece = np.int64(entries[np.int64(met[i] & _ENTRY) * ENTRY_WORDS + COUNT])
        if not settled[piece]:
            sizes[piece] += 1


@njit(nogil=True, cache=True)
def fill_lists(table, first, last, settled, cursors, documents):
    """Writes the documents of the pieces that are not settled, from ``cursors[piece]`` on."""
    entries, met = table.entries, table.met
    for i in range(first, last):
        piece = np.int64(entries[np.int64(met[i] & _ENTRY) * ENTRY_WORDS + COUNT])
        if not settled[piece]:
            documents[cursors[piece]] = met[i] >> _DOCUMENT_SHIFT
            cursors[piece] += 1
