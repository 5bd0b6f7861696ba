"""What Explain tells about a span of a text or about a token of the table, computed in a job."""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import dataclass
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
    variants,
)
from bpe_studio.analysis.parts import check_explainable
from bpe_studio.gui.models.token_details import TokenDetails, describe

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

MOST_PIECES = 20
LONGEST_VARIANT = 200
WAIT_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Told:
    """Everything that Explain shows.

    `text`, `start`, `end` are the span; for a token of the table alone, its own text. `token` is
    the token that the span is, if it is one. `pieces_left_out` counts pieces after the first few.
    `unexplained` says why nothing can be told of how a token is made.
    """

    tokenizer: Tokenizer
    data: bytes
    start: int
    end: int
    alone: bool
    token: TokenDetails | None
    reason: Reason | None
    variants: tuple[Variant, ...]
    pieces: tuple[PieceStory, ...]
    pieces_left_out: bool = False
    unexplained: str = ""

    @property
    def tokens(self) -> tuple[TokenSpan, ...]:
        """The tokens that overlap the span."""
        if self.reason is not None:
            return self.reason.tokens
        return Explanation(self.pieces).tokens


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
    while ready is not None and not ready.wait(WAIT_SECONDS):
        yield
    reason = yield from iter_why(tokenizer, text, start, end)
    yield
    pieces: list[PieceStory] = []
    left_out = False
    for story in iter_explain(tokenizer, text, start, end):
        if len(pieces) == MOST_PIECES:
            left_out = True
            break
        pieces.append(story)
        yield
    near = variants(tokenizer, text[start:end]) if end - start <= LONGEST_VARIANT else ()
    if len(pieces) > 1:  # of a longer span only what would be one token is worth the room
        near = tuple(variant for variant in near if variant.is_one_token)
    data = text[start:end].encode()
    token = tokenizer.table.find(data) if alone or reason.kind == "one-token" else None
    if reason.kind == "one-token" and reason.tokens:
        token = reason.tokens[0].id
    details = None if token is None else describe(tokenizer, token)
    return Told(tokenizer, data, start, end, alone, details, reason, near, tuple(pieces), left_out)


def tell_token(
    tokenizer: Tokenizer, token: int, *, ready: threading.Event | None = None
) -> Generator[None, None, Told]:
    """Tell about a token of the table, wherever it may stand."""
    details = describe(tokenizer, token)
    if details.special:
        return Told(tokenizer, details.data, 0, 0, True, details, None, (), ())
    try:
        check_explainable(tokenizer)
    except ValueError as error:  # what is known of the token itself still is
        return Told(
            tokenizer, details.data, 0, 0, True, details, None, (), (), unexplained=str(error)
        )
    try:
        text = details.data.decode()
    except UnicodeDecodeError:
        return _tell_bytes(tokenizer, details)
    if not text:
        return Told(tokenizer, b"", 0, 0, True, details, None, (), ())
    told = yield from tell_span(tokenizer, text, 0, len(text), ready=ready, alone=True)
    return Told(
        tokenizer, told.data, told.start, told.end, True, details, told.reason, told.variants,
        told.pieces, told.pieces_left_out,
    )  # fmt: skip


def _tell_bytes(tokenizer: Tokenizer, details: TokenDetails) -> Told:
    """A token that is no text: its bytes as a piece that no pattern was asked about."""
    story = tell_bytes(tokenizer, details.data)
    return Told(tokenizer, details.data, 0, 0, True, details, None, (), (story,))
