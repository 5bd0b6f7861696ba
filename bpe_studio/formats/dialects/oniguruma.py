"""Expressions of Oniguruma, which `tokenizers` runs, ↔ expressions of the `regex` package.

The two mean different things by the same letters: ``^`` and ``$`` are per line in Oniguruma,
``\\h`` is a hexadecimal digit, ``{1,3}+`` repeats, brackets nest, and ``\\w`` is another class.
What is not known to mean the same in both is refused. `expression_reader` reads the grammar; here
stands what the two sides write for each of its parts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import regex

from bpe_studio.formats.dialects.expression_reader import Dialect, ExpressionError, Reader

__all__ = ["ExpressionError", "from_oniguruma", "to_oniguruma"]

_HEX: Final = "0-9a-fA-F"
_WORD: Final = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}"
# By itself, and not in brackets, Oniguruma's \w takes the numbers of Latin-1 too; `regex` takes
# the two joiners.
_LATIN_NUMBERS: Final = "²³¹¼½¾"
_JOINERS: Final = "\u200c\u200d"
_LINE_BREAK: Final = r"(?>\r\n|[\n\x0B\f\r\x85\u2028\u2029])"

_FROM: Final = Dialect(
    name="oniguruma",
    alone={
        "w": f"[{_WORD}{_LATIN_NUMBERS}]",
        "W": f"[^{_WORD}{_LATIN_NUMBERS}]",
        "h": f"[{_HEX}]",
        "H": f"[^{_HEX}]",
        "R": _LINE_BREAK,
    },
    in_class={"w": _WORD, "h": _HEX, "s": r"\s", "d": r"\d"},
    posix={
        "alpha": r"\p{Alphabetic}",
        "alnum": r"\p{Alphabetic}\p{Nd}",
        "digit": r"\p{Nd}",
        "lower": r"\p{Lowercase}",
        "upper": r"\p{Uppercase}",
        "punct": r"\p{P}\p{S}",
        "space": r"\s",
        "cntrl": r"\p{Cc}",
        "xdigit": _HEX,
        "word": _WORD,
    },
    anchors={
        # No line begins after the line end that ends the text.
        "^": r"(?:\A|(?<=\n)(?!\Z))",
        "$": r"(?=\n|\Z)",
        "A": r"\A",
        "z": r"\Z",
        "Z": r"(?=\n?\Z)",
        "b": (
            f"(?:(?<=[{_WORD}{_LATIN_NUMBERS}])(?![{_WORD}{_LATIN_NUMBERS}])"
            f"|(?<![{_WORD}{_LATIN_NUMBERS}])(?=[{_WORD}{_LATIN_NUMBERS}]))"
        ),
    },
    nested=True,
    dot_all="m",
    write_dot_all="s",
    interval_possessive=False,
)

_TO: Final = Dialect(
    name="regex",
    alone={"w": f"[{_WORD}{_JOINERS}]", "W": f"[^{_WORD}{_JOINERS}]"},
    in_class={"w": _WORD + _JOINERS, "s": r"\s", "d": r"\d"},
    posix={},
    anchors={"^": r"\A", "$": r"(?=\n?\z)", "A": r"\A", "Z": r"\z"},
    nested=False,
    dot_all="s",
    write_dot_all="m",
    interval_possessive=True,
)


@lru_cache(maxsize=64)
def from_oniguruma(expression: str) -> str:
    """The expression for `regex` that matches the same.

    >>> from_oniguruma(r"\\p{N}{1,3}+|x$")
    '(?:\\\\p{N}{1,3})+|x(?=\\\\n|\\\\Z)'

    Raises
    ------
    ExpressionError
        There is none, or nobody is sure; the words name the part.
    """
    made = _translated(expression, _FROM)
    try:
        regex.compile(made)
    except (regex.error, RecursionError, OverflowError, MemoryError) as error:
        raise ExpressionError(f"it cannot be compiled: {error}") from None
    return made


@lru_cache(maxsize=64)
def to_oniguruma(expression: str) -> str:
    """The expression for Oniguruma that matches the same as one for `regex`.

    Raises
    ------
    ExpressionError
        As `from_oniguruma`.
    """
    return _translated(expression, _TO)


def _translated(expression: str, dialect: Dialect) -> str:
    made = Reader(expression, dialect).read()
    if not made.width:
        raise ExpressionError("it may match the empty text")
    return made.text
