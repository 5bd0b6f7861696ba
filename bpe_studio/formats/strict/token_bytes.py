"""Base symbols and merges → the bytes of every token, within limits.

A file of a few megabytes can spell tokens of terabytes (each merge doubles the last one),
so the bytes are made here, under a limit, before a table is built.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NoReturn

__all__ = ["MAX_MERGES", "MAX_TOKENS", "MAX_TOKEN_BYTES", "make_tokens", "repeated_note"]

MAX_TOKENS: Final = 4_000_000
MAX_MERGES: Final = 16_000_000
MAX_TOKEN_BYTES: Final = 1 << 20
MAX_ALL_BYTES: Final = 256 << 20

Fail = Callable[[int, str], NoReturn]


def make_tokens(
    symbols: dict[int, bytes],
    merges: Sequence[Sequence[int]],
    *,
    fail: Fail,
    in_order: bool,
    word_prefix: bytes = b"",
) -> dict[int, bytes]:
    """The bytes of every token, base symbols included.

    Parameters
    ----------
    symbols : dict
        What is there before the first merge.
    merges : rows of (left, right, new)
        By rank.
    fail : callable
        Called with a rank and what is wrong with that merge; raises.
    in_order : bool
        Whether a merge may use only what earlier merges made. (Files of others may name
        parts that come later; time stays linear.)
    word_prefix : bytes
        A mark that a merge takes from the front of its right part (`TextRules.word_prefix`).
    """
    maker = _Maker(dict(symbols), merges, fail, word_prefix)
    for rank in range(len(merges)):
        missing = maker.add(rank)
        if missing is not None and in_order:
            fail(rank, f"uses the id {missing}, which no earlier merge makes")
    maker.check_all_made()
    return maker.tokens


@dataclass(slots=True)
class _Maker:
    tokens: dict[int, bytes]
    merges: Sequence[Sequence[int]]
    fail: Fail
    word_prefix: bytes
    waiting: dict[int, list[int]] = field(default_factory=dict)  # id → ranks that need it
    total: int = 0

    def add(self, rank: int) -> int | None:
        """Make the token of this merge, and all that have waited for it; else the id it lacks."""
        ready = [rank]
        while ready:
            now = ready.pop()
            left, right, new = self.merges[now]
            missing = next((part for part in (left, right) if part not in self.tokens), None)
            if missing is not None:
                self.waiting.setdefault(missing, []).append(now)
                if now == rank:
                    return missing
                continue
            self._make(now, new, left, right)
            ready += self.waiting.pop(new, ())
        return None

    def _make(self, rank: int, new: int, left: int, right: int) -> None:
        first, second = self.tokens[left], self.tokens[right].removeprefix(self.word_prefix)
        length = len(first) + len(second)
        if length > MAX_TOKEN_BYTES:
            self.fail(rank, f"makes a token of {length:,} bytes, and 1 MiB is the limit")
        data = first + second
        old = self.tokens.get(new)
        if old is not None and old != data:
            self.fail(rank, f"makes the id {new}, which another token has already")
        if old is None:
            self.total += length
            if self.total > MAX_ALL_BYTES:
                self.fail(rank, "brings all tokens together over 256 MiB, which is the limit")
            self.tokens[new] = data
            if len(self.tokens) > MAX_TOKENS:
                self.fail(rank, f"makes one token more than {MAX_TOKENS:,}, which is the limit")

    def check_all_made(self) -> None:
        if self.waiting:
            missing, ranks = min(self.waiting.items(), key=lambda item: min(item[1]))
            self.fail(min(ranks), f"uses the id {missing}, which nothing makes")


def repeated_note(merges: list[tuple[int, int, int]]) -> list[str]:
    """A sentence about merges that are there twice, if any are."""
    first: dict[tuple[int, int], int] = {}
    repeated = 0
    example = ""
    for rank, (left, right, _new) in enumerate(merges):
        before = first.setdefault((left, right), rank)
        if before != rank:
            repeated += 1
            example = example or f"merge {rank} repeats merge {before}"
    if not repeated:
        return []
    is_there = "is" if repeated == 1 else "are"
    return [
        f"{repeated:,} of the merges {is_there} there before ({example}); the first of them counts."
    ]
