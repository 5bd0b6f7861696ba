"""An explanation as plain values of JSON: what ``explain --json`` prints.

Every token comes as ``{"id", "token", "bytes"}``: the readable form for people, hexadecimal for
programs, because a token need not be text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bpe_studio.analysis.explain import Explanation, PieceStory, Reason, TokenSpan, Variant
from bpe_studio.bpe.decoder import readable
from bpe_studio.bpe.reference import Step
from bpe_studio.bpe.tokenizer import Tokenizer

Plain = dict[str, Any]


def plain_token(tokenizer: Tokenizer, token: int) -> Plain:
    """One token of a table."""
    data = tokenizer.token_bytes(token)
    return {"id": token, "token": readable(data), "bytes": data.hex()}


def plain_explanation(
    tokenizer: Tokenizer,
    text: str,
    explanation: Explanation,
    reason: Reason | None = None,
    variants: Iterable[Variant] = (),
) -> Plain:
    """All that `explain` tells about a text, and about a span of it where one was asked for."""
    found: Plain = {
        "text": text,
        "engine": tokenizer.engine,
        "pattern": tokenizer.pattern.name,
        "pieces": [plain_story(tokenizer, story) for story in explanation.pieces],
    }
    if reason is not None:
        found["why"] = plain_reason(tokenizer, reason)
        found["variants"] = [plain_variant(tokenizer, variant) for variant in variants]
    return found


def plain_story(tokenizer: Tokenizer, story: PieceStory) -> Plain:
    """One piece: what made it, what merged, what it became."""
    return {
        "start": story.start,
        "end": story.end,
        "text": story.text,
        "special": story.special,
        "alternative": story.alternative,
        "alternative_expression": story.alternative_expression,
        "whole_piece": story.whole_piece,
        "shortened": story.shortened,
        "symbols": list(story.symbols),
        "steps": [_plain_step(tokenizer, step) for step in story.steps],
        "tokens": [_plain_span(token) for token in story.tokens],
    }


def _plain_step(tokenizer: Tokenizer, step: Step) -> Plain:
    return {
        "rank": step.rank,
        "left": plain_token(tokenizer, step.left),
        "right": plain_token(tokenizer, step.right),
        "result": plain_token(tokenizer, step.id),
        "positions": list(step.positions),
        "before": list(step.before),
        "after": list(step.after),
        "lost": [{"rank": rank, "left": left, "right": right} for rank, left, right in step.lost],
    }


def _plain_span(token: TokenSpan) -> Plain:
    return {
        "id": token.id,
        "token": readable(token.data),
        "bytes": token.data.hex(),
        "start": token.start,
        "end": token.end,
        "text_start": token.text_start,
        "text_end": token.text_end,
    }


def plain_reason(tokenizer: Tokenizer, reason: Reason) -> Plain:
    """Why a span is not one token."""
    return {
        "kind": reason.kind,
        "sentence": reason.sentence,
        "start": reason.start,
        "end": reason.end,
        "text": reason.text,
        "token": None if reason.token is None else plain_token(tokenizer, reason.token),
        "tokens": [_plain_span(token) for token in reason.tokens],
        "rank": reason.rank,
        "own_rank": reason.own_rank,
        "named": [plain_token(tokenizer, token) for token in reason.ids],
        "offset": reason.offset,
        "cuts": list(reason.cuts),
        "alternatives": list(reason.alternatives),
    }


def plain_variant(tokenizer: Tokenizer, variant: Variant) -> Plain:
    return {
        "label": variant.label,
        "text": variant.text,
        "one_token": variant.is_one_token,
        "tokens": [plain_token(tokenizer, token) for token in variant.ids],
    }
