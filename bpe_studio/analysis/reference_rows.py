"""Rows of an embedding matrix that no text can have trained, to compare the others with."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import Final

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_studio.analysis import utf8
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["BEYOND", "CHOSEN", "RESERVED", "find_reference", "never_valid", "rows_from_words"]

BEYOND: Final = "rows beyond the vocabulary"
HOLES: Final = "ids that no token has"
RESERVED: Final = "reserved or unused tokens"
BYTES: Final = "bytes that no UTF-8 text has"
NEVER: Final = "tokens that no UTF-8 text has"
CHOSEN: Final = "rows that were chosen"

# As models name what they keep free: <|reserved_special_token_5|>, <unused12>, [unused3],
# <SPECIAL_20>, <|extra_7|>, <|dummy_3|>, <|placeholder1|>.
_RESERVED: Final = regex.compile(
    r"[<\[]\|?_?(?:[a-z_]*(?:reserved|unused|not_used|placeholder|dummy)[a-z_]*"
    r"|SPECIAL_|extra_|control_)_?\d+\|?[>\]]",
    regex.IGNORECASE,
)
_TABLE_RESERVED: Final = regex.compile(r"[<\[]unused\d+[>\]]")
_MOST_DIGITS: Final = 12


def find_reference(tokenizer: Tokenizer, rows: int) -> dict[str, NDArray[np.int64]]:
    """Rows by sort, each row in one sort and each sort ascending; sorts without rows are left out.

    Parameters
    ----------
    rows : int
        How many rows the matrix has.
    """
    bound = tokenizer.id_bound
    used = np.zeros(bound, np.bool_)
    used[tokenizer.table.ids] = True
    used[[*tokenizer.special_ids.values()]] = True
    never = never_valid(tokenizer)
    single = [i for i in never.tolist() if len(tokenizer.token_bytes(i)) == 1]
    found = {
        BEYOND: np.arange(bound, rows),
        HOLES: np.flatnonzero(~used),
        RESERVED: np.array(_reserved(tokenizer), np.int64),
        BYTES: np.array(single, np.int64),
        NEVER: np.setdiff1d(never, single),
    }
    return {sort: np.sort(ids[ids < rows]) for sort, ids in found.items() if len(ids)}


def never_valid(tokenizer: Tokenizer) -> NDArray[np.int64]:
    """The ids of tokens with bytes that no UTF-8 text has, such as C0 and F5 to FF."""
    tokens = zip(tokenizer.table.ids.tolist(), tokenizer.table.token_list, strict=True)
    found = [i for i, data in tokens if not data.isascii() and utf8.classify(data) == "never"]
    return np.array(found, np.int64)


def _reserved(tokenizer: Tokenizer) -> list[int]:
    specials = [i for name, i in tokenizer.special_ids.items() if _RESERVED.fullmatch(name)]
    tokens = zip(tokenizer.table.ids.tolist(), tokenizer.table.token_list, strict=True)
    kept = [
        i
        for i, data in tokens
        if b"unused" in data and _TABLE_RESERVED.fullmatch(data.decode("utf-8", "replace"))
    ]
    return specials + kept


def rows_from_words(words: str, rows: int) -> tuple[int, ...]:
    """Ids and ranges as a person writes them: ``"5, 10-12" -> (5, 10, 11, 12)``.

    Raises
    ------
    ValueError
        A part is neither, or goes beyond the rows of the matrix.
    """
    found: set[int] = set()
    for part in filter(None, (part.strip() for part in words.split(","))):
        ends = [end.strip() for end in part.split("-")]
        if len(ends) > 2 or not all(e.isascii() and e.isdigit() for e in ends):
            raise ValueError(
                f"Reference rows are ids and ranges, such as 5,128000-128255, and {part[:40]!r} is "
                "neither."
            )
        first, last = (int(end[:_MOST_DIGITS]) for end in (ends[0], ends[-1]))
        if first > last:
            raise ValueError(f"The range {part[:40]} of reference rows ends before it begins.")
        check_rows((last,), rows)
        found.update(range(first, last + 1))
    if not found:
        raise ValueError("No reference rows are given; write ids and ranges, such as 5,12-20.")
    return tuple(sorted(found))


def check_rows(reference: Collection[int], rows: int) -> None:
    """Raise a ValueError unless a matrix of so many rows has them all."""
    beyond = next((row for row in reference if not 0 <= row < rows), None)
    if beyond is not None:
        raise ValueError(
            f"The reference row {beyond:,} is not there: the output matrix has the rows 0 to "
            f"{rows - 1:,}."
        )


def ranges(rows: Collection[int]) -> str:
    """``(5, 10, 11, 12) -> "5, 10–12"``"""
    in_order = sorted(rows)
    breaks = [i + 1 for i, (a, b) in enumerate(pairwise(in_order)) if b != a + 1]
    parts = []
    for begin, end in pairwise([0, *breaks, len(in_order)]):
        first, last = in_order[begin], in_order[end - 1]
        parts.append(f"{first:,}" if first == last else f"{first:,}–{last:,}")
    return ", ".join(parts)
