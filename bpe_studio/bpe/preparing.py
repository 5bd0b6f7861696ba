"""A text → added tokens and pieces, by the rules of a tokenizer."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import regex

from bpe_studio.bpe.added_tokens import Finder
from bpe_studio.bpe.cutting import spans_of
from bpe_studio.bpe.editing import changes_of
from bpe_studio.bpe.edits import Edit
from bpe_studio.bpe.patterns import OTHERS, Pattern
from bpe_studio.bpe.plain_encoder import needs_plain
from bpe_studio.bpe.scanner import iter_pieces
from bpe_studio.bpe.stretch import Change, Span, Stretch
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import AddedToken, Split, TextRules

__all__ = ["Cut", "Found", "Preparer"]


@dataclass(frozen=True, slots=True)
class Found:
    """A token that is there before anything is merged; its characters in the original text."""

    id: int
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Cut:
    """Text that is to be merged.

    Attributes
    ----------
    stretch : Stretch
    spans : list of (from, to), or None
        The pieces, which tile the stretch; None where the tokenizer's pattern has yet to cut it.
    unknown : list of bool, or None
        Which pieces are the unknown token; None where none is.
    """

    stretch: Stretch
    spans: list[Span] | None = None
    unknown: list[bool] | None = None


@dataclass(frozen=True, eq=False)
class Preparer:
    """What stands between a text and the merges of a tokenizer."""

    rules: TextRules
    pattern: Pattern
    table: MergeTable
    _last: tuple[tuple[AddedToken, ...], tuple[Finder, Finder]] = ((), (Finder(()), Finder(())))

    def parts(
        self, text: str, tokens: tuple[AddedToken, ...], *, tracked: bool
    ) -> Iterator[Found | Cut]:
        """The parts of a text, in order.

        Parameters
        ----------
        tokens : the added tokens that are looked for
        tracked : whether the characters are to remember where they came from
        """
        raw, normalized = self._finders(tokens)
        for begin, end, token in raw.split(text):
            if token is not None:
                yield Found(token.id, begin, end)
                continue
            stretch = Stretch(text[begin:end], begin, tracked)
            yield from self._of_stretch(stretch, normalized, first=begin == 0)

    def raw_finder(self, tokens: tuple[AddedToken, ...]) -> Finder:
        """Of the tokens that are looked for in the text as it came."""
        return self._finders(tokens)[0]

    def _finders(self, tokens: tuple[AddedToken, ...]) -> tuple[Finder, Finder]:
        """Those for the text as it came, and as the normalizer leaves it.

        The last are kept: a table has hundreds of added tokens, and most texts are short.
        """
        known, finders = self._last
        if known is not tokens:
            raw = Finder([(token.content, token) for token in tokens if not token.normalized])
            edited = [token for token in tokens if token.normalized]
            normalized = Finder([(self.normalized(token.content), token) for token in edited])
            finders = raw, normalized
            object.__setattr__(self, "_last", (tokens, finders))
        return finders

    def normalized(self, text: str) -> str:
        """A text as the normalizer leaves it."""
        stretch = Stretch(text, 0, tracked=False)
        for step in self.rules.normalizer:
            stretch = stretch.edited(changes_of(step, stretch.text, first=True))
        return stretch.text

    def _of_stretch(
        self, stretch: Stretch, normalized: Finder, *, first: bool
    ) -> Iterator[Found | Cut]:
        for step in self.rules.normalizer:
            stretch = stretch.edited(changes_of(step, stretch.text, first=first))
        for begin, end, token in normalized.split(stretch.text):
            if token is not None:
                yield Found(token.id, *stretch.original_span(begin, end))
                continue
            part = stretch.part(begin, end)
            for a, b, fixed in self._fixed.split(part.text):
                if fixed is not None:
                    yield Found(fixed.id, *part.original_span(a, b))
                else:
                    yield from self._pieces(part.part(a, b), first=first and begin + a == 0)

    @cached_property
    def _fixed(self) -> Finder:
        return Finder([(text, AddedToken(text, number)) for text, number in self.rules.fixed])

    def _pieces(self, stretch: Stretch, *, first: bool) -> Iterator[Found | Cut]:
        cut = self._pre_tokenized(stretch, first=first) if self.rules.pre_tokenizer else None
        cut = cut or Cut(stretch)
        if not cut.stretch.text:
            return
        unknown = self._unknown_in(cut.stretch.text)
        yield cut if unknown is None else self._without(cut, unknown)

    # The pre-tokenizer

    def _pre_tokenized(self, stretch: Stretch, *, first: bool) -> Cut:
        spans = [(0, len(stretch.text))]
        for step in self.rules.pre_tokenizer:
            if isinstance(step, Split):
                spans = [
                    (begin + a, begin + b)
                    for begin, end in spans
                    for a, b in spans_of(step, stretch.text[begin:end])
                ]
            else:
                first = first and bool(spans) and spans[0][0] == 0
                stretch, spans = _edited(stretch, spans, step, first=first)
        stretch, spans = _edited(stretch, spans, None, first=first)
        if self.pattern is not OTHERS["whole"]:
            spans = [
                (begin + a, begin + b)
                for begin, end in spans
                for a, b in self._by_pattern(stretch.text[begin:end])
            ]
        return Cut(stretch, spans)

    def _by_pattern(self, text: str) -> list[Span]:
        spans: list[Span] = []
        done = 0
        for pieces in iter_pieces(self.pattern, text):
            for piece in pieces:
                spans.append((done, done + len(piece)))
                done += len(piece)
        return spans

    def cut_all(self, cut: Cut) -> list[Span]:
        """The pieces of a cut text, by the pattern where it has yet to cut."""
        return self._by_pattern(cut.stretch.text) if cut.spans is None else cut.spans

    # Characters that the table cannot spell

    @cached_property
    def _spelled(self) -> frozenset[str]:
        """The characters that the table can spell, of those that are no byte symbols alone."""
        ascii_ = {chr(b) for b in range(128) if self.table.byte_ids[b] >= 0}
        return frozenset(ascii_ | set(self.table.char_ids))

    @cached_property
    def _is_plain(self) -> bool:
        """Whether unknown characters are left to the encoder."""
        return needs_plain(self.table, self.rules)

    @cached_property
    def _has_all_bytes(self) -> bool:
        return bool((self.table.byte_ids >= 0).all())

    def _unknown_in(self, text: str) -> regex.Pattern[str] | None:
        """An expression for the characters of a text that become the unknown token."""
        if self.rules.unknown is None or self._has_all_bytes or self._is_plain:
            return None
        known = self.table.byte_ids
        unknown = [
            char
            for char in set(text) - self._spelled
            if any(known[b] < 0 for b in char.encode("utf-8", "replace"))
        ]
        if not unknown:
            return None
        more = "+" if self.rules.unknown.fuse else ""
        chars = regex.escape("".join(sorted(unknown)), special_only=False)
        return regex.compile(f"[{chars}]{more}")

    def _without(self, cut: Cut, unknown: regex.Pattern[str]) -> Cut:
        """The pieces of a cut text, cut at what is unknown too."""
        text, spans = cut.stretch.text, self.cut_all(cut)
        places = [span for match in unknown.finditer(text) for span in _inside(match.span(), spans)]
        borders = {border for span in (*spans, *places) for border in span}
        pieces = list(pairwise(sorted(borders)))
        found = set(places)
        return Cut(cut.stretch, pieces, [piece in found for piece in pieces])


def _inside(span: Span, pieces: list[Span]) -> Iterator[Span]:
    """A span, cut where pieces end."""
    begin, end = span
    at = bisect_right(pieces, begin, key=lambda piece: piece[1])
    while begin < end:
        yield begin, min(end, pieces[at][1])
        begin, at = pieces[at][1], at + 1


def _edited(
    stretch: Stretch, spans: list[Span], step: Edit | None, *, first: bool
) -> tuple[Stretch, list[Span]]:
    """Every piece edited by itself, and what lies between the pieces gone."""
    changes: list[Change] = []
    edited: list[Span] = []
    done = place = 0
    for begin, end in spans:
        if begin > done:
            changes.append((done, begin, ""))
        found = (
            ()
            if step is None
            else changes_of(step, stretch.text[begin:end], first=first and begin == 0)
        )
        changes += [(begin + a, begin + b, new) for a, b, new in found]
        length = end - begin + sum(len(new) - (b - a) for a, b, new in found)
        if length:
            edited.append((place, place + length))
        place += length
        done = end
    if done < len(stretch.text):
        changes.append((done, len(stretch.text), ""))
    return stretch.edited(changes), edited
