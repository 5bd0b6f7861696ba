"""What a partner's `tokenizer.json` says besides its model: how a text is cut, and joined again.

Tokens are written in the byte alphabet, so that nothing is unknown and decoding gives the text.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, Literal

from bpe_studio.bpe.patterns import Pattern
from bpe_studio.formats.dialects.oniguruma import ExpressionError
from bpe_studio.formats.dialects.spellings import spelling_of
from bpe_studio.formats.ranks.byte_alphabet import LETTERS

__all__ = ["WORDPIECE_LONGEST", "PartnerKind", "check_specials", "pre_tokenizer_of", "whole_file"]

PartnerKind = Literal["wordpiece", "unigram"]

WORDPIECE_LONGEST: Final = 100
"""Bytes of a piece. WordPiece takes quadratic time, and knows no piece of more than it is told."""

_BYTE_LEVEL: Final = {
    "type": "ByteLevel",
    "add_prefix_space": False,
    "trim_offsets": False,
    "use_regex": False,
}


def check_specials(specials: Sequence[str]) -> None:
    """Refuse a special that is spelled as a byte is.

    Raises
    ------
    ValueError
        It names the special.
    """
    for name in specials:
        if len(name) == 1 and name in LETTERS:
            raise ValueError(
                f"The special {name!r} is spelled as one of the 256 bytes is in a tokenizer.json; "
                "give it a longer name."
            )


def pre_tokenizer_of(kind: PartnerKind, pattern: Pattern) -> dict[str, Any]:
    """The pattern as `tokenizers` runs it, then bytes.

    Raises
    ------
    ValueError
        The pattern is none that is known to cut the same there.
    """
    try:
        expression = spelling_of(pattern)
    except ExpressionError as error:
        raise ValueError(
            f"The pattern {pattern.expression!r} cannot be said in a tokenizer.json ({error}), so "
            "that no WordPiece or Unigram can be trained with it; choose another pattern."
        ) from None
    parts = [_split(expression), _BYTE_LEVEL]
    if kind == "wordpiece":
        # Its letters are bytes by now.
        parts.append(_split(f".{{1,{WORDPIECE_LONGEST}}}"))
    return {"type": "Sequence", "pretokenizers": parts}


def _split(expression: str) -> dict[str, Any]:
    pattern = {"Regex": expression}
    return {"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False}


def whole_file(
    pre_tokenizer: dict[str, Any], specials: Sequence[str], model: dict[str, Any]
) -> bytes:
    """A `tokenizer.json`; specials have the ids from 0."""
    whole = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_added(number, name) for number, name in enumerate(specials)],
        "normalizer": None,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": None,
        "decoder": _BYTE_LEVEL,
        "model": model,
    }
    return (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode()


def _added(number: int, name: str) -> dict[str, Any]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": number, "content": name, **flags, "special": True}
