"""Finding added tokens in a text, by the rules of Hugging Face."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import regex

from bpe_studio.bpe.text_rules import AddedToken

__all__ = ["Finder"]

_WORD = r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]"
_SPACES_BEFORE = regex.compile(r"(?r)\p{White_Space}*")
_SPACES_AFTER = regex.compile(r"\p{White_Space}*")
_WORD_BEFORE = regex.compile(f"(?r){_WORD}")
_WORD_AFTER = regex.compile(_WORD)


@dataclass(frozen=True)
class Finder:
    """Looks for tokens by their texts: leftmost, and of several that start there the longest.

    Attributes
    ----------
    tokens : sequence of (text to look for, AddedToken)
        Of equal texts the last counts.
    """

    tokens: Sequence[tuple[str, AddedToken]]

    @cached_property
    def _by_text(self) -> dict[str, AddedToken]:
        return {text: token for text, token in self.tokens if text}

    @cached_property
    def _pattern(self) -> regex.Pattern[str] | None:
        longest_first = sorted(self._by_text, key=len, reverse=True)
        return regex.compile("|".join(map(regex.escape, longest_first))) if longest_first else None

    def split(self, text: str) -> Iterator[tuple[int, int, AddedToken | None]]:
        """The stretches of a text in order, none empty: where each begins and ends, and its token.

        White space that a token takes with it is a part of its stretch.
        """
        done = 0
        for begin, end, token in self._found(text):
            begin = max(begin, done)
            if end <= begin:
                continue
            if begin > done:
                yield done, begin, None
            yield begin, end, token
            done = end
        if done < len(text):
            yield done, len(text), None

    def _found(self, text: str) -> Iterator[tuple[int, int, AddedToken]]:
        for match in self._pattern.finditer(text) if self._pattern else ():
            token = self._by_text[match.group()]
            begin, end = match.span()
            if token.single_word and (
                _WORD_BEFORE.match(text, 0, begin) or _WORD_AFTER.match(text, end)
            ):
                continue
            if token.lstrip and (spaces := _SPACES_BEFORE.match(text, 0, begin)):
                begin = spaces.start()
            if token.rstrip and (spaces := _SPACES_AFTER.match(text, end)):
                end = spaces.end()
            yield begin, end, token
