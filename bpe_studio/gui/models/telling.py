"""What Explain tells about a span of a text or about a token of the table, computed in a job."""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bpe_studio.analysis.explain import (
    Explanation,
    PieceStory,
    Reason,
    TokenSpan,
    Variant,
    iter_explain,
    iter_why,
    tell_bytes,
    variants_of,
)
from bpe_studio.analysis.history import History, history
from bpe_studio.analysis.letters import Grid, grid
from bpe_studio.analysis.merging import LastMerging
from bpe_studio.analysis.parts import check_explainable
from bpe_studio.analysis.proof import Proof
from bpe_studio.analysis.tree import tree_of
from bpe_studio.gui.job import once_ready
from bpe_studio.gui.models.token_details import TokenDetails, describe

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

MOST_PIECES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Everything that Explain shows.

    Attributes
    ----------
    text, start, end : str, int, int
        The span; of a token of the table alone, its own text.
    data : bytes
        What is told about.
    alone : bool
        A token of the table is told, wherever it may stand.
    token : TokenDetails or None
        The token that the span is, if it is one.
    reason : Reason or None
    proof : Proof or None
        It is looked for after everything else, and comes later.
    variants : tuple of Variant
    grid : Grid or None
        Which letters are in which tokens.
    pieces : tuple of PieceStory
    pieces_left_out : bool
        There are more pieces.
    history : History or None
        Of the token that the span is, or of the one that has its bytes and is not made here.
    unexplained : str
        Why nothing can be told of how a token is made.
    """

    tokenizer: Tokenizer
    text: str
    data: bytes
    start: int = 0
    end: int = 0
    alone: bool = False
    token: TokenDetails | None = None
    reason: Reason | None = None
    proof: Proof | None = None
    variants: tuple[Variant, ...] = ()
    grid: Grid | None = None
    pieces: tuple[PieceStory, ...] = ()
    pieces_left_out: bool = False
    history: History | None = None
    unexplained: str = ""

    @property
    def tokens(self) -> tuple[TokenSpan, ...]:
        """The tokens that overlap the span."""
        if self.reason is not None:
            return self.reason.tokens
        if not self.pieces and self.grid is not None:
            return self.grid.tokens
        return Explanation(self.pieces).tokens

    def rank_of(self, token: int) -> int | None:
        """The merge that made a token here; of several, the one that made the span itself."""
        found = None
        for story in self.pieces:
            tree = tree_of(story)
            for node in tree.nodes:
                if node.id == token and node.rank >= 0:
                    found = node.rank
            if len(tree.roots) != len(story.tokens):
                continue
            for root, span in zip(tree.roots, story.tokens, strict=True):
                is_span = (span.text_start, span.text_end) == (self.start, self.end)
                if is_span and tree.nodes[root].id == token and tree.nodes[root].rank >= 0:
                    return tree.nodes[root].rank
        return found

    def with_piece(self, place: int, story: PieceStory) -> Told:
        """The same with another window of one of its pieces."""
        return replace(self, pieces=(*self.pieces[:place], story, *self.pieces[place + 1 :]))


def tell_span(
    tokenizer: Tokenizer,
    text: str,
    start: int,
    end: int,
    *,
    ready: threading.Event | None = None,
    alone: bool = False,
) -> Generator[None, None, Told]:
    """Tell about characters of a text; `alone` says that the text is a token by itself."""
    told = Told(
        tokenizer=tokenizer, text=text, data=text[start:end].encode(), start=start, end=end,
        alone=alone,
    )  # fmt: skip
    trouble = why_untold(tokenizer)
    if trouble:
        letters = grid(tokenizer, text, start, end) if not tokenizer.view_only else None
        return replace(told, unexplained=trouble, grid=letters)
    return (yield from once_ready(ready, _tell_merges(told)))


def _tell_merges(told: Told) -> Generator[None, None, Told]:
    """With all that follows from the merges."""
    tokenizer, text, start, end = told.tokenizer, told.text, told.start, told.end
    last = LastMerging()
    reason = yield from iter_why(tokenizer, text, start, end, last=last)
    yield
    pieces: list[PieceStory] = []
    left_out = False
    for story in iter_explain(tokenizer, text, start, end, last=last):
        if len(pieces) == MOST_PIECES:
            left_out = True
            break
        pieces.append(story)
        yield
    near = variants_of(tokenizer, reason)
    if len(pieces) > 1:  # of a longer span only what would be one token is worth the room
        near = tuple(variant for variant in near if variant.is_one_token)
    yield
    letters = grid(tokenizer, text, start, end, last=last)
    yield
    token = tokenizer.table.find(told.data) if told.alone or reason.kind == "one-token" else None
    if reason.kind == "one-token" and reason.tokens:
        token = reason.tokens[0].id
    known = reason.token if token is None else token
    return replace(
        told,
        token=None if token is None else describe(tokenizer, token),
        reason=reason,
        variants=near,
        grid=letters,
        pieces=tuple(pieces),
        pieces_left_out=left_out,
        history=None if known is None else history(tokenizer, known),
    )


def tell_token(
    tokenizer: Tokenizer, token: int, *, ready: threading.Event | None = None
) -> Generator[None, None, Told]:
    """Tell about a token of the table, wherever it may stand."""
    details = describe(tokenizer, token)
    told = Told(tokenizer=tokenizer, text="", data=details.data, alone=True, token=details)
    if details.special:
        return replace(told, history=history(tokenizer, token))
    trouble = why_untold(tokenizer)
    if trouble:  # what is known of the token itself still is
        return replace(told, unexplained=trouble)
    return (yield from once_ready(ready, _tell_alone(told, details)))


def _tell_alone(told: Told, details: TokenDetails) -> Generator[None, None, Told]:
    """With what merging makes of the token's own bytes."""
    tokenizer, token = told.tokenizer, details.id
    try:
        text = details.data.decode()
    except UnicodeDecodeError:
        pieces = (tell_bytes(tokenizer, details.data),)  # no pattern was asked about them
        return replace(told, pieces=pieces, history=history(tokenizer, token))
    if not text:
        return told
    told = yield from tell_span(tokenizer, text, 0, len(text), alone=True)
    if told.token is None or told.token.id != token:  # another token has the same bytes
        told = replace(told, history=history(tokenizer, token))
    return replace(told, token=details)


def tell_window(
    tokenizer: Tokenizer, text: str, character: int
) -> Generator[None, None, PieceStory]:
    """Tell the window of a long piece that a character of the text lies in."""
    for story in iter_explain(tokenizer, text, character, character + 1):
        return story
        yield
    raise ValueError(f"Character {character:,} is in no piece.")


def why_untold(tokenizer: Tokenizer) -> str:
    """Why nothing can be told of a tokenizer's merges; nothing where it can."""
    try:
        check_explainable(tokenizer)
    except ValueError as error:
        return str(error)
    return ""
