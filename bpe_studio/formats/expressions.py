"""The pattern that a file states, as an expression."""

from __future__ import annotations

from typing import Final

from bpe_studio.bpe.patterns import Pattern, resolve_pattern
from bpe_studio.formats.strict.json import Node

__all__ = ["pattern_in"]

_MAX_EXPRESSION: Final = 1 << 16


def pattern_in(node: Node) -> Pattern:
    """The preset of this expression, or a custom pattern; ValueError with the place."""
    expression = node.text()
    if len(expression) > _MAX_EXPRESSION:
        node.fail(f"has more than {_MAX_EXPRESSION:,} characters")
    try:
        return resolve_pattern(expression)
    except (ValueError, RecursionError, OverflowError, MemoryError) as error:
        node.fail(f"cannot be used: {str(error).rstrip('.')}")
