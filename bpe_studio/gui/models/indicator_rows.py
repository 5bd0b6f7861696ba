"""Under-trained tokens as arrays for a plot and a table, made in a job."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.candidate_sorts import candidate_sorts
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.array_table import Column, places_of
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.models.token_details import shorten

if TYPE_CHECKING:
    from bpe_studio.analysis.flags import Flag
    from bpe_studio.analysis.undertrained import EmbeddingProgress, UnderTrained
    from bpe_studio.bpe.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class EmbeddingChoice:
    """What embeddings to read: a file, and what else a person has said about it."""

    path: Path
    input_name: str = ""
    output_name: str = ""
    reference: str = ""


@dataclass(frozen=True, eq=False)
class IndicatorRows:
    """The candidates of a judgement, a row each, the most suspicious first.

    `places` are those of the candidates in `found.ids`; `sorts` are what else is known of each.
    """

    tokenizer: Tokenizer
    found: UnderTrained
    tokens: list[str]
    places: NDArray[np.int64]
    sorts: list[str]
    searched: list[str]

    def __len__(self) -> int:
        return len(self.tokens)

    def row_of(self, token: int) -> int:
        """The row of a token, -1 where it is no candidate."""
        rows = np.flatnonzero(self.found.candidates == token)
        return int(rows[0]) if len(rows) else -1

    def mask(self, text: str) -> NDArray[np.bool_] | None:
        """Which rows hold a text in token, id or sort; None for all."""
        if not text:
            return None
        found = (text.lower() in row for row in self.searched)
        return np.fromiter(found, np.bool_, len(self.searched))

    def columns(self) -> list[Column]:
        """The columns of the table."""
        found = self.found
        total = len(found.indicators)
        lowest = np.min([i.shares[self.places] for i in found.indicators], axis=0)
        lowest = lowest if len(self.places) else np.empty(0)
        ids = found.candidates
        return [
            Column("Token", lambda row: shorten(self.tokens[row]), lambda: places_of(self.tokens),
                   mono=True, sample=10 * "0", share=2),
            Column("Id", lambda row: grouped(ids[row]), lambda: ids, right=True,
                   sample=grouped(ids.max(initial=0)), spare=2),
            Column("Agree", lambda row: f"{found.votes[row]} of {total}", lambda: found.votes,
                   right=True, sample=f"{total} of {total}",
                   hint="How many indicators have the token among their lowest"),
            Column("Lowest %", lambda row: f"{100 * lowest[row]:.3f}", lambda: lowest, right=True,
                   sample="00.000", spare=1,
                   hint="The share of tokens that are as low, by the indicator that is lowest"),
            Column("Also", lambda row: self.sorts[row], lambda: places_of(self.sorts),
                   tip=lambda row: self.sorts[row], sample=10 * "0", share=2, spare=3,
                   hint="Other flags that the token has"),
        ]  # fmt: skip


def judge(
    tokenizer: Tokenizer, choice: EmbeddingChoice, flags: Sequence[Flag] | None = None
) -> Generator[EmbeddingProgress, None, IndicatorRows]:
    """Read embeddings and judge every token by them."""
    from bpe_studio.embeddings import judge_embeddings

    found = yield from judge_embeddings(
        tokenizer,
        choice.path,
        input_name=choice.input_name or None,
        output_name=choice.output_name or None,
        reference=choice.reference or None,
    )
    return rows_of(tokenizer, found, flags)


def rows_of(
    tokenizer: Tokenizer, found: UnderTrained, flags: Sequence[Flag] | None = None
) -> IndicatorRows:
    """Rows of what was found; `flags` are those of a check, where there was one."""
    ids = found.candidates.tolist()
    tokens = [readable(tokenizer.token_bytes(token)) for token in ids]
    sorts = candidate_sorts(tokenizer, ids, flags)
    plain = [tokenizer.token_bytes(token).decode("utf-8", "replace") for token in ids]
    searched = [
        f"{shown}\n{text}\n{token}\n{sort}".lower()
        for shown, text, token, sort in zip(tokens, plain, ids, sorts, strict=True)
    ]
    places = np.searchsorted(found.ids, found.candidates)
    return IndicatorRows(tokenizer, found, tokens, places, sorts, searched)
