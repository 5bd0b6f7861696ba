"""Pre-tokenization patterns as data: an expression, its alternatives, and where a text may be cut.

A pattern is an expression for the `regex` package. Used with ``finditer`` it cuts a text into
pieces, and merges never cross the border of a piece.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal

import regex

_CONTRACTIONS: Final = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_LOWER: Final = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_UPPER: Final = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"

# Where every preset starts a new piece, whatever stands further away on either side: before white
# space that no preset appends to a non-space; between a letter or number and a line end; and after
# a single line end that follows a non-space ("/" excepted: o200k appends it to ".\n"). "After any
# line end" would be wrong, since a run of white space is cut by what follows it. The character
# comes first and the look-behinds after it: so `regex` skips what is no white space 100 times as
# fast.
_SAFE_CUT: Final = r"\s(?:(?<=\S[^\S\r\n])|(?<=[\p{L}\p{N}]\s)|(?<=\S\n)(?=[^\s/])(?P<after>))"


@dataclass(frozen=True, kw_only=True)
class Switches:
    """In what the expressions of the presets differ; the compiled scanner follows these.

    Attributes
    ----------
    classes : str
        What letters and numbers are: ``\\p{L}`` and ``\\p{N}``, or in "classic" ``[^\\W\\d]`` and
        ``\\d``.
    contractions : str
        Whether ``'s`` and its like are pieces "as-written" or in "any-case", or end a word in any
        case ("after-word"), or are nothing of their own ("none").
    any_prefix : bool
        Whether a word may begin with any character but a letter, number or line end; else a space
        may begin a word or a number.
    digits : int
        The most that make one number; 0 for no limit.
    tail : str
        The characters that may follow punctuation in its piece.
    to_line_end : bool
        Whether white space is cut after its last line end.
    to_text_end : bool
        Whether white space that ends the text is one piece, whatever its line ends.
    cased : bool
        Whether a word is capitals followed by small letters.
    """

    classes: Literal["unicode", "classic"] = "unicode"
    contractions: Literal["as-written", "any-case", "after-word", "none"] = "as-written"
    any_prefix: bool = False
    digits: int = 0
    tail: Literal["", "\r\n", "\r\n/"] = ""
    to_line_end: bool = False
    to_text_end: bool = False
    cased: bool = False


@dataclass(frozen=True)
class Pattern:
    """A named expression that cuts a text into pieces.

    Attributes
    ----------
    name : str
        The name of a preset, or ``"custom"``.
    expression : str
        For the `regex` package, without flags.
    safe_cut : str or None
        An expression that matches a character before which a text may be cut in two without
        changing its pieces, or after which, where the group `after` takes part; None where no
        such place is known.
    switches : Switches or None
        How the compiled scanner runs the expression; None where only `regex` can.
    """

    name: str
    expression: str
    safe_cut: str | None = None
    switches: Switches | None = None

    @cached_property
    def compiled(self) -> regex.Pattern[str]:
        return regex.compile(self.expression)

    @cached_property
    def alternatives(self) -> tuple[str, ...]:
        """The top-level alternatives of the expression, in the order in which they are tried."""
        parts = tuple(_split_alternatives(self.expression))
        try:
            for part in parts:
                regex.compile(part)
        except regex.error:
            # A back reference or a flag binds the alternatives together.
            return (self.expression,)
        return parts

    @cached_property
    def compiled_safe_cut(self) -> regex.Pattern[str] | None:
        return None if self.safe_cut is None else regex.compile(self.safe_cut)

    @cached_property
    def compiled_alternatives(self) -> tuple[regex.Pattern[str], ...]:
        return tuple(regex.compile(expression) for expression in self.alternatives)


def _split_alternatives(expression: str) -> list[str]:
    """``a|(b|c)|[|]`` -> ``["a", "(b|c)", "[|]"]``."""
    parts = [""]
    depth, class_start, escaped = 0, -1, False
    for place, char in enumerate(expression):
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif class_start >= 0:
            # A bracket that comes first in a class, or first after ^, is an ordinary character.
            first = expression[class_start + 1 : place] in ("", "^")
            class_start = -1 if char == "]" and not first else class_start
        elif char == "[":
            class_start = place
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
        elif char == "|" and depth == 0:
            parts.append("")
            continue
        parts[-1] += char
    return parts


def _preset(name: str, switches: Switches, *alternatives: str) -> Pattern:
    return Pattern(name, "|".join(alternatives), _SAFE_CUT, switches)


def _like_llama3(name: str, digits: int, numbers: str) -> Pattern:
    return _preset(
        name,
        Switches(
            contractions="any-case", any_prefix=True, digits=digits, tail="\r\n", to_line_end=True
        ),
        _CONTRACTIONS,
        r"[^\r\n\p{L}\p{N}]?\p{L}+",
        numbers,
        r" ?[^\s\p{L}\p{N}]+[\r\n]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )


def _like_o200k(
    name: str,
    contractions: Literal["after-word", "none"],
    ending: str,
    digits: int,
    numbers: str,
) -> Pattern:
    return _preset(
        name,
        Switches(
            contractions=contractions,
            any_prefix=True,
            digits=digits,
            tail="\r\n/",
            to_line_end=True,
            cased=True,
        ),
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{ending}",
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{ending}",
        numbers,
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )


PRESETS: Final[dict[str, Pattern]] = {
    pattern.name: pattern
    for pattern in (
        _preset(
            "classic",
            Switches(classes="classic"),
            r"'s|'t|'re|'ve|'m|'ll|'d| ?[^\W\d]+| ?\d+| ?[^\s\w]+|\s+(?!\S)|\s+",
        ),
        _preset(
            "gpt2",
            Switches(),
            r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        ),
        _preset(
            "cl100k",
            Switches(
                contractions="any-case",
                any_prefix=True,
                digits=3,
                tail="\r\n",
                to_line_end=True,
                to_text_end=True,
            ),
            r"'(?i:[sdmt]|ll|ve|re)",
            r"[^\r\n\p{L}\p{N}]?+\p{L}++",
            r"\p{N}{1,3}+",
            r" ?[^\s\p{L}\p{N}]++[\r\n]*+",
            r"\s++$",
            r"\s*[\r\n]",
            r"\s+(?!\S)",
            r"\s",
        ),
        _like_llama3("llama3", 3, r"\p{N}{1,3}"),
        _like_llama3("qwen2", 1, r"\p{N}"),
        _like_o200k("o200k", "after-word", f"{_CONTRACTIONS}?", 3, r"\p{N}{1,3}"),
        _like_o200k("tekken", "none", "", 1, r"\p{N}"),
    )
}

# What imported tables do, and nobody trains with. A space belongs to what follows it; in "words" a
# run of spaces does, in "spaces" each space begins a piece.
OTHERS: Final[dict[str, Pattern]] = {
    "whole": Pattern("whole", "(?s:.+)"),
    "words": Pattern("words", " *[^ ]+| +", "(?<=[^ ]) (?:(?P<after>(?!)))?"),
    "spaces": Pattern("spaces", " [^ ]*|[^ ]+", " (?:(?P<after>(?!)))?"),
}


@lru_cache(maxsize=64)
def _custom(expression: str) -> Pattern:
    pattern = Pattern("custom", expression)
    try:
        compiled = pattern.compiled
    except regex.error as error:
        raise ValueError(
            f"The pattern {expression!r} is not a valid expression: {error}."
        ) from None
    if not expression or compiled.fullmatch(""):
        raise ValueError(
            f"The pattern {expression!r} matches the empty text; every piece needs a character."
        )
    return pattern


def resolve_pattern(name: str | Pattern) -> Pattern:
    """The preset of that name, or a custom pattern of that expression.

    Raises
    ------
    ValueError
        The expression cannot be compiled, or matches the empty text.
    """
    if isinstance(name, Pattern):
        return name
    if not isinstance(name, str):
        raise TypeError(f"A pattern is a name or an expression, not {type(name).__name__}.")
    if name in PRESETS:
        return PRESETS[name]
    if name in OTHERS:
        return OTHERS[name]
    if name.replace("_", "").replace("-", "").isalnum() and len(name) < 20:
        raise ValueError(
            f"There is no pattern named {name!r}; the presets are {', '.join(PRESETS)}, "
            "and a custom one is written as an expression."
        )
    for preset in (*PRESETS.values(), *OTHERS.values()):
        if preset.expression == name:
            return preset
    return _custom(name)


def regex_version() -> str:
    """The installed version of the `regex` package, whose Unicode tables cut the text."""
    from importlib.metadata import version

    return version("regex")


# `regex` does not tell its Unicode version; a letter that was new in a version does.
_FIRST_LETTERS: Final = (
    ("17.0", "\U00010940"),
    ("16.0", "\U000105c0"),
    ("15.1", "\U0002ebf0"),
    ("15.0", "\U00011f02"),
    ("14.0", "\U00010570"),
)


@lru_cache(maxsize=1)
def unicode_version() -> str:
    """The version of Unicode that the installed `regex` knows, as far as it can be told."""
    for version, letter in _FIRST_LETTERS:
        if regex.match(r"\p{L}", letter):
            return version
    return "13.0"
