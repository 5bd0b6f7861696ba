"""Spans without the spaces at the ends of tokens, as `trim_offsets` of Hugging Face gives them."""

from __future__ import annotations

from typing import Final

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_studio.bpe.encoder import Encoding
from bpe_studio.bpe.table import MergeTable

__all__ = ["Trimmer"]

_SPACES: Final = regex.compile(r"\p{White_Space}*")
_SPACES_BEFORE: Final = regex.compile(r"(?r)\p{White_Space}*")


class Trimmer:
    """Knows how many spaces every token of a table begins and ends with."""

    def __init__(self, table: MergeTable, *, prefixed: bool) -> None:
        """
        Parameters
        ----------
        prefixed : bool
            Whether a space is put in front of a text: then the first token keeps a single one.
        """
        self._ids = table.ids
        self._prefixed = prefixed
        tokens = table.token_list
        self._leading = _counts([len(token) - len(token.lstrip(b" ")) for token in tokens])
        self._trailing = _counts([len(token) - len(token.rstrip(b" ")) for token in tokens])

    def trimmed(self, encoding: Encoding, text: str) -> Encoding:
        """The same ids with the shorter spans, of what a text was encoded to."""
        ids, starts, ends = encoding.ids, encoding.offsets[:, 0], encoding.offsets[:, 1]
        places = np.minimum(np.searchsorted(self._ids, ids), max(len(self._ids) - 1, 0))
        known = self._ids[places] == ids if len(self._ids) else np.zeros(len(ids), dtype=np.bool_)
        leading = np.where(known, self._leading[places], 0)
        trailing = np.where(known, self._trailing[places], 0)
        first = np.zeros(len(ids), dtype=np.bool_)
        if self._prefixed:
            first = starts == 0
            first[:1] = True
            leading[first & (leading == 1)] = 0
        data = b"" if known.all() else text.encode()
        for place in np.flatnonzero(~known).tolist():
            # An added token takes white space with it that is none of its own.
            taken = data[starts[place] : ends[place]].decode()
            leading[place], trailing[place] = _around(taken, keeps_one=bool(first[place]))
        new_starts = np.minimum(starts + leading, ends)
        new_ends = np.where(trailing > 0, np.maximum(ends - trailing, new_starts), ends)
        return Encoding(ids, np.stack((new_starts, new_ends), axis=1))


def _around(taken: str, *, keeps_one: bool) -> tuple[int, int]:
    """The white space at the two ends of a text, in bytes.

    `keeps_one` says that a single one in front counts for none.
    """
    before = _SPACES.match(taken)[0]
    after = _SPACES_BEFORE.match(taken)[0]
    before = "" if keeps_one and len(before) == 1 else before
    return len(before.encode()), len(after.encode())


def _counts(numbers: list[int]) -> NDArray[np.int64]:
    return np.array(numbers or [0], dtype=np.int64)
