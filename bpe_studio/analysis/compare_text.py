"""One text under two tokenizers: where they cut it differently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.tokenizer import Tokenizer

Difference = Literal["same", "a-splits", "b-splits", "different-cuts"]
DIFFERENCES: Final[tuple[Difference, ...]] = ("same", "a-splits", "b-splits", "different-cuts")
"""The classes by their numbers in `TextComparison.kinds`."""
_SAME: Final = 0


@dataclass(frozen=True, slots=True)
class DifferenceSpan:
    """A part of the text, in characters, and how the two tokenizers cut it.

    ``"a-splits"``: A cuts where B does not, and the other way round for ``"b-splits"``;
    ``"different-cuts"``: each cuts where the other does not; ``"same"``: both cut alike.
    """

    start: int
    end: int
    kind: Difference
    tokens_a: int
    tokens_b: int


@dataclass(frozen=True, eq=False)
class TextComparison:
    """A text cut into spans by where both tokenizers cut.

    Runs of equal tokens are one span. The spans cover the text.

    Attributes
    ----------
    starts, ends : int64 arrays, shape (n,)
        Characters.
    kinds : int8 array, shape (n,)
        Indices into `DIFFERENCES`.
    span_tokens_a, span_tokens_b : int64 arrays, shape (n,)
        Tokens of each span.
    characters, bytes : int
        The size of the text.
    tokens_a, tokens_b : int
        Tokens of the whole text.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    kinds: NDArray[np.int8]
    span_tokens_a: NDArray[np.int64]
    span_tokens_b: NDArray[np.int64]
    characters: int
    bytes: int
    tokens_a: int
    tokens_b: int

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def spans(self) -> tuple[DifferenceSpan, ...]:
        """All of them, in order."""
        return self._spans(np.arange(len(self)))

    @property
    def differences(self) -> tuple[DifferenceSpan, ...]:
        """Those that differ, in order."""
        return self._spans(np.flatnonzero(self.kinds != _SAME))

    def span(self, row: int) -> DifferenceSpan:
        """One of them."""
        return self._spans(np.array([row]))[0]

    def _spans(self, rows: NDArray[np.int64]) -> tuple[DifferenceSpan, ...]:
        columns = (self.starts, self.ends, self.kinds, self.span_tokens_a, self.span_tokens_b)
        lists = (column[rows].tolist() for column in columns)
        return tuple(
            DifferenceSpan(start, end, DIFFERENCES[kind], a, b)
            for start, end, kind, a, b in zip(*lists, strict=True)
        )

    @property
    def counts(self) -> dict[Difference, int]:
        """How many spans of each class that differs."""
        return {
            name: int(np.count_nonzero(self.kinds == number))
            for number, name in enumerate(DIFFERENCES)
            if number != _SAME
        }

    @property
    def characters_per_token_a(self) -> float:
        return self.characters / self.tokens_a if self.tokens_a else float("nan")

    @property
    def characters_per_token_b(self) -> float:
        return self.characters / self.tokens_b if self.tokens_b else float("nan")

    @property
    def extra_percent(self) -> float:
        """How many per cent more tokens B needs than A; negative where it needs fewer."""
        return 100.0 * (self.tokens_b / self.tokens_a - 1) if self.tokens_a else 0.0


def compare_text(
    a: Tokenizer, b: Tokenizer, text: str, *, allowed_special: AllowedSpecial = None
) -> TextComparison:
    """Cuts a text under both tokenizers and names every span where they differ.

    Raises
    ------
    ValueError
        A lone surrogate, with its position; a byte that a table lacks.
    """
    ends_a = a.encode_with_offsets(text, allowed_special=allowed_special).offsets[:, 1]
    ends_b = b.encode_with_offsets(text, allowed_special=allowed_special).offsets[:, 1]
    return compare_ends(text, ends_a, ends_b)


def compare_ends(
    text: str, ends_a: NDArray[np.integer[Any]], ends_b: NDArray[np.integer[Any]]
) -> TextComparison:
    """As `compare_text`, from where the tokens of each end (bytes, ascending)."""
    borders = _character_starts(text)
    both = shared_ends(ends_a, ends_b)
    edges = np.concatenate(([0], np.unique(_common(both[both > 0], borders)))).astype(np.int64)
    if edges[-1] < borders[-1]:  # a tokenizer may leave out the end of a text
        edges = np.append(edges, borders[-1])
    counts_a, counts_b, common = (_ends_in(edges, ends) for ends in (ends_a, ends_b, both))
    kinds = _classify(counts_a, counts_b, common)
    keep = _joined(kinds)
    starts = np.searchsorted(borders, edges[:-1][keep])
    return TextComparison(
        starts=starts,
        ends=np.append(starts[1:], len(text)) if len(starts) else starts,
        kinds=kinds[keep],
        span_tokens_a=_sums(counts_a, keep),
        span_tokens_b=_sums(counts_b, keep),
        characters=len(text),
        bytes=int(borders[-1]),
        tokens_a=len(ends_a),
        tokens_b=len(ends_b),
    )


def shared_ends(
    a: NDArray[np.integer[Any]], b: NDArray[np.integer[Any]]
) -> NDArray[np.integer[Any]]:
    """The ends that both have, ascending: one that several tokens have counts so often.

    Several tokens of a tokenizer that edits a text may stand for the same characters, and some in
    front of all stand for none.
    """
    (numbered_a, numbered_b), most = _numbered(a, b)
    shared: NDArray[np.integer[Any]] = _common(numbered_a, numbered_b) // most
    return shared


def only_in(one: NDArray[np.integer[Any]], other: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Which of the ends of one the other does not have, or not so often; as places in `one`."""
    (ours, theirs), _ = _numbered(one, other)
    return np.flatnonzero(~np.isin(ours, theirs)).astype(np.int64)


def _numbered(
    a: NDArray[np.integer[Any]], b: NDArray[np.integer[Any]]
) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64]], int]:
    """Equal ends made different, in the same way in both, and what all were multiplied by."""
    one, other = a.astype(np.int64), b.astype(np.int64)
    if all((ends[1:] > ends[:-1]).all() for ends in (one, other)):
        return (one, other), 1
    repeats = [np.arange(len(ends)) - np.searchsorted(ends, ends) for ends in (one, other)]
    most = 1 + max(int(numbers.max(initial=0)) for numbers in repeats)
    return (one * most + repeats[0], other * most + repeats[1]), most


def _character_starts(text: str) -> NDArray[np.int64]:
    """The byte at which each character begins, and the end of the text."""
    data = np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)
    return np.append(np.flatnonzero((data & 0xC0) != 0x80), len(data)).astype(np.int64)


def _common(
    one: NDArray[np.integer[Any]], other: NDArray[np.integer[Any]]
) -> NDArray[np.integer[Any]]:
    """What two ascending arrays share; a search in each other, as sorting both takes longer."""
    if not len(other):
        return one[:0]
    at = np.minimum(np.searchsorted(other, one), len(other) - 1)
    shared: NDArray[np.integer[Any]] = one[other[at] == one]
    return shared


def _ends_in(edges: NDArray[np.int64], ends: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """How many ends lie in each span (edge, next edge]; in the first those at 0 too."""
    before = np.searchsorted(ends, edges, side="right")
    before[:1] = 0
    return np.diff(before).astype(np.int64)


def _classify(
    a: NDArray[np.int64], b: NDArray[np.int64], common: NDArray[np.int64]
) -> NDArray[np.int8]:
    """The class of each span, from its cuts: those of A, of B, and of both."""
    only_a, only_b = a > common, b > common
    return (only_a * 1 + only_b * 2).astype(np.int8)


def _joined(kinds: NDArray[np.int8]) -> NDArray[np.int64]:
    """The first of each run of equal spans, and every span that differs."""
    if not len(kinds):
        return np.zeros(0, dtype=np.int64)
    follows = np.append(False, (kinds[1:] == _SAME) & (kinds[:-1] == _SAME))
    return np.flatnonzero(~follows)


def _sums(counts: NDArray[np.int64], first: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.add.reduceat(counts, first) if len(first) else np.zeros(0, dtype=np.int64)
