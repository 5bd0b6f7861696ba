"""What Explain shows, as text for the clipboard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bpe_studio.analysis.explain import PieceStory
from bpe_studio.analysis.proof import Proof
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.grid_text import grid_lines
from bpe_studio.gui.models.history_text import flag_lines, history_lines
from bpe_studio.gui.models.legible import SPACE
from bpe_studio.gui.models.naming import name, pair_text, row_text
from bpe_studio.gui.models.telling import Told
from bpe_studio.gui.models.token_details import shorten

if TYPE_CHECKING:
    from bpe_studio.analysis.flags import Flag
    from bpe_studio.bpe.reference import Step
    from bpe_studio.bpe.tokenizer import Tokenizer

MOST_LOST = 6
LONGEST_PIECE = 2_000
NO_BREAK = "\u00a0"


def as_text(told: Told, flags: Sequence[Flag] = ()) -> str:
    """Return the whole story in plain lines; `flags` are what Health has found in its token."""
    return "\n".join([*_lines(told), *flag_lines(flags)]) + "\n"


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


def question(told: Told) -> str:
    """Return the title over the answer."""
    if told.reason is not None and told.reason.kind == "one-token":
        return "One token"
    return "Why is this not one token?"


def proof_words(proof: Proof) -> str:
    """Return what stands before the text on which an answer can be seen."""
    if (proof.start, proof.end) == (0, len(proof.text)):
        return "Seen in the selection alone:"
    return "Seen in the shortest text:"


def made_by(story: PieceStory) -> str:
    """Return which alternative of the pattern made a piece."""
    if story.special:
        return "A special, matched before the pattern is asked."
    if story.alternative is None:
        return "As the rules of the tokenizer leave it, one piece:"
    return f"Cut by alternative {story.alternative + 1} of the pattern:"


def shown_expression(expression: str) -> str:
    """Return an expression with its spaces at both ends in sight.

    >>> shown_expression(" ?[a-z]+ ")
    '␠?[a-z]+␠'
    """
    inner = expression.strip(" ")
    if not inner:
        return SPACE * len(expression)
    before, _, after = expression.partition(inner)
    return SPACE * len(before) + inner + SPACE * len(after)


def short_piece(story: PieceStory, most: int) -> str:
    """Return how a piece, or the window of it that is told, begins."""
    begin = max(0, story.window_start - story.start) if story.shortened else 0
    return shorten(readable(story.text[begin : begin + most + 1].encode()), most)


def engine_words(story: PieceStory) -> str:
    """Return what an engine that takes whole pieces first did; nothing where it did nothing."""
    if not story.whole_piece or len(story.symbols) < 2:
        return ""
    same = "another result" if story.engines_differ else "the same token"
    return (
        "The engine takes whole pieces first: this piece is a token, so no merge was needed. "
        f"Merges alone, told here, would give {same}."
    )


def window_words(story: PieceStory) -> str:
    """Return which part of a long piece is told."""
    last = story.first_symbol + len(story.symbols)
    return f"Symbols {story.first_symbol:,} to {last:,} of {story.symbol_count:,}."


def _lines(told: Told) -> Iterator[str]:
    yield f"{readable(told.data)}   {headline(told)}"
    if told.unexplained:
        yield told.unexplained
    if told.reason is not None:
        yield ""
        yield question(told)
        yield told.reason.sentence
    if told.proof is not None:
        yield f"{proof_words(told.proof)} {readable(told.proof.text.encode())}"
        yield f"  {row_text(told.tokenizer, told.proof.ids)}"
    tokens = row_text(told.tokenizer, (token.id for token in told.tokens))
    yield f"Tokens: {tokens}"
    if told.variants:
        yield ""
        yield "Nearest variants"
        for variant in told.variants:
            yield f"  {variant.label}: {row_text(told.tokenizer, variant.ids)}"
    if told.grid is not None:
        yield ""
        yield "Letters"
        yield from (f"  {line}" for line in grid_lines(told.tokenizer, told.grid))
    for story in told.pieces:
        yield ""
        yield from _piece_lines(told.tokenizer, story)
    if told.pieces_left_out:
        yield ""
        yield f"Only the first {len(told.pieces)} pieces are told."
    if told.history is not None:
        yield ""
        yield from history_lines(told.tokenizer, told.history)


def _piece_lines(tokenizer: Tokenizer, story: PieceStory) -> Iterator[str]:
    text = readable(story.text[:LONGEST_PIECE].encode())
    cut = "…" if len(story.text) > LONGEST_PIECE else ""
    expression = shown_expression(story.alternative_expression or "")
    yield f"Piece {text}{cut}   {made_by(story)} {expression}".rstrip()
    if story.shortened:
        yield f"  {window_words(story)}"
    if engine_words(story):
        yield f"  {engine_words(story)}"
    if story.symbols:
        yield f"  symbols: {row_text(tokenizer, story.symbols)}"
    for step in story.steps:
        yield f"  {_step_line(tokenizer, step)}"
        yield f"      {row_text(tokenizer, step.after)}"
    if story.engines_differ:
        yield f"  merges alone: {row_text(tokenizer, story.merged)}"
    yield f"  tokens: {row_text(tokenizer, (token.id for token in story.tokens))}"


def _step_line(tokenizer: Tokenizer, step: Step) -> str:
    pair = pair_text(tokenizer, step.left, step.right)
    line = f"rank {step.rank:,}: {pair} → {name(tokenizer, step.id)} ({step.id})"
    if not step.lost:
        return line
    shown = [f"{pair_text(tokenizer, a, b)} ({rank:,})" for rank, a, b in step.lost[:MOST_LOST]]
    more = len(step.lost) - MOST_LOST
    return f"{line}; lost: {', '.join(shown)}{f' and {more} more' if more > 0 else ''}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
