"""How often each token is in a text, as arrays for a table."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.row_filter import plain
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.array_table import Column
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.models.token_arena import TokenArena

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

SLICE = 4_000


@dataclass(frozen=True, slots=True, eq=False)
class FrequencyRows:
    """The distinct tokens of a text, the most frequent first: ids, counts and bytes."""

    ids: NDArray[np.int64]
    counts: NDArray[np.int64]
    tokens: list[bytes]
    arena: TokenArena
    total: int

    def __len__(self) -> int:
        return len(self.ids)

    def columns(self) -> list[Column]:
        """Return the columns of the table."""
        number = partial(Column, right=True)
        most = [grouped(values.max(initial=0)) for values in (self.ids, self.counts)]
        return [
            Column(
                "Token",
                lambda row: readable(self.tokens[row]),
                self.arena.places,
                mono=True,
                sample=6 * "0",
                share=1,
            ),
            number(
                "Id", lambda row: grouped(self.ids[row]), lambda: self.ids, sample=most[0], spare=1
            ),
            number(
                "Count",
                lambda row: grouped(self.counts[row]),
                lambda: self.counts,
                sample=most[1],
                hint="How often the token is in this text",
            ),
            number(
                "Share",
                self._share,
                lambda: self.counts,
                sample="00.00 %",
                hint="Of all tokens of this text",
                spare=2,
            ),
        ]

    def mask(self, text: str) -> NDArray[np.bool_] | None:
        """Return which tokens hold a text, or have it as their id; None where all do."""
        if not text:
            return None
        mask = self.arena.containing(plain(text))
        if text.isdecimal() and len(text) < 10:
            mask = mask | (self.ids == int(text))
        return mask

    def row_of(self, token_id: int) -> int:
        """Return the row of a token, -1 where it is not in the text."""
        found = np.flatnonzero(self.ids == token_id)
        return int(found[0]) if len(found) else -1

    def _share(self, row: int) -> str:
        return f"{100 * self.counts[row] / self.total:.2f} %"


def count_tokens(
    tokenizer: Tokenizer, ids: NDArray[np.int32]
) -> Generator[None, None, FrequencyRows]:
    """Count the tokens of a text, in steps that give other threads a turn."""
    counts = np.bincount(ids) if len(ids) else np.zeros(0, np.int64)
    found = np.flatnonzero(counts)
    order = found[np.argsort(-counts[found], kind="stable")]
    yield
    tokens: list[bytes] = []
    for first in range(0, len(order), SLICE):
        tokens += map(tokenizer.token_bytes, order[first : first + SLICE].tolist())
        yield
    return FrequencyRows(
        ids=order.astype(np.int64),
        counts=counts[order].astype(np.int64),
        tokens=tokens,
        arena=TokenArena.of(tokens),
        total=len(ids),
    )
