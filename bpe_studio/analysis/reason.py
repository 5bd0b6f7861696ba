"""The answer to *why is this not one token?*, and the questions that need no trace of merges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bpe_studio.analysis.building import missing_part, no_merge_sentence
from bpe_studio.analysis.naming import listed, merge_name, quoted, token_name
from bpe_studio.analysis.parts import Part
from bpe_studio.analysis.story import (
    TokenSpan,
    is_whole_piece,
    tell_piece,
    tell_special,
    token_spans,
)
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer

KINDS: Final = (
    "one-token", "special", "normalized", "pattern-cut", "no-such-token", "whole-piece",
    "no-merge", "absorbed", "taken", "inner-merge",
)  # fmt: skip
_MOST_LISTED: Final = 4


@dataclass(frozen=True, slots=True)
class Reason:
    """The answer for one span.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    sentence : str
        The answer in words.
    start, end : int
        The span, in characters; `text` is what it holds.
    token : int or None
        The token with the bytes of the span, if the table has one.
    tokens : tuple of TokenSpan
        What the span is instead: every token that overlaps it.
    rank : int or None
        The merge that absorbed it, took a part of it, or won inside it.
    own_rank : int or None
        The merge that made it or would have made it.
    ids : tuple of int
        The tokens that the sentence names: the special, or left, right and result of the merge.
    offset : int or None
        The character at which the merge joined, the pattern cut, or the special begins.
    cuts : tuple of int
        Every character at which the pattern cuts the span.
    alternatives : tuple of str
        The alternative of the pattern that made each piece of the span.
    """

    kind: str
    sentence: str
    start: int
    end: int
    text: str
    token: int | None = None
    tokens: tuple[TokenSpan, ...] = ()
    rank: int | None = None
    own_rank: int | None = None
    ids: tuple[int, ...] = ()
    offset: int | None = None
    cuts: tuple[int, ...] = ()
    alternatives: tuple[str, ...] = ()


def edited_reason(
    tokenizer: Tokenizer, text: str, start: int, end: int, parts: list[Part]
) -> Reason:
    """3. The tokenizer changes these characters before it cuts and merges."""
    tokens = tuple(
        token
        for part in parts
        for token in (
            tell_special(part) if part.special is not None else tell_piece(tokenizer, part)
        ).tokens
    )
    span = quoted(text[start:end])
    if not parts:
        sentence = f"The tokenizer leaves out {span} before it merges."
    else:
        around = quoted(text[parts[0].start : parts[-1].end])
        made = listed([quoted(part.text) for part in parts[:_MOST_LISTED]])
        sentence = f"Before it merges, the tokenizer changes {around} into {made}."
    return Reason("normalized", sentence, start, end, text[start:end], tokens=tokens)


class Span:
    """A span with what is needed to ask about it; each question answers with a Reason or None."""

    def __init__(
        self, tokenizer: Tokenizer, text: str, start: int, end: int, parts: list[Part]
    ) -> None:
        self.tokenizer = tokenizer
        self.table: MergeTable = tokenizer.table
        self.parts = parts
        self.start, self.end = start, end
        self.text = text[start:end]
        self.token = self.table.find(self.text.encode())
        first = parts[0]
        # Places inside a piece count from its first byte.
        self.byte_start = len(first.text[: start - first.start].encode())
        self.byte_end = self.byte_start + len(self.text.encode())
        self.tokens = self._tokens()

    def _tokens(self) -> tuple[TokenSpan, ...]:
        """Every token that overlaps the span."""
        first = self.parts[0].byte_start + self.byte_start
        last = self.parts[0].byte_start + self.byte_end
        found: list[TokenSpan] = []
        for part in self.parts:
            if part.special is not None:
                found += tell_special(part).tokens
            else:
                inside = (max(0, first - part.byte_start), last - part.byte_start)
                found += token_spans(self.tokenizer, part, inside)
        return tuple(found)

    def reason(
        self,
        kind: str,
        sentence: str,
        *,
        rank: int | None = None,
        own_rank: int | None = None,
        ids: tuple[int, ...] = (),
        offset: int | None = None,
        cuts: tuple[int, ...] = (),
    ) -> Reason:
        alternatives = self.tokenizer.pattern.alternatives
        return Reason(
            kind, sentence, self.start, self.end, self.text, self.token, self.tokens, rank,
            own_rank, ids, offset, cuts,
            tuple(alternatives[p.alternative] for p in self.parts if p.alternative is not None),
        )  # fmt: skip

    def name(self, token: int) -> str:
        return token_name(self.tokenizer, token)

    def merge(self, rank: int) -> str:
        return merge_name(self.tokenizer, rank)

    def character(self, byte: int) -> int:
        """The character of the text at a byte of the piece."""
        part = self.parts[0]
        return part.start + len(part.data[:byte].decode("utf-8", "ignore"))

    def one_token(self) -> Reason | None:
        """1. It is one token here."""
        if len(self.tokens) != 1 or self.tokens[0].data != self.text.encode():
            return None
        token = self.tokens[0].id
        what = "special" if self.tokenizer.is_special(token) else "token"
        ranks = self.table.ranks_of(token)
        made = f", made by {self.merge(ranks[0])}" if len(ranks) == 1 else ""
        sentence = f"It is one {what} here: {self.name(token)}{made}."
        return self.reason(
            "one-token", sentence, ids=(token,), own_rank=ranks[0] if ranks else None
        )

    def special(self) -> Reason | None:
        """2. It overlaps a special."""
        found = next((part for part in self.parts if part.special is not None), None)
        if found is None or found.special is None:
            return None
        sentence = (
            f"{quoted(self.text)} overlaps the special {self.name(found.special)} at characters "
            f"{found.start:,} to {found.end:,}, and specials are matched before anything else."
        )
        return self.reason("special", sentence, ids=(found.special,), offset=found.start)

    def pattern_cut(self) -> Reason | None:
        """4. The pattern cuts inside it."""
        if len(self.parts) < 2:
            return None
        cuts = tuple(part.start for part in self.parts[1:])
        shown = [f"{cut:,}" for cut in cuts[:_MOST_LISTED]]
        if len(cuts) > _MOST_LISTED:
            shown.append(f"{len(cuts) - _MOST_LISTED:,} more")
        pieces = [self._made_by(part) for part in self.parts[:_MOST_LISTED]]
        if len(self.parts) > _MOST_LISTED:
            pieces.append(f"{len(self.parts) - _MOST_LISTED:,} more")
        sentence = (
            f"The pattern cuts {quoted(self.text)} at character{'s'[: len(cuts) > 1]} "
            f"{listed(shown)}, and merges never cross a cut; the pieces are {listed(pieces)}."
        )
        return self.reason("pattern-cut", sentence, offset=cuts[0], cuts=cuts)

    def _made_by(self, part: Part) -> str:
        assert part.alternative is not None
        expression = self.tokenizer.pattern.alternatives[part.alternative]
        return f"{quoted(part.text)} (alternative {part.alternative + 1}, “{expression}”)"

    def no_such_token(self) -> Reason | None:
        """5. No token has these bytes."""
        if self.token is not None:
            return None
        data = self.text.encode()
        shown = f" ({data.hex(' ').upper()})" if len(data) <= 16 else ""
        sentence = f"No token of this table has the bytes of {quoted(self.text)}{shown}."
        special = self.tokenizer.special_ids.get(self.text)
        if special is not None:
            sentence += f" The special {self.name(special)} is read as plain text here."
        return self.reason("no-such-token", sentence)

    def whole_piece(self) -> Reason | None:
        """5, for an engine that takes whole pieces first: this is only a part of one."""
        assert self.token is not None
        piece = self.parts[0].data
        if is_whole_piece(self.tokenizer, piece):
            whole = self.table.find(piece)
            assert whole is not None
            sentence = (
                f"The engine takes a whole piece first: {self.name(whole)} is one token, so "
                "nothing inside it was merged."
            )
            return self.reason("whole-piece", sentence, ids=(whole,))
        missing = missing_part(self.table, self.token)
        if missing is None or self.tokenizer.engine == "merges":
            return None
        sentence = (
            f"{self.name(self.token)} cannot be built by merges; the engine takes it only as a "
            f"whole piece, and here it is a part of the piece {quoted(piece)}."
        )
        return self.reason("whole-piece", sentence, ids=(self.token,))

    def no_merge(self) -> Reason | None:
        """5, for merges. The is there, but no chain of merges leads to it."""
        assert self.token is not None
        missing = missing_part(self.table, self.token)
        if missing is None:
            return None
        sentence = no_merge_sentence(self.tokenizer, self.token, missing)
        return self.reason("no-merge", sentence, ids=tuple(dict.fromkeys((self.token, missing))))
