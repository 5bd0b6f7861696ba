"""A span of a text with what is needed to ask why it is not one token."""

from __future__ import annotations

from collections.abc import Generator
from functools import cached_property
from typing import Final

from bpe_studio.analysis.building import bare_bytes, first_ids
from bpe_studio.analysis.merging import Event, LastMerging, Merging, events, events_of, iter_merging
from bpe_studio.analysis.naming import merge_name, token_name
from bpe_studio.analysis.parts import Part
from bpe_studio.analysis.story import TokenSpan, tell_special, tokens_at
from bpe_studio.bpe.plain_encoder import needs_plain
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer

MOST_PARTS: Final = 200
MOST_TOKENS: Final = 1_000
"""Of a longer span so many tokens are told, of so many parts."""


class Span:
    """Characters of a text, the specials and pieces that they touch, and what happens there.

    Parameters
    ----------
    trim : (before, after)
        So many bytes of the first character, and of the last one, are left out of it, where the
        tokenizer does not change the text.

    Attributes
    ----------
    text : str
        The characters as they were given.
    data : bytes
        What the tokenizer made of them before it merges.
    changed : bool
        Whether that is something else.
    token : int or None
        The token that merges would have to make for the span to be one.
    merging : Merging or None
        What happens in the piece, where it is one.
    tokens : tuple of TokenSpan
        Every token that overlaps the span; of a long one the first `MOST_TOKENS`.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        text: str,
        start: int,
        end: int,
        parts: list[Part],
        *,
        trim: tuple[int, int] = (0, 0),
    ) -> None:
        self.tokenizer = tokenizer
        self.table: MergeTable = tokenizer.table
        self.parts = parts
        self.start, self.end = start, end
        self.text = text[start:end]
        self.data, self.changed = self._as_it_is_merged()
        self.merging: Merging | None = None
        self.tokens: tuple[TokenSpan, ...] = ()
        self.byte_start = self.byte_end = 0
        if len(parts) == 1 and parts[0].special is None:
            self.byte_start, self.byte_end = parts[0].bytes_of(start, end)
        if any(trim) and not self.changed:
            self.data = self.data[trim[0] : len(self.data) - trim[1]]
            self.byte_start += trim[0]
            self.byte_end -= trim[1]
        self.wanted = self._marked(self.data)
        self.token = self.table.find(self.wanted)

    def prepare(self, last: LastMerging | None = None) -> Generator[None, None, None]:
        """Looks at what happens in the pieces, in slices."""
        found: list[TokenSpan] = []
        for part in self.parts[:MOST_PARTS]:
            if part.special is not None:
                found += tell_special(part).tokens
                continue
            merging = yield from iter_merging(self.tokenizer, part.data, last=last)
            inside = part.bytes_of(self.start, self.end)
            found += tokens_at(part, merging, inside, most=MOST_TOKENS)
            if len(self.parts) == 1:
                self.merging = merging
        self.tokens = tuple(found[:MOST_TOKENS])

    @property
    def piece(self) -> Part:
        """The only piece that the span touches."""
        return self.parts[0]

    @cached_property
    def base(self) -> set[int]:
        """The ids that merging begins with."""
        return first_ids(self.tokenizer)

    def _as_it_is_merged(self) -> tuple[bytes, bool]:
        if not self.tokenizer.edits_text:
            return self.text.encode(), False
        made: list[bytes] = []
        changed = False
        position = self.start
        for part in self.parts:
            begin, end = max(part.start, self.start), min(part.end, self.end)
            given = self.text[begin - self.start : end - self.start].encode()
            if part.special is None and part.edited is not None:
                first, last = part.bytes_of(self.start, self.end)
                made.append(part.data[first:last])
                changed = changed or made[-1] != given
            else:
                made.append(given)
            changed = changed or part.start > position
            position = max(position, part.end)
        return b"".join(made), changed or position < self.end

    def _marked(self, data: bytes) -> bytes:
        """With the marks that a vocabulary of words writes at such a part of a piece."""
        rules = self.tokenizer.rules
        if not (rules.word_prefix or rules.word_end) or len(self.parts) != 1:
            return data
        prefix = rules.word_prefix.encode() if self.byte_start else b""
        at_end = self.byte_end == len(self.piece.data)
        return prefix + data + (rules.word_end.encode() if at_end else b"")

    def happened(self) -> list[Event]:
        """Every symbol and merge of the piece that overlaps the span, in order of time."""
        assert self.merging is not None
        return self.merging.events(self.byte_start, self.byte_end)

    def alone(self) -> list[Event]:
        """What would happen if the span were a piece by itself, in its own bytes."""
        if not needs_plain(self.table, self.tokenizer.rules):
            return events(self.tokenizer, self.data)
        here = [event for event in self.happened() if event.is_base]
        here = [event for event in here if event.within(self.byte_start, self.byte_end)]
        bounds = [0, *(event.end - self.byte_start for event in here)]
        return events_of([event.id for event in here], bounds, self.table.merge_ranks)

    def width(self, token: int) -> int:
        """How many bytes of a text a token stands for."""
        return len(bare_bytes(self.tokenizer, self.table.token_bytes(token)))

    def name(self, token: int) -> str:
        return token_name(self.tokenizer, token)

    def merge(self, rank: int) -> str:
        return merge_name(self.tokenizer, rank)

    def character(self, byte: int) -> int:
        """The character of the text at a byte of the piece."""
        return self.piece.character_at(byte)
