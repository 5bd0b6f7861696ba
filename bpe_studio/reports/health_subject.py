"""What a report on the tokens of a table is about, and its rows: one a flag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from bpe_studio.analysis.contexts import Context
from bpe_studio.analysis.corpus_use import CorpusUse, DocumentPlace
from bpe_studio.analysis.flags import Flag
from bpe_studio.analysis.health import HealthReport
from bpe_studio.analysis.health_change import HealthChange
from bpe_studio.analysis.makers import lowest_ranks
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.reports.corpus_facts import CorpusFacts

__all__ = ["HealthSubject", "TokenRow", "TokenUse", "token_rows"]


@dataclass(frozen=True)
class HealthSubject:
    """A table, what was found in it, and what else a report tells.

    Attributes
    ----------
    name : str
        The table, as somebody named it.
    tokenizer : Tokenizer
    report : HealthReport
    corpus : CorpusFacts or None
        Where `report.use` is from.
    contexts : mapping from id to Context
        Of those tokens for which one was looked for.
    change : HealthChange or None
        How the report differs from that of another table.
    before_name : str
        The other table.
    program : str
        The version of the program that makes the report.
    only : tuple of str
        The kinds whose flags are listed; empty for all.
    """

    name: str
    tokenizer: Tokenizer
    report: HealthReport
    corpus: CorpusFacts | None = None
    contexts: Mapping[int, Context] = field(default_factory=dict)
    change: HealthChange | None = None
    before_name: str = ""
    program: str = ""
    only: tuple[str, ...] = ()

    def lists(self, kind: str) -> bool:
        """Whether flags of a kind are listed one by one."""
        return not self.only or kind in self.only

    @property
    def flags(self) -> tuple[Flag, ...]:
        """The flags that are listed."""
        return tuple(flag for flag in self.report.flags if self.lists(flag.kind))

    @property
    def use(self) -> CorpusUse | None:
        """What the corpus does, document by document."""
        return self.report.use


@dataclass(frozen=True, slots=True)
class TokenUse:
    """F1, C, DF and the share of the largest document, where `place` is; NaN without uses."""

    final: int
    created: int
    documents: int
    share: float
    place: DocumentPlace | None


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One flag, and what is known of its token.

    Attributes
    ----------
    flag : Flag
    data : bytes
    rank : int or None
        The lowest rank that makes it; None for a base symbol and what no merge makes.
    use : TokenUse or None
        None without a corpus.
    context : Context or None
    """

    flag: Flag
    data: bytes
    rank: int | None
    use: TokenUse | None = None
    context: Context | None = None


def token_rows(subject: HealthSubject, flags: tuple[Flag, ...] | None = None) -> Iterator[TokenRow]:
    """The rows of all flags that are listed, or of some of them, in their order."""
    chosen = subject.flags if flags is None else flags
    tokenizer, use = subject.tokenizer, subject.use
    ids = np.array([flag.id for flag in chosen], dtype=np.int64)
    table = tokenizer.table
    ranks = lowest_ranks(table)[_places(table.ids, ids)] if len(table) else np.full(len(ids), -1)
    uses = _uses(use, ids) if use is not None else (None for _ in chosen)
    for flag, rank, used in zip(chosen, ranks.tolist(), uses, strict=True):
        known = flag.id in table
        yield TokenRow(
            flag=flag,
            data=tokenizer.token_bytes(flag.id),
            rank=rank if known and rank >= 0 else None,
            use=used,
            context=subject.contexts.get(flag.id),
        )


def _places(known: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """Where ids are in a sorted array; some place for one that is not there."""
    return np.minimum(np.searchsorted(known, ids), len(known) - 1)


def _uses(use: CorpusUse, ids: np.ndarray) -> Iterator[TokenUse | None]:
    if not len(use.ids):
        yield from (None for _ in ids)
        return
    places = _places(use.ids, ids)
    columns = (use.final, use.created, use.documents, use.share, use.largest_document)
    known = (use.ids[places] == ids).tolist()
    values = zip(*(column[places].tolist() for column in columns), strict=True)
    for there, (final, created, documents, share, largest) in zip(known, values, strict=True):
        place = use.place(largest) if there and largest >= 0 else None
        yield TokenUse(final, created, documents, share, place) if there else None
