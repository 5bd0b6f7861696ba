"""Running the cuts of a pre-tokenizer: the rules are those of Hugging Face's `Split`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import regex

from bpe_studio.bpe.text_rules import Behavior, Split

__all__ = ["PatternTimeoutError", "compiled", "spans_of"]

# A match each: whether it is one of the delimiter.
_Found = tuple[int, int, bool]

# An expression can backtrack for ever.
TIMEOUT_SECONDS = 10.0


class PatternTimeoutError(ValueError):
    """An expression of the file takes too long."""

    def __init__(self, expression: str) -> None:
        shown = expression if len(expression) < 60 else expression[:57] + "…"
        super().__init__(
            f"The expression {shown} of the tokenizer is too slow: no answer within "
            f"{TIMEOUT_SECONDS:g} s."
        )


@lru_cache(maxsize=64)
def compiled(expression: str) -> regex.Pattern[str]:
    return regex.compile(expression)


def spans_of(split: Split, text: str) -> list[tuple[int, int]]:
    """The pieces that a cut leaves of a text, none of them empty.

    >>> spans_of(Split(" ", "merged-with-next"), "a b")
    [(0, 1), (1, 3)]
    """
    try:
        found = list(_found(split, text))
    except TimeoutError:
        raise PatternTimeoutError(split.expression) from None
    return [(begin, end) for begin, end in _by_behavior(split.behavior, found) if begin < end]


def _found(split: Split, text: str) -> Iterator[_Found]:
    """The matches and what lies between them, in order."""
    done = 0
    for match in compiled(split.expression).finditer(text, timeout=TIMEOUT_SECONDS):
        begin, end = match.span()
        if begin != done:
            yield done, begin, split.invert
        yield begin, end, not split.invert
        done = end
    if done != len(text):
        yield done, len(text), split.invert


def _by_behavior(behavior: Behavior, found: list[_Found]) -> list[tuple[int, int]]:
    if behavior == "removed":
        return [(begin, end) for begin, end, is_match in found if not is_match]
    if behavior == "isolated":
        return [(begin, end) for begin, end, _ in found]
    if behavior == "contiguous":
        return _joined(found, lambda is_match, before: is_match == before)
    if behavior == "merged-with-previous":
        return _joined(found, lambda is_match, before: is_match and not before)
    # From the end, each match joins what follows it.
    turned = [(-end, -begin, is_match) for begin, end, is_match in reversed(found)]
    joined = _joined(turned, lambda is_match, before: is_match and not before)
    return [(-end, -begin) for begin, end in reversed(joined)]


def _joined(found: list[_Found], joins: Callable[[bool, bool], bool]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    before = False
    for begin, end, is_match in found:
        if spans and joins(is_match, before):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((begin, end))
        before = is_match
    return spans
