"""Is a table whole? Ids and the gaps between them, merges and their parts, and what the size is."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.building import base_of, iter_built
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["Integrity", "integrity", "iter_integrity"]

_MOST_RANGES: Final = 8
_Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Integrity:
    """What a table is made of.

    Attributes
    ----------
    vocab_size : int
        The number of distinct ids, specials included.
    largest_id, id_bound : int
        The largest id (-1 where there is none), and the rows that an embedding matrix needs.
    gaps : int
        Ids below the bound that nothing has.
    gap_ranges : tuple of (first, last)
        The first of them, as ranges; at most 8.
    missing_bytes : int
        Of the 256 bytes, those without a token: text that needs them cannot be encoded.
    merges : int
        None where another library encodes.
    several_merges : int
        Tokens that more than one merge makes.
    late_parts : int
        Merges that use a part which only a later merge makes.
    repeated_merges : int
        Merges of a pair that an earlier merge has, which therefore never happen.
    unmade : int
        Tokens that no merge makes, and that are no base symbols.
    unbuilt : int
        Tokens that merges make, but of parts that merges never come to.
    sizes : tuple of (label, count)
        What the vocabulary is made of; the counts add up to `vocab_size`.
    """

    vocab_size: int = 0
    largest_id: int = -1
    id_bound: int = 0
    gaps: int = 0
    gap_ranges: tuple[tuple[int, int], ...] = ()
    missing_bytes: int = 0
    merges: int = 0
    several_merges: int = 0
    late_parts: int = 0
    repeated_merges: int = 0
    unmade: int = 0
    unbuilt: int = 0
    sizes: tuple[tuple[str, int], ...] = ()

    @property
    def adds_up(self) -> bool:
        return sum(count for _, count in self.sizes) == self.vocab_size

    @property
    def size_sentence(self) -> str:
        """``256 bytes + 50,000 merged tokens + 1 special = 50,257``"""
        parts = " + ".join(f"{count:,} {_in_number(label, count)}" for label, count in self.sizes)
        return f"{parts or 'nothing'} = {self.vocab_size:,}"

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is worth knowing, a sentence each: first what the size is, then what is odd."""
        return (f"{self.size_sentence}.", *self._of_ids(), *self._of_merges())

    def _of_ids(self) -> Iterator[str]:
        if self.gaps:
            shown = ", ".join(f"{a:,}" if a == b else f"{a:,} to {b:,}" for a, b in self.gap_ranges)
            more = sum(b - a + 1 for a, b in self.gap_ranges) < self.gaps
            yield (
                f"An embedding matrix needs {self.id_bound:,} rows: {_counted(self.gaps, 'id')} "
                f"below that {_is(self.gaps)} nobody's ({shown}{' …' if more else ''})."
            )
        else:
            yield f"Ids have no gaps; an embedding matrix needs {self.id_bound:,} rows."
        if self.missing_bytes:
            yield (
                f"{_counted(self.missing_bytes, 'byte')} of 256 {_has(self.missing_bytes)} no "
                "token, so text that needs them cannot be spelled."
            )

    def _of_merges(self) -> Iterator[str]:
        if self.unmade and self.merges:
            yield (
                f"No merge makes {_counted(self.unmade, 'token')}: only an engine that takes whole "
                "pieces first, or none, comes to such a token."
            )
        if self.unbuilt:
            yield (
                f"{_counted(self.unbuilt, 'token')} {_has(self.unbuilt)} merges only of parts that "
                "merges never come to."
            )
        if self.several_merges:
            yield (
                f"{_counted(self.several_merges, 'token')} {_has(self.several_merges)} several "
                "merges; which one makes it depends on what is around."
            )
        if self.late_parts:
            yield (
                f"{_counted(self.late_parts, 'merge')} {'uses' if self.late_parts == 1 else 'use'} "
                "a part that only a later merge makes; text then merges out of the order of ranks."
            )
        if self.repeated_merges:
            yield (
                f"{_counted(self.repeated_merges, 'merge')} {_is(self.repeated_merges)} of a pair "
                "that an earlier merge has already, and never happens."
            )


def integrity(tokenizer: Tokenizer) -> Integrity:
    """As `iter_integrity`, at once."""
    return result_of(iter_integrity(tokenizer))


def iter_integrity(tokenizer: Tokenizer) -> Generator[None, None, Integrity]:
    """What the table of a tokenizer is made of, in slices of a few milliseconds."""
    table = tokenizer.table
    base = base_of(tokenizer)
    yield
    merges = table.dense_merges
    yield
    made = np.bincount(merges[:, 2], minlength=len(table))
    late = yield from _late_parts(merges, base)
    repeated = yield from _repeated(merges, len(table))
    built = yield from iter_built(table, base)
    is_byte = np.zeros(len(table), dtype=np.bool_)
    is_byte[table.dense_bytes[table.dense_bytes >= 0]] = True
    merged = (made > 0) & ~base
    spare = _spare_bytes(tokenizer, base)
    unmade = ~base & ~spare & (made == 0)
    ids = np.sort(np.concatenate((table.ids, list(tokenizer.special_ids.values()))))
    gaps, ranges = _gaps(ids.astype(np.int64))
    yield
    sizes = (
        ("bytes", int(np.count_nonzero(is_byte))),
        ("other base symbols", int(np.count_nonzero(base & ~is_byte))),
        ("bytes beside characters", int(np.count_nonzero(spare & ~merged))),
        ("merged tokens", int(np.count_nonzero(merged))),
        ("tokens that no merge makes", int(np.count_nonzero(unmade))),
        ("specials", len(tokenizer.special_ids)),
    )
    return Integrity(
        vocab_size=tokenizer.vocab_size,
        largest_id=tokenizer.id_bound - 1,
        id_bound=tokenizer.id_bound,
        gaps=gaps,
        gap_ranges=ranges,
        missing_bytes=int(np.count_nonzero(table.byte_ids < 0)),
        merges=len(merges),
        several_merges=int(np.count_nonzero(made > 1)),
        late_parts=late,
        repeated_merges=repeated,
        unmade=int(np.count_nonzero(unmade)),
        unbuilt=int(np.count_nonzero(merged & ~built)),
        sizes=tuple((label, count) for label, count in sizes if count),
    )


def _spare_bytes(tokenizer: Tokenizer, base: _Bools) -> _Bools:
    """Which tokens are bytes to fall back to, where the character itself has another token."""
    single = np.diff(tokenizer.table.token_offsets) == 1
    return single & ~base if tokenizer.base == "chars" else np.zeros_like(base)


def _late_parts(merges: NDArray[np.int32], base: _Bools) -> Generator[None, None, int]:
    """How many merges use a part which is made later only."""
    rows = np.arange(len(merges))
    first = np.full(len(base), -1, dtype=np.int64)
    first[merges[::-1, 2]] = rows[::-1]  # of several the last that is written stays: the first
    first[base] = -1
    yield
    late = first[merges[:, :2]] > rows[:, None]
    return int(np.count_nonzero(late.any(axis=1)))


def _repeated(merges: NDArray[np.int32], tokens: int) -> Generator[None, None, int]:
    pairs = merges[:, 0].astype(np.int64) * tokens + merges[:, 1]
    yield
    pairs.sort()
    yield
    return int(np.count_nonzero(pairs[1:] == pairs[:-1]))


def _gaps(ids: NDArray[np.int64]) -> tuple[int, tuple[tuple[int, int], ...]]:
    """How many ids from 0 on are left out of ascending ones, and the first ranges of them."""
    before = np.concatenate((np.array([-1], dtype=np.int64), ids[:-1]))[: len(ids)]
    places = np.flatnonzero(ids - before > 1)
    ranges = zip((before[places] + 1).tolist(), (ids[places] - 1).tolist(), strict=True)
    total = int(ids[-1]) + 1 - len(ids) if len(ids) else 0
    return total, tuple(ranges)[:_MOST_RANGES]


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'s'[: count != 1]}"


def _in_number(label: str, count: int) -> str:
    """``bytes`` -> ``byte``, for one."""
    if count != 1:
        return label
    first, _, rest = label.partition(" ")
    words = {"bytes": "byte", "specials": "special", "tokens": "token"}
    if label in ("other base symbols", "merged tokens"):
        return label.removesuffix("s")
    return f"{words.get(first, first)} {rest}".rstrip()


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _has(count: int) -> str:
    return "has" if count == 1 else "have"
