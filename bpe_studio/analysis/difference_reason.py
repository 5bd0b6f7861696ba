"""Why two tokenizers cut a part of a text differently, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from bpe_studio.analysis.compare_text import DifferenceSpan

__all__ = ["CUT_KINDS", "CutReason", "DifferenceReason", "Side"]

Side = Literal["A", "B"]

CUT_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "special": "{0} takes a special or an added token there",
        "unknown": "{0} cannot spell characters there, and has its unknown token for them",
        "normalized": "{0} changes or leaves out characters before it merges",
        "pattern-cut": "{0}'s pattern cuts there",
        "no-such-token": "{0} has no token for the stretch",
        "outside": "{0} is run by a library, and only its cuts are known",
        "whole-piece": "{0} has the token for whole pieces only",
        "no-merge": "{0} has the token, but its merges do not lead to it",
        "absorbed": "{0} joins the token with its neighbour",
        "taken": "{0} has the token, but a merge of lower rank took a part of it",
        "inner-merge": "{0} has the token, but another merge came first inside it",
    }
)
"""Each kind of reason in words; {0} is the table. The first is the strongest."""


@dataclass(frozen=True, slots=True)
class CutReason:
    """Why one table cuts where the other one does not.

    Asked is why a token of the other table, the first that it cuts through, is not one token here.

    Attributes
    ----------
    cutter : "A" or "B"
        The table that has the cut.
    side : "A" or "B"
        The table that is the reason: the cutter, but for a special or an unknown token of the
        other one, and for characters that the other one leaves out.
    kind : str
        A key of `CUT_KINDS`.
    sentence : str
    border : int
        The character at which the cut is; of a cut inside a character, that one.
    start, end : int
        The characters of the text that the other table's token stands for; with `data`, the bytes
        of the text that it holds.
    kept : int or None
        The id of that token in the other table; None where the other table has none there.
    token : int or None
        The id of a token with the same bytes in the cutter, if it has one.
    rank, own_rank : int or None
        The merge of the cutter that came first, and that which had made the token.
    joined : tuple of bytes
        What the merge `rank` joins.
    offset : int or None
        The character at which that merge joined, the pattern cut, or a special begins.
    pieces : tuple of str
        The pieces that the cutter's pattern made of it, the first few.
    alternatives : tuple of (int, str)
        The alternative of the pattern that made each of them, from 0, and its expression.
    """

    cutter: Side
    side: Side
    kind: str
    sentence: str
    border: int
    start: int
    end: int
    data: bytes
    kept: int | None = None
    token: int | None = None
    rank: int | None = None
    own_rank: int | None = None
    joined: tuple[bytes, ...] = ()
    offset: int | None = None
    pieces: tuple[str, ...] = ()
    alternatives: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class DifferenceReason:
    """Why the tables differ in one span.

    Attributes
    ----------
    span : DifferenceSpan
    because : CutReason
        Where each cuts where the other does not, the stronger of two reasons, as `CUT_KINDS` orders
        them; of two of a kind that whose cut comes first.
    also : CutReason or None
        The other one of the two.
    tokens_a, tokens_b : tuple of bytes
        The tokens of the span in both, of a long one the first 100.
    """

    span: DifferenceSpan
    because: CutReason
    also: CutReason | None
    tokens_a: tuple[bytes, ...]
    tokens_b: tuple[bytes, ...]

    @property
    def kind(self) -> str:
        """A key of `CUT_KINDS`."""
        return self.because.kind

    @property
    def side(self) -> Side:
        """The table that is the reason."""
        return self.because.side

    @property
    def sentence(self) -> str:
        """One plain sentence, or two where each table cuts where the other does not."""
        return self.because.sentence + (f" {self.also.sentence}" if self.also else "")
