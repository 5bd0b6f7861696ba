"""The shortest text on which the answer to *why is this not one token?* can be seen."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final

from bpe_studio.analysis.reason import Reason
from bpe_studio.analysis.why import iter_why
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.tokenizer import Tokenizer

MOST_TRIED: Final = 2_000
"""Parts of the text that are tried, shortest first."""

MOST_CHARACTERS: Final = 1_000_000
"""That are tried in all; of a longer span, one part."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A text by itself in which the same rule keeps the same characters from being one token.

    The span is the whole span that was asked about, and of a cut by the pattern every cut in it
    stays at its place: the text is short on both sides of the span, never inside it.

    Attributes
    ----------
    text : str
        A part of the text that was asked about: the shortest one, but for one of some fifty
        characters beside the span, which is only made as short as a few attempts can.
    start, end : int
        Where the span lies in it, in characters.
    ids : tuple of int
        What it is encoded to.
    """

    text: str
    start: int
    end: int
    ids: tuple[int, ...]


def find_proof(
    tokenizer: Tokenizer,
    text: str,
    reason: Reason,
    *,
    allowed_special: AllowedSpecial = None,
) -> Proof | None:
    """The shortest part of the text in which the reason holds by itself, or None."""
    return result_of(iter_proof(tokenizer, text, reason, allowed_special=allowed_special))


def iter_proof(
    tokenizer: Tokenizer,
    text: str,
    reason: Reason,
    *,
    allowed_special: AllowedSpecial = None,
) -> Generator[None, None, Proof | None]:
    """As `find_proof`, in slices; the proof is what the generator returns."""
    tried = characters = 0
    for begin, end in _around(reason, text):
        tried, characters = tried + 1, characters + end - begin
        proof = yield from _try(tokenizer, text, reason, begin, end, allowed_special)
        if proof is not None:
            return proof
        if tried == MOST_TRIED or characters > MOST_CHARACTERS:
            break
    return (yield from _by_tokens(tokenizer, text, reason, allowed_special))


def _try(
    tokenizer: Tokenizer,
    text: str,
    reason: Reason,
    begin: int,
    end: int,
    allowed_special: AllowedSpecial,
) -> Generator[None, None, Proof | None]:
    """The part of a text as a proof, if it is one."""
    part = text[begin:end]
    span = reason.start - begin, reason.end - begin
    try:
        found = yield from iter_why(tokenizer, part, *span, allowed_special=allowed_special)
    except ValueError:  # some normal forms make of a part what the table cannot spell
        return None
    if not _shows(found, reason, begin):
        return None
    return Proof(part, *span, tuple(tokenizer.encode(part, allowed_special=allowed_special)))


def _by_tokens(
    tokenizer: Tokenizer, text: str, reason: Reason, allowed_special: AllowedSpecial
) -> Generator[None, None, Proof | None]:
    """The tokens that overlap the span, as a text, with less and less beside it.

    What they are made of decided alone, so where the pattern lets them stand they show the same;
    that they do with less on both sides is only tried.
    """
    begin = min((token.text_start for token in reason.tokens), default=reason.start)
    end = max((token.text_end for token in reason.tokens), default=reason.end)
    begin, end = min(begin, reason.start), max(end, reason.end)
    if end - begin > MOST_CHARACTERS:
        return None
    best = yield from _try(tokenizer, text, reason, begin, end, allowed_special)
    step = max(reason.start - begin, end - reason.end)
    while best is not None and step:
        for left, right in ((step, 0), (0, step)):
            if begin + left > reason.start or end - right < reason.end:
                continue
            less = yield from _try(
                tokenizer, text, reason, begin + left, end - right, allowed_special
            )
            if less is not None:
                best, begin, end = less, begin + left, end - right
        step //= 2
    return best


def _around(reason: Reason, text: str) -> Iterator[tuple[int, int]]:
    """Parts of a text that hold the span, shortest first; of equal ones the leftmost first."""
    for more in range(len(text) - (reason.end - reason.start) + 1):
        for left in range(more, -1, -1):
            begin, end = reason.start - left, reason.end + more - left
            if begin >= 0 and end <= len(text):
                yield begin, end


def _shows(found: Reason, reason: Reason, begin: int) -> bool:
    """Whether a reason in a part of the text, which begins at a character, is the same one."""
    return (
        found.kind == reason.kind
        and found.rank == reason.rank
        and found.own_rank == reason.own_rank
        and found.ids == reason.ids
        and tuple(cut + begin for cut in found.cuts) == reason.cuts
    )
