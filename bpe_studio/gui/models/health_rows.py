"""A health check as arrays for a table, made in a job."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.health import KINDS, Flag, HealthReport, check
from bpe_studio.analysis.usage import Usage, usage
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.array_table import Column, places_of
from bpe_studio.gui.models.legible import OPEN_BOX, SPACE
from bpe_studio.gui.models.numbers import grouped, grouped_or_none
from bpe_studio.gui.models.token_details import shorten

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.bpe.words import WordCounts

SLICE_ROWS = 2_000


@dataclass(frozen=True, slots=True)
class HealthStep:
    """How far the check is: what it does, and `done` of `total`."""

    phase: str
    done: int
    total: int


COMPILING = HealthStep("Compiling the kernels, once", 0, 0)


@dataclass(frozen=True, slots=True)
class HealthRows:
    """A report with one row a flag: how the token reads, its id, first rank, uses and kind.

    `ranks` is -1 for a token that no merge makes; `uses` is None where no corpus was at hand;
    `kinds` are places in `kind_names`.
    """

    tokenizer: Tokenizer
    report: HealthReport
    tokens: list[str]
    ids: NDArray[np.int64]
    ranks: NDArray[np.int64]
    uses: NDArray[np.int64] | None
    kinds: NDArray[np.int16]
    searched: list[str]

    @property
    def flags(self) -> tuple[Flag, ...]:
        """The flags, row by row."""
        return self.report.flags

    def mask(self, *, kind: str | None, text: str) -> NDArray[np.bool_]:
        """Return which rows are of a kind and hold a text in token, evidence or id."""
        mask = np.ones(len(self.ids), np.bool_)
        if kind is not None:
            mask &= self.kinds == KIND_NAMES.index(kind)
        wanted = text.lower().replace(OPEN_BOX, SPACE)  # it may come from a sentence
        if wanted:
            found = (wanted in row for row in self.searched)
            mask &= np.fromiter(found, np.bool_, len(self.searched))
        return mask

    def columns(self) -> list[Column]:
        """Return the columns of the table."""
        flags = self.flags
        columns = [
            Column("Token", self._token, lambda: places_of(self.tokens), mono=True,
                   sample=10 * "0", share=2),
            Column("Kind", lambda row: KINDS[flags[row].kind].title, lambda: self.kinds,
                   sample=max((KINDS[flag.kind].title for flag in flags), key=len, default="")),
            self._number("Id", self.ids, spare=2),
            self._number("Rank", self.ranks, spare=3,
                         hint="Rank of the first merge that makes the token"),
        ]  # fmt: skip
        if self.uses is not None:
            hint = "Tokens of this id in the encoded training corpus"
            columns.append(self._number("Uses", self.uses, spare=1, hint=hint))
        return [
            *columns,
            Column(
                "Evidence",
                lambda row: flags[row].evidence,
                lambda: places_of([flag.evidence for flag in flags]),
                tip=lambda row: flags[row].evidence,
                sample=10 * "0",
                share=5,
            ),
        ]

    @staticmethod
    def _number(title: str, values: NDArray[np.int64], *, spare: int, hint: str = "") -> Column:
        return Column(
            title,
            lambda row: grouped_or_none(values[row]),
            lambda: values,
            right=True,
            hint=hint,
            sample=grouped(values.max(initial=0)),
            spare=spare,
        )

    def _token(self, row: int) -> str:
        return shorten(self.tokens[row])


KIND_NAMES = tuple(KINDS)


def check_rows(
    tokenizer: Tokenizer,
    words: WordCounts | None = None,
) -> Generator[HealthStep, None, HealthRows]:
    """Check a table, with the counted pieces of its training where they are still at hand."""
    counted: Usage | None = None
    if words is not None:
        for progress in usage(tokenizer, words):
            counted = progress.usage
            yield HealthStep("Encoding the training corpus", progress.done, progress.total)
    report: HealthReport | None = None
    for step in check(tokenizer, counted):
        report = step.report
        yield HealthStep("Looking at tokens", step.done, step.total)
    if report is None:
        raise ValueError("The check ended without a report.")
    return (yield from _rows(tokenizer, report, counted))


def _rows(
    tokenizer: Tokenizer, report: HealthReport, counted: Usage | None
) -> Generator[HealthStep, None, HealthRows]:
    tokens: list[str] = []
    searched: list[str] = []
    for row, flag in enumerate(report.flags):
        data = tokenizer.token_bytes(flag.id)
        tokens.append(readable(data))
        plain = data.decode("utf-8", "replace")
        searched.append(f"{tokens[-1]}\n{plain}\n{flag.id}\n{flag.evidence}".lower())
        if row % SLICE_ROWS == 0:
            yield HealthStep("Listing flags", row, len(report.flags))
    ids = np.array([flag.id for flag in report.flags], np.int64)
    ranks = [next(iter(tokenizer.table.ranks_of(i)), -1) for i in ids.tolist()]
    uses = None if counted is None else np.array([counted.of(i)[0] for i in ids.tolist()], np.int64)
    kinds = np.array([KIND_NAMES.index(flag.kind) for flag in report.flags], np.int16)
    return HealthRows(
        tokenizer, report, tokens, ids, np.array(ranks, np.int64), uses, kinds, searched
    )
