"""SPM ("llama") in a GGUF file: pieces with scores, as llama.cpp joins them."""

from __future__ import annotations

import reprlib
from typing import Final

import numpy as np

from bpe_studio.bpe.edits import Edit, Prepend, Replace
from bpe_studio.bpe.text_rules import AddedToken, TextRules
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.ggml.metadata import Metadata
from bpe_studio.formats.ggml.vocabulary import BYTE, USER_DEFINED, Vocabulary
from bpe_studio.formats.source import Source
from bpe_studio.formats.spm.piece_table import SPACE, byte_of, pattern_for, piece_table
from bpe_studio.formats.spm.scored_merges import TiedScoresError, may_be_made, merges_by_score

__all__ = ["read_scored"]

_ADD_SPACE: Final = "tokenizer.ggml.add_space_prefix"


def read_scored(source: Source, found: Metadata, vocabulary: Vocabulary) -> Tokenizer:
    """The tokenizer; one to look at where llama.cpp does what ranks cannot say."""
    pieces = _pieces(vocabulary)
    texts = {i: text.replace(SPACE, " ") for i, text in pieces.items()}
    bytes_ = {
        i: byte
        for i, text in enumerate(vocabulary.texts)
        if i not in pieces and (byte := byte_of(text)) is not None
    }
    specials = {
        text: i for i, text in enumerate(vocabulary.texts) if i not in pieces and i not in bytes_
    }
    reason = _why_no_ranks(vocabulary, pieces)
    merges = np.empty((0, 3), dtype=np.int32)
    if not reason:
        scores = vocabulary.scores or [0.0] * len(vocabulary.texts)
        try:
            merges = merges_by_score(
                [*texts.values()],
                [scores[i] for i in texts],
                [*texts],
                report=lambda share: source.report(0.5 + share / 2),
            )
        except TiedScoresError as error:
            reason = str(error)
    prefix = bool(found.get(_ADD_SPACE, True))
    edits: list[Edit] = [Prepend(" ")] if prefix else []
    return Tokenizer(
        table=piece_table(texts, bytes_, merges),
        pattern=pattern_for(texts.values(), bytes_known=True),
        special_ids=specials,
        roles={
            role: vocabulary.texts[number]
            for role, number in vocabulary.role_ids.items()
            if number in specials.values()
        },
        rules=TextRules(
            added=tuple(
                AddedToken(vocabulary.texts[i], i, special=False)
                for i, kind in enumerate(vocabulary.types)
                if kind == USER_DEFINED
            ),
            normalizer=(*edits, Replace(SPACE, " ")),
            strip_left=int(prefix),
        ),
        view_only=f"{reason} So the tokenizer can only be looked at." if reason else "",
    )


def _pieces(vocabulary: Vocabulary) -> dict[int, str]:
    """What text may be joined to: user-defined ones only where they have a ▁, since without it
    they are found in the text before; and what holds a space is never there."""
    return {
        i: text
        for i, text in enumerate(vocabulary.texts)
        if not vocabulary.is_special(i)
        and vocabulary.types[i] != BYTE
        and " " not in text
        and (vocabulary.types[i] != USER_DEFINED or SPACE in text)
    }


def _why_no_ranks(vocabulary: Vocabulary, pieces: dict[int, str]) -> str:
    own = {text for text in pieces.values() if len(text) == 1}
    known = set(vocabulary.texts)
    for i, text in enumerate(vocabulary.texts):
        if i not in pieces:
            # llama.cpp joins whatever is in the list.
            if vocabulary.types[i] != USER_DEFINED and may_be_made(text, known):
                return f"{_named(i, text)} is no text, but llama.cpp may join text to it."
        elif len(text) > 1 and not own.issuperset(text):
            return f"{_named(i, text)} holds a character that is no token itself."
    return ""


def _named(number: int, text: str) -> str:
    return f"Token {number} ({reprlib.repr(text)})"
