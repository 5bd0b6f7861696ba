"""What Explain is asked: a span of a text or a token, and what is to be said before the answer."""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bpe_studio.gui.models.telling import Told, tell_span, tell_token
from bpe_studio.gui.state.selection import Span

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

MOST_CHARACTERS = 10_000
ELSEWHERE = "This is told of a text of its own, not of the one in the Text panel."


@dataclass(frozen=True, slots=True)
class Question:
    """The work that answers, and sentences to be put over the answer."""

    telling: Generator[None, None, Told]
    notes: tuple[str, ...] = ()


def ask_span(
    tokenizer: Tokenizer, span: Span, *, text: str, ready: threading.Event | None = None
) -> Question:
    """Ask about a span, of a long one about its beginning; `text` is that of the Text panel."""
    notes = []
    end = min(span.end, span.start + MOST_CHARACTERS)
    if end < span.end:
        notes.append(f"Only the first {MOST_CHARACTERS:,} characters of the selection are told.")
    if text and span.text != text:
        notes.append(ELSEWHERE)
    return Question(tell_span(tokenizer, span.text, span.start, end, ready=ready), tuple(notes))


def ask_token(
    tokenizer: Tokenizer, token: int, *, ready: threading.Event | None = None
) -> Question | None:
    """Ask about a token; None where the tokenizer has no such token."""
    if not (token in tokenizer.table or tokenizer.is_special(token)):
        return None
    return Question(tell_token(tokenizer, token, ready=ready))


def size_note(merges: int | None) -> str:
    """At which size the table is told; nothing where all of it is."""
    if merges is None:
        return ""
    return f"Told of the first {merges:,} merges: the slider stands there."
