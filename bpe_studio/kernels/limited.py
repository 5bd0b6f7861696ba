"""Learning merges by rules: pairs that are not allowed are passed over.

What learns without rules is left as it is, to the last instruction: it is called merge by merge.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bpe_studio.kernels.allowed import is_allowed, note_token
from bpe_studio.kernels.merge import learn
from bpe_studio.kernels.pairs import DONE, MORE, ROWS, best_row
from bpe_studio.kernels.queue import HEAP, drop_top


@njit(nogil=True, cache=True)
def _drop_refused(pieces, pairs, ties, min_count, limits, budget):
    """Drops the best pairs off the queue until the best one may be merged, or none is left.

    They are gone for ever: a pair has a place in the queue only once, when it comes to be.

    Returns
    -------
    (bool, int)
        Whether that is known, and about how many places were looked at; it is not when there were
        more than `budget`.
    """
    spent = np.int64(0)
    while spent <= budget:
        row = best_row(pieces, pairs, ties, min_count)
        if row < 0:
            return True, spent
        allowed, looked_at = is_allowed(pieces, pairs, row, limits)
        spent += looked_at + 1
        if allowed:
            return True, spent
        drop_top(pairs.queue.entries, pairs.queue.sizes)
    return False, spent


@njit(nogil=True, cache=True)
def learn_by_rules(
    pieces, pairs, record, scratch, limits, first_new, first, last, ties, min_count, budget,
):  # fmt: skip
    """As `merge.learn`, of the pairs that `limits` allow; EXHAUSTED when none of these is left."""
    spent = np.int64(0)
    rank = first
    while rank < last:
        if spent > budget:
            return rank, MORE
        known, looked_at = _drop_refused(pieces, pairs, ties, min_count, limits, budget - spent)
        spent += looked_at
        if not known:
            return rank, MORE
        if pairs.queue.sizes[HEAP] > 0:
            spent += pairs.rows[pairs.queue.entries[0].row].length + 16
        rank, said = learn(
            pieces, pairs, record, scratch, first_new, rank, rank + 1, ties, min_count, budget,
        )  # fmt: skip
        if said != DONE:
            return rank, said
        merge = record.merges[rank - 1]
        note_token(limits, merge[0] + 1, merge[1] + 1, merge[2] + 1)
    return last, DONE


@njit(nogil=True, cache=True)
def any_frequent(pairs, min_count):
    """Whether any pair is as frequent, whether or not it is allowed; merged ones are none."""
    for row in range(pairs.used[ROWS]):
        if pairs.table[pairs.rows[row].slot].count >= min_count:
            return True
    return False
