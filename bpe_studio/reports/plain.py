"""An explanation as plain values of JSON: what ``explain --json`` prints.

Symbols, steps and trees hold ids, and ``vocabulary`` says once what each is: the readable form for
people, hexadecimal for programs, because a token need not be text. Elsewhere a token comes as
``{"id", "token", "bytes"}``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from bpe_studio.analysis.explain import Explanation, PieceStory, Reason, TokenSpan, Variant
from bpe_studio.analysis.letters import Grid
from bpe_studio.analysis.proof import Proof
from bpe_studio.analysis.tree import tree_of
from bpe_studio.bpe.decoder import readable
from bpe_studio.bpe.reference import Step
from bpe_studio.bpe.tokenizer import Tokenizer

Plain = dict[str, Any]

# In a long window nearly every pair loses to nearly every step.
MOST_LOST: Final = 20
NODE_COLUMNS: Final = ("id", "rank", "start", "end", "left", "right")


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
    *,
    proof: Proof | None = None,
    grid: Grid | None = None,
    told_to: int | None = None,
) -> Plain:
    """All that `explain` tells about a text, and about a span of it where one was asked for.

    Parameters
    ----------
    told_to : int, optional
        The character before which the told pieces end, where more follow. ``text`` is what is
        told, from character ``text_start`` on; ``alternative`` counts from 0, and
        ``alternative_number`` from 1, as sentences do.
    """
    found = plain_pieces(tokenizer, text, explanation.pieces, told_to=told_to)
    found["pieces"] = list(found["pieces"])
    found |= {name: member() for name, member in found.items() if callable(member)}
    return found | plain_answers(tokenizer, reason, variants, proof=proof, grid=grid)


def plain_pieces(
    tokenizer: Tokenizer,
    text: str,
    stories: Iterable[PieceStory],
    *,
    told_to: int | None = None,
) -> Plain:
    """The pieces of a text as they come, for a text of millions: see `plain_explanation`.

    ``pieces`` is an iterator; what can be told only after it is a function.
    """
    ids: set[int] = set()
    places: list[int] = []

    def rows() -> Iterator[Plain]:
        for story in stories:
            ids.update(_ids_of(story))
            places[:] = [*places[:1], story.window_start, story.window_end]
            yield plain_story(tokenizer, story)

    return {
        "engine": tokenizer.engine,
        "pattern": tokenizer.pattern.name,
        "characters": len(text),
        "told_to": len(text) if told_to is None else told_to,
        "pieces": rows(),
        "text_start": lambda: places[0] if places else 0,
        "text": lambda: text[places[0] : places[-1]] if places else "",
        "vocabulary": lambda: _vocabulary(tokenizer, ids),
    }


def plain_answers(
    tokenizer: Tokenizer,
    reason: Reason | None = None,
    variants: Iterable[Variant] = (),
    *,
    proof: Proof | None = None,
    grid: Grid | None = None,
) -> Plain:
    """What was asked of a span, where something was."""
    found: Plain = {}
    if reason is not None:
        found["why"] = plain_reason(tokenizer, reason)
        found["proof"] = None if proof is None else plain_proof(tokenizer, proof)
        found["variants"] = [plain_variant(tokenizer, variant) for variant in variants]
    if grid is not None:
        found["letters"] = plain_grid(grid)
    return found


def _ids_of(story: PieceStory) -> Iterator[int]:
    """Every token that the story of a piece names."""
    yield from story.symbols
    yield from story.merged
    for step in story.steps:
        yield step.id
        for _, *pair in step.lost:
            yield from pair


def _vocabulary(tokenizer: Tokenizer, ids: set[int]) -> Plain:
    known = (plain_token(tokenizer, token) for token in sorted(ids))
    return {str(token.pop("id")): token for token in known}


def plain_story(tokenizer: Tokenizer, story: PieceStory) -> Plain:
    """One piece, or a window of it: what made it, what merged, what it became."""
    tree = tree_of(story)
    shown = story.text
    if story.shortened and story.special is False:
        shown = b"".join(token.data for token in story.tokens).decode("utf-8", "replace")
    return {
        "start": story.start,
        "end": story.end,
        "window_start": story.window_start,
        "window_end": story.window_end,
        "text": shown,
        "special": story.special,
        "alternative": story.alternative,
        "alternative_number": None if story.alternative is None else story.alternative + 1,
        "alternative_expression": story.alternative_expression,
        "whole_piece": story.whole_piece,
        "merged": list(story.merged),
        "shortened": story.shortened,
        "symbol_count": story.symbol_count,
        "token_count": story.token_count,
        "first_symbol": story.first_symbol,
        "symbols": list(story.symbols),
        "bounds": list(story.bounds),
        "steps": [_plain_step(step) for step in story.steps],
        "tree": {
            "columns": list(NODE_COLUMNS),
            "nodes": [[getattr(node, name) for name in NODE_COLUMNS] for node in tree.nodes],
            "roots": list(tree.roots),
        },
        "tokens": [_plain_span(token) for token in story.tokens],
    }


def _plain_step(step: Step) -> Plain:
    return {
        "rank": step.rank,
        "left": step.left,
        "right": step.right,
        "result": step.id,
        "positions": list(step.positions),
        "lost": [list(pair) for pair in step.lost[:MOST_LOST]],
        "lost_count": len(step.lost),
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
        "alternatives": list(dict.fromkeys(reason.alternatives)),
    }


def plain_proof(tokenizer: Tokenizer, proof: Proof) -> Plain:
    """The shortest text on which a reason can be seen."""
    return {
        "text": proof.text,
        "start": proof.start,
        "end": proof.end,
        "tokens": [plain_token(tokenizer, token) for token in proof.ids],
    }


def plain_variant(tokenizer: Tokenizer, variant: Variant) -> Plain:
    return {
        "label": variant.label,
        "text": variant.text,
        "one_token": variant.is_one_token,
        "tokens": [plain_token(tokenizer, token) for token in variant.ids],
    }


def plain_grid(grid: Grid) -> Plain:
    """Characters against tokens."""
    return {
        "tokens": [_plain_span(token) for token in grid.tokens],
        "letters": [
            {
                "character": letter.character,
                "position": letter.position,
                "first_token": letter.first,
                "last_token": letter.last,
                "split": letter.split,
            }
            for letter in grid.letters
        ],
        "numbers": [
            {"text": number.text, "position": number.position, "groups": list(number.groups)}
            for number in grid.numbers
        ],
        "repeated": [{"letter": letter, "count": count} for letter, count in grid.repeated],
        "left_out": grid.left_out,
    }
