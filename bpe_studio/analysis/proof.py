"""The shortest text on which the answer to *why is this not one token?* can be seen."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final

from bpe_studio.analysis.merging import collect
from bpe_studio.analysis.reason import Reason
from bpe_studio.analysis.why import iter_why
from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.tokenizer import Tokenizer

# Texts that are tried, and characters beside the span; a longer span is its own proof or has none.
MOST_TRIED: Final = 2_000
MOST_AROUND: Final = 400
LONGEST_SPAN: Final = 2_000


@dataclass(frozen=True, slots=True)
class Proof:
    """A text by itself in which the same rule keeps the same characters from being one token.

    Attributes
    ----------
    text : str
        A part of the text that was asked about, as short as can be.
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
    return collect(iter_proof(tokenizer, text, reason, allowed_special=allowed_special))


def iter_proof(
    tokenizer: Tokenizer,
    text: str,
    reason: Reason,
    *,
    allowed_special: AllowedSpecial = None,
) -> Generator[None, None, Proof | None]:
    """As `find_proof`, in slices; the proof is what the generator returns."""
    if reason.end - reason.start > LONGEST_SPAN:
        return None
    for tried, (begin, end) in enumerate(_around(reason, len(text))):
        if tried == MOST_TRIED:
            break
        part = text[begin:end]
        span = reason.start - begin, reason.end - begin
        try:
            found = yield from iter_why(tokenizer, part, *span, allowed_special=allowed_special)
        except ValueError:  # half of what belongs together may be no text for some tokenizers
            continue
        if _shows(found, reason, begin):
            return Proof(
                part, *span, tuple(tokenizer.encode(part, allowed_special=allowed_special))
            )
        yield
    return None


def _around(reason: Reason, length: int) -> Iterator[tuple[int, int]]:
    """Parts of a text that hold the span, shortest first; of equal ones the leftmost first."""
    for more in range(MOST_AROUND + 1):
        for left in range(more, -1, -1):
            begin, end = reason.start - left, reason.end + more - left
            if begin >= 0 and end <= length:
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
