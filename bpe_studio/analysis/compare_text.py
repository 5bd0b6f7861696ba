"""One text under two tokenizers: where they cut it differently."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.shared_ends import Spans, spans_of
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.tokenizer import Tokenizer

Difference = Literal["same", "a-splits", "b-splits", "different-cuts"]
DIFFERENCES: Final[tuple[Difference, ...]] = ("same", "a-splits", "b-splits", "different-cuts")
"""The classes by their numbers in `TextComparison.kinds`."""
_SAME: Final = 0
_BLOCK_CHARS: Final = 1 << 17


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
    return result_of(iter_compare_ends(text, ends_a, ends_b))


def iter_compare_ends(
    text: str,
    ends_a: NDArray[np.integer[Any]],
    ends_b: NDArray[np.integer[Any]],
    *,
    block: int = _BLOCK_CHARS,
) -> Generator[float, None, TextComparison]:
    """As `compare_ends`, in slices of a few milliseconds; yields the share that is done.

    Parameters
    ----------
    block : so many characters are looked at in one slice, or more, up to where both cut
    """
    parts: list[Spans] = []
    start = first_byte = 0
    while start < len(text):
        size = block
        while True:
            part = text[start : start + size]
            last = start + size >= len(text)
            stop = first_byte + len(part.encode("utf-8", "surrogatepass"))
            ours, theirs = (_between(ends, first_byte, stop) for ends in (ends_a, ends_b))
            spans = spans_of(part, ours, theirs, whole=last)
            if last or spans.characters:
                break
            size *= 2  # there both cut nowhere
        parts.append(spans.moved(start))
        start += spans.characters
        first_byte += spans.bytes
        yield start / len(text)
    return _joined(parts, text, first_byte, (len(ends_a), len(ends_b)))


def _between(ends: NDArray[np.integer[Any]], first: int, last: int) -> NDArray[np.integer[Any]]:
    """Ends in (first, last], counted from first on; those at 0 are in what begins there."""
    a, b = np.searchsorted(ends, (first, last), side="right").tolist()
    return ends[a if first else 0 : b] - first


def _joined(parts: list[Spans], text: str, size: int, tokens: tuple[int, int]) -> TextComparison:
    """The spans of all parts, and runs of equal ones as one."""
    whole = Spans.concatenated(parts)
    same = whole.kinds == _SAME
    follows = np.append(False, same[1:] & same[:-1])[: len(same)]
    first = np.flatnonzero(~follows)
    starts = whole.starts[first]
    return TextComparison(
        starts=starts,
        ends=np.append(starts[1:], len(text)) if len(starts) else starts,
        kinds=whole.kinds[first],
        span_tokens_a=_sums(whole.tokens_a, first),
        span_tokens_b=_sums(whole.tokens_b, first),
        characters=len(text),
        bytes=size,
        tokens_a=tokens[0],
        tokens_b=tokens[1],
    )


def _sums(counts: NDArray[np.int64], first: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.add.reduceat(counts, first) if len(first) else np.zeros(0, dtype=np.int64)
