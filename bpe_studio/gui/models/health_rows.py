"""A health check as arrays for a table, made in a job: they sort and filter at once."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.flags import SEVERITIES
from bpe_studio.analysis.health import KINDS, Flag, HealthReport
from bpe_studio.bpe.decoder import readable
from bpe_studio.bpe.generators import retold
from bpe_studio.gui.models.array_table import Column
from bpe_studio.gui.models.legible import OPEN_BOX, SPACE
from bpe_studio.gui.models.numbers import grouped, grouped_or_none
from bpe_studio.gui.models.pass_progress import PassStep
from bpe_studio.gui.models.search_arena import SearchArena
from bpe_studio.gui.models.token_arena import TokenArena
from bpe_studio.gui.models.token_details import shorten

if TYPE_CHECKING:
    from bpe_studio.analysis.corpus_use import CorpusUse
    from bpe_studio.bpe.tokenizer import Tokenizer

_Result = TypeVar("_Result")
SLICE_ROWS = 1_000
SORTED_BYTES = 64  # of an evidence; those that begin alike keep the order of their tokens
KIND_NAMES = tuple(KINDS)
LEVELS = {"info": 1, "warning": 2, "error": 3}
SEVERITY_OF_KIND = np.array([LEVELS[SEVERITIES.get(kind, "info")] for kind in KIND_NAMES], np.int8)


@dataclass(frozen=True, slots=True, eq=False)
class UseRows:
    """What a corpus does with the token of each row: F1, DF, and the largest document's share.

    A share is NaN for a token that is not used.
    """

    uses: NDArray[np.int64]
    documents: NDArray[np.int64]
    shares: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class HealthRows:
    """A report with one row a flag; `flagged` is as in the report, counted once.

    `ranks` is -1 for a token that no merge makes; `kinds` are places in `KIND_NAMES`; `use` is
    None without a corpus; `token_places` and `evidence_places` are the keys to sort by.
    """

    tokenizer: Tokenizer
    report: HealthReport
    flagged: int
    ids: NDArray[np.int64]
    ranks: NDArray[np.int64]
    kinds: NDArray[np.int16]
    use: UseRows | None
    search: SearchArena
    token_places: NDArray[np.int32]
    evidence_places: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def flags(self) -> tuple[Flag, ...]:
        """The flags, row by row."""
        return self.report.flags

    def mask(self, *, kind: str | None, text: str) -> NDArray[np.bool_]:
        """Return which rows are of a kind and hold a text in token, evidence or id."""
        wanted = text.replace(OPEN_BOX, SPACE)  # it may come from a sentence
        mask = self.search.containing(wanted)
        if kind is not None:
            mask &= self.kinds == KIND_NAMES.index(kind)
        return mask

    def columns(self) -> list[Column]:
        """Return the columns of the table."""
        flags = self.flags
        titles = [KINDS[name].title for name in KIND_NAMES]
        seen = np.unique(self.kinds).tolist()
        longest = max((titles[kind] for kind in seen), key=len, default="")
        columns = [
            Column("Token", self._token, lambda: self.token_places, mono=True,
                   sample=10 * "0", share=2),
            Column("Category", lambda row: titles[self.kinds[row]], lambda: self.kinds,
                   sample=longest, spare=3),
            _numbers("Id", self.ids, spare=5),
            _numbers("Rank", self.ranks, spare=6,
                     hint="Rank of the first merge that makes the token"),
        ]  # fmt: skip
        if self.use is not None:
            columns += _use_columns(self.use)
        return [
            *columns,
            Column(
                "Evidence",
                lambda row: flags[row].evidence,
                lambda: self.evidence_places,
                tip=lambda row: flags[row].evidence,
                sample=9 * "0",
                share=5,
            ),
        ]

    def _token(self, row: int) -> str:
        return shorten(readable(self.tokenizer.token_bytes(int(self.ids[row]))))


def _numbers(title: str, values: NDArray[np.int64], *, spare: int, hint: str = "") -> Column:
    return Column(
        title,
        lambda row: grouped_or_none(values[row]),
        lambda: values,
        right=True,
        hint=hint,
        sample=grouped(values.max(initial=0)),
        spare=spare,
    )


def _use_columns(use: UseRows) -> list[Column]:
    def share(row: int) -> str:
        return f"{100 * use.shares[row]:.1f}" if use.uses[row] > 0 else "–"

    return [
        _numbers("F1", use.uses, spare=1, hint="Uses: how often the encoded corpus has the token"),
        _numbers("DF", use.documents, spare=4, hint="How many documents of the corpus have it"),
        Column(
            "Share %",
            share,
            lambda: np.where(use.uses > 0, use.shares, -1.0),
            right=True,
            hint="Of its uses, how many one document holds: the one with most of them",
            sample="100.0",
            spare=2,
        ),
    ]


def health_rows(
    tokenizer: Tokenizer, report: HealthReport, use: CorpusUse | None = None
) -> Generator[PassStep, None, HealthRows]:
    """Lay out a report for its table, in steps of some milliseconds."""
    flags = report.flags
    tokens: list[bytes] = []
    searched: list[bytes] = []
    evidence: list[bytes] = []
    for row, flag in enumerate(flags):
        data = tokenizer.token_bytes(flag.id)
        plain = data.decode("utf-8", "replace")
        shown = f"{readable(data)}\n{plain}\n{flag.id}\n{flag.evidence}"
        tokens.append(data)
        searched.append(shown.lower().encode("utf-8", "replace"))
        evidence.append(flag.evidence.encode("utf-8", "replace")[:SORTED_BYTES])
        if row % SLICE_ROWS == 0:
            yield PassStep("Listing flags", row, len(flags))
    ids = np.fromiter((flag.id for flag in flags), np.int64, len(flags))
    numbers = {name: place for place, name in enumerate(KIND_NAMES)}
    kinds = np.fromiter((numbers[flag.kind] for flag in flags), np.int16, len(flags))
    sorting = PassStep("Sorting flags", len(flags), len(flags))
    yield sorting
    search = yield from retold(SearchArena.iter_of(searched), lambda _: sorting)
    arena = TokenArena.of(tokens)
    token_places = _same((yield from retold(arena.iter_places(), lambda _: sorting)), ids)
    yield sorting
    evidence_places = yield from _places(evidence, sorting)
    yield sorting
    flagged = len(np.unique(ids[kinds != numbers["unused-base"]]))
    yield sorting
    ranks = first_ranks(tokenizer, ids)
    yield sorting
    return HealthRows(
        tokenizer=tokenizer,
        report=report,
        flagged=flagged,
        ids=ids,
        ranks=ranks,
        kinds=kinds,
        use=None if use is None else _of_rows(use, ids),
        search=search,
        token_places=token_places,
        evidence_places=evidence_places,
    )


def first_ranks(tokenizer: Tokenizer, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rank of the first merge that makes each of some tokens, -1 where there is none."""
    made, ranks = np.unique(np.asarray(tokenizer.table.merges)[:, 2], return_index=True)
    if not len(made):
        return np.full(len(ids), -1, np.int64)
    places = np.minimum(np.searchsorted(made, ids), len(made) - 1)
    return np.where(made[places] == ids, ranks[places], -1)


def _of_rows(use: CorpusUse, ids: NDArray[np.int64]) -> UseRows:
    """Uses of the token of each row; none for ids that the corpus was not asked about."""
    places = np.minimum(np.searchsorted(use.ids, ids), max(0, len(use.ids) - 1))
    known = use.ids[places] == ids
    return UseRows(
        uses=np.where(known, use.final[places], 0),
        documents=np.where(known, use.documents[places], 0),
        shares=np.where(known, use.share[places], np.nan),
    )


def _same(places: NDArray[np.int32], ids: NDArray[np.int64]) -> NDArray[np.int32]:
    """Give rows of one token one place: then they stay in the order of their kinds."""
    if not len(ids):
        return places
    _, inverse = np.unique(ids, return_inverse=True)
    least = np.full(inverse.max() + 1, len(ids), np.int32)
    np.minimum.at(least, inverse, places)
    return least[inverse]


def _places(texts: list[bytes], step: PassStep) -> Generator[PassStep, None, NDArray[np.int32]]:
    """The place of each text in the order of bytes; equal ones share theirs.

    One sort of long strings takes a second for 200,000; here 8 bytes at a time are numbers, and
    each of the eight sorts, from the last bytes to the first, takes a few milliseconds.
    """
    places = np.zeros(len(texts), np.int32)
    if not texts:
        return places
    keys = np.array(texts, f"S{SORTED_BYTES}").view(">u8").reshape(len(texts), -1)
    keys = keys.astype(np.uint64)
    order = np.arange(len(texts))
    for column in range(keys.shape[1] - 1, -1, -1):
        order = order[np.argsort(keys[order, column], kind="stable")]
        yield step
    new = np.any(keys[order[1:]] != keys[order[:-1]], axis=1)
    places[order[1:]] = np.cumsum(new)
    return places
