"""The presets as files of Hugging Face spell them, in Oniguruma's dialect."""

from __future__ import annotations

from typing import Final

from bpe_studio.bpe.patterns import PRESETS, Pattern
from bpe_studio.formats.dialects.oniguruma import to_oniguruma

__all__ = ["preset_spelled", "spelling_of"]

#: The expression inside of `tokenizers` that ByteLevel runs where `use_regex` is true.
_BYTE_LEVEL: Final = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
# These are the same in both dialects, letter for letter.
_SAME: Final = ("gpt2", "llama3", "qwen2", "o200k", "tekken")
_SPELLINGS: Final = {PRESETS[name].expression: PRESETS[name] for name in _SAME} | {
    _BYTE_LEVEL: PRESETS["gpt2"]
}


def preset_spelled(expression: str) -> Pattern | None:
    """The preset that an expression of Oniguruma is, or None."""
    found = _SPELLINGS.get(expression)
    if found is not None:
        return found
    return next((p for p in PRESETS.values() if spelling_of(p) == expression), None)


def spelling_of(pattern: Pattern) -> str:
    """A pattern as Oniguruma wants it.

    Raises
    ------
    ExpressionError
        Nobody is sure how.
    """
    if pattern.name in _SAME:
        return pattern.expression
    return to_oniguruma(pattern.expression)
