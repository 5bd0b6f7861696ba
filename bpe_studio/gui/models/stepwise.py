"""Encoding a long text in steps, so that a job of it can be told how far it is, and be ended."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

import numpy as np

from bpe_studio.bpe.encoder import Encoding
from bpe_studio.bpe.scanner import cut_blocks
from bpe_studio.gui.models.token_layout import TokenLayout, lay_out_encoding

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

STEP_CHARACTERS = 1 << 17
MOST_OUTSIDE = 4_000_000  # characters; a library takes up to 10 seconds for them, and does not stop


def encode_in_steps(
    tokenizer: Tokenizer,
    text: str,
    *,
    shares: tuple[float, float] = (0.0, 1.0),
    size: int = STEP_CHARACTERS,
) -> Generator[float, None, Encoding]:
    """As `encode_with_offsets`; yields the share that is done, from the first to the last.

    The text is cut where its pattern can be cut. One whose pattern is not known to have such
    places, or whose tokenizer looks at all of it, is encoded in one step.

    Raises
    ------
    ValueError
        The text is too long for a library outside; and what `Tokenizer.encode` raises.
    """
    if tokenizer.outside is not None and len(text) > MOST_OUTSIDE:
        raise ValueError(
            f"{tokenizer.outside.library} cuts a text all at once and cannot be stopped, so here "
            f"it gets at most {MOST_OUTSIDE:,} characters, not {len(text):,}."
        )
    if not tokenizer.may_cut():
        yield shares[0]
        return tokenizer.encode_with_offsets(text)
    tiles = not tokenizer.edits_text  # then each token ends where the next one begins
    ids, offsets, at = [], [], 0
    for start, end in cut_blocks(tokenizer.pattern, text, size):
        part = tokenizer.encode_with_offsets(text[start:end])
        ids.append(np.asarray(part.ids, np.int32))
        spans = np.asarray(part.offsets).reshape(-1, 2)
        offsets.append((spans[:, 0] if tiles else spans) + at)
        at += int(spans[-1, 1]) if len(spans) else 0
        yield shares[0] + (shares[1] - shares[0]) * end / len(text)
    if not ids:
        return Encoding(np.empty(0, np.int32), np.empty((0, 2), np.int64))
    if tiles:
        return Encoding.of_bounds(np.concatenate(ids), np.concatenate([*offsets, [at]]))
    return Encoding(np.concatenate(ids), np.concatenate(offsets))


def lay_out_in_steps(tokenizer: Tokenizer, text: str) -> Generator[float, None, TokenLayout]:
    """As `lay_out`; yields the share that is encoded."""
    encoding = yield from encode_in_steps(tokenizer, text)
    return lay_out_encoding(tokenizer, text, encoding)
