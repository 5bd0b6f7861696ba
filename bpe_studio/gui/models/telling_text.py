"""What Explain shows, as text for the clipboard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from bpe_studio.analysis.explain import PieceStory
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.telling import Told

if TYPE_CHECKING:
    from bpe_studio.bpe.reference import Step
    from bpe_studio.bpe.tokenizer import Tokenizer

MOST_LOST = 6
NO_BREAK = "\u00a0"


def as_text(told: Told) -> str:
    """Return the whole story in plain lines."""
    return "\n".join(_lines(told)) + "\n"


def headline(told: Told) -> str:
    """Return the figures of the span or the token in one line."""
    parts = []
    if told.token is not None:
        parts += [f"id {told.token.id:,}", told.token.made]
    if told.alone:
        parts.append(_counted(len(told.data), "byte"))
    else:
        parts.append(_counted(told.end - told.start, "character"))
        parts.append(_counted(len(told.data), "byte"))
        parts.append(f"characters {told.start:,} to {told.end:,}")
    return "  ·  ".join(part.replace(" ", NO_BREAK) for part in parts)


def training_line(told: Told) -> str:
    """Return how often training saw the token's merge, if the table knows."""
    record, token = told.tokenizer.training, told.token
    if record is None or token is None or len(token.ranks) != 1:
        return ""
    rank = token.ranks[0]
    if rank >= len(record.counts):
        return ""
    return (
        f"In training its pair was seen {int(record.counts[rank]):,} times "
        f"and merged {int(record.applied[rank]):,} times."
    )


def question(told: Told) -> str:
    """Return the title over the answer."""
    if told.reason is not None and told.reason.kind == "one-token":
        return "One token"
    return "Why is this not one token?"


def made_by(story: PieceStory) -> str:
    """Return which alternative of the pattern made a piece."""
    if story.special:
        return "A special, matched before the pattern is asked."
    if story.alternative is None:
        return "As the rules of the tokenizer leave it, one piece:"
    return f"Cut by alternative {story.alternative + 1} of the pattern:"


def pair_text(tokenizer: Tokenizer, left: int, right: int) -> str:
    """Return a pair as `left + right`, readable."""
    return f"{name(tokenizer, left)} + {name(tokenizer, right)}"


def name(tokenizer: Tokenizer, token: int) -> str:
    """Return how a token reads."""
    return readable(tokenizer.token_bytes(token))


def _lines(told: Told) -> Iterator[str]:
    yield f"{readable(told.data)}   {headline(told)}"
    if told.reason is not None:
        yield ""
        yield question(told)
        yield told.reason.sentence
    tokens = _row(told.tokenizer, (token.id for token in told.tokens))
    yield f"Tokens: {tokens}"
    if told.variants:
        yield ""
        yield "Nearest variants"
        for variant in told.variants:
            yield f"  {variant.label}: {_row(told.tokenizer, variant.ids)}"
    for story in told.pieces:
        yield ""
        yield from _piece_lines(told.tokenizer, story)
    if told.pieces_left_out:
        yield ""
        yield f"Only the first {len(told.pieces)} pieces are told."


def _piece_lines(tokenizer: Tokenizer, story: PieceStory) -> Iterator[str]:
    text = readable(story.text.encode())
    expression = story.alternative_expression or ""
    yield f"Piece {text}   {made_by(story)} {expression}".rstrip()
    if story.symbols:
        yield f"  symbols: {_row(tokenizer, story.symbols)}"
    for step in story.steps:
        yield f"  {_step_line(tokenizer, step)}"
        yield f"      {_row(tokenizer, step.after)}"
    yield f"  tokens: {_row(tokenizer, (token.id for token in story.tokens))}"


def _step_line(tokenizer: Tokenizer, step: Step) -> str:
    pair = pair_text(tokenizer, step.left, step.right)
    line = f"rank {step.rank:,}: {pair} → {name(tokenizer, step.id)} ({step.id})"
    if not step.lost:
        return line
    shown = [f"{pair_text(tokenizer, a, b)} ({rank:,})" for rank, a, b in step.lost[:MOST_LOST]]
    more = len(step.lost) - MOST_LOST
    return f"{line}; lost: {', '.join(shown)}{f' and {more} more' if more > 0 else ''}"


def _row(tokenizer: Tokenizer, ids: Iterable[int]) -> str:
    return " ".join(f"{name(tokenizer, token)}({token})" for token in ids)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
