"""Reads the characters and bracketed classes of an expression, and writes them in another dialect.

`expression_reader` reads what stands around them.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

import regex

__all__ = ["MAX_DEPTH", "ClassReader", "Dialect", "ExpressionError"]

_CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\x0b", "a": "\x07"}
_SHORT: Final = {"\t": r"\t", "\n": r"\n", "\r": r"\r", "\f": r"\f"}
# General categories and scripts that both packages know under these names.
_CATEGORIES: Final = frozenset(
    {"L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No"}
    | {"P", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So"}
    | {"Z", "Zs", "Zl", "Zp", "C", "Cc", "Cf", "Co", "Cn"}
)
_SCRIPTS: Final = frozenset(
    {"Han", "Hiragana", "Katakana", "Hangul", "Bopomofo", "Latin", "Greek", "Cyrillic", "Thai"}
    | {"Armenian", "Hebrew", "Arabic", "Devanagari", "Bengali", "Tamil", "Khmer", "Lao"}
    | {"Tibetan", "Myanmar", "Georgian", "Emoji", "Alphabetic", "Uppercase", "Lowercase"}
    | {"White_Space"}
)
_OTHER_NAMES: Final = {
    "alpha": "Alphabetic",
    "upper": "Uppercase",
    "lower": "Lowercase",
    "space": "White_Space",
    "letter": "L",
    "mark": "M",
    "number": "N",
    "punctuation": "P",
    "symbol": "S",
    "separator": "Z",
}
_NAMES: Final = {name.lower(): name for name in _SCRIPTS} | _OTHER_NAMES
MAX_DEPTH: Final = 50


class ExpressionError(ValueError):
    """An expression holds what is not understood; the words go on "…, because"."""


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """What is read, and what is written for it.

    Attributes
    ----------
    name : str
    alone, in_class : by the letter of an escape, outside and inside of brackets
    posix : by the name in ``[:name:]``
    anchors : what has no width
    nested : bool
        Whether a bracket inside brackets is a class of its own.
    dot_all, write_dot_all : str
        The flag with which a dot is any character.
    interval_possessive : bool
        Whether ``{1,3}+`` never gives back, or repeats.
    """

    name: str
    alone: Mapping[str, str]
    in_class: Mapping[str, str]
    posix: Mapping[str, str]
    anchors: Mapping[str, str]
    nested: bool
    dot_all: str
    write_dot_all: str
    interval_possessive: bool


class ClassReader:
    """Where the reading stands, and what reads a character or a class there."""

    def __init__(self, expression: str, dialect: Dialect) -> None:
        self._text = expression
        self._at = 0
        self._dialect = dialect
        self._depth = 0
        self._any_case = False

    def _fail(self, what: str) -> NoReturn:
        raise ExpressionError(f"it holds {what} at character {self._at + 1:,}")

    def _peek(self, length: int = 1) -> str:
        return self._text[self._at : self._at + length]

    def _take(self, text: str) -> bool:
        if not self._text.startswith(text, self._at):
            return False
        self._at += len(text)
        return True

    def _next(self) -> str:
        if self._at >= len(self._text):
            raise ExpressionError("it ends in the middle")
        self._at += 1
        return self._text[self._at - 1]

    def _code(self, char: str) -> str:
        """The character that an escape stands for."""
        if char in _CONTROLS and not (char == "v" and self._dialect.name == "regex"):
            return _CONTROLS[char]
        if char == "e" and self._dialect.name == "oniguruma":
            return "\x1b"
        # From 0x80 on \x is a byte in Oniguruma, and no character.
        digits = r"u([0-9A-Fa-f]{4})|" + (
            r"x([0-7][0-9A-Fa-f])(?![0-9A-Fa-f])|x\{([0-9A-Fa-f]{1,6})\}"
            if self._dialect.name == "oniguruma"
            else r"x([0-9A-Fa-f]{2})|U([0-9A-Fa-f]{8})"
        )
        if found := regex.compile(digits).match(self._text, self._at - 1):
            self._at = found.end()
            point = int(next(group for group in found.groups() if group), 16)
            if point < 0x110000 and not 0xD800 <= point < 0xE000:
                return chr(point)
        if char not in string.punctuation + " ":
            self._fail(f"the escape \\{char}")
        return char

    def _property(self, sign: str) -> str:
        found = regex.compile(r"\{(\^?)([A-Za-z_]+)\}").match(self._text, self._at)
        name = "" if found is None else found[2]
        known = name if name in _CATEGORIES else _NAMES.get(name.lower())
        if found is None or known is None:
            self._fail(f"\\{sign}{{{name}}}" if name else f"\\{sign}")
        self._at = found.end()
        negated = (sign == "P") != bool(found[1])
        return f"\\{'P' if negated else 'p'}{{{known}}}"

    def _literal(self, char: str) -> str:
        if self._any_case and not char.isascii():
            self._fail(f"{char} in any case")
        if char in _SHORT:
            return _SHORT[char]
        return f"\\{char}" if char in r"\()[]{}*+?|^$.#&~" or char in "-" else char

    def _refuse_any_case(self, what: str) -> None:
        if self._any_case:
            self._fail(f"{what} in any case")

    # Classes

    def _class(self) -> str:
        items, outer, negated = self._class_items()
        if not outer:
            return f"[{'^' if negated else ''}{items}]"
        # What is not a plain list of characters: a choice, or none of them and then any.
        return self._choice(items, outer, negated)

    def _choice(self, items: str, outer: list[str], negated: bool) -> str:
        """One character of a class that is no plain list, or one that is none of it."""
        if not (items or outer):
            self._fail("an empty class")
        choices = "|".join([*([f"[{items}]"] if items else []), *outer])
        any_other = f"(?:(?!{choices})(?{self._dialect.write_dot_all}:.))"
        return any_other if negated else f"(?:{choices})"

    def _class_items(self) -> tuple[str, list[str], bool]:
        """The items of a class, as text; the classes inside that are no lists; whether negated."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._fail(f"classes deeper than {MAX_DEPTH}")
        self._at += 1
        negated = self._take("^")
        if self._peek() == "]":
            self._fail("a class that begins with ]")
        texts: list[str] = []
        outer: list[str] = []
        common: list[str] = []
        while not self._take("]"):
            if self._dialect.nested and self._take("&&"):
                common.append(self._choice("".join(texts), outer, negated=False))
                texts, outer = [], []
            else:
                self._item(texts, outer)
        self._depth -= 1
        if not common:
            return "".join(texts), outer, negated
        last = self._choice("".join(texts), outer, negated=False)
        ahead = "".join(f"(?={part})" for part in common)
        return "", [f"(?:{ahead}{last})"], negated

    def _item(self, texts: list[str], outer: list[str]) -> None:
        if self._peek(2) in ("&&", "--", "||", "~~"):
            self._fail(f"{self._peek(2)} in a class")
        if self._peek() == "[" and (self._dialect.nested or self._peek(2) == "[:"):
            self._inner(texts, outer)
            return
        char = self._next()
        if char == "\\":
            letter = self._next()
            if letter in "wWsSdDhH" and letter.lower() in self._dialect.in_class:
                self._any_of(letter, texts, outer)
                return
            if letter in "pP":
                self._refuse_any_case(f"\\{letter}")
                texts.append(self._property(letter))
                self._no_range()
                return
            char = "\b" if letter == "b" else self._code(letter)
        self._range(char, texts)

    def _any_of(self, letter: str, texts: list[str], outer: list[str]) -> None:
        self._refuse_any_case(f"\\{letter}")
        listed = self._dialect.in_class[letter.lower()]
        if letter.islower() or letter in "SD":
            texts.append(listed if letter.islower() else f"\\{letter}")
        else:
            outer.append(f"[^{listed}]")
        self._no_range()

    def _inner(self, texts: list[str], outer: list[str]) -> None:
        self._refuse_any_case("a class in a class")
        if found := regex.compile(r"\[:(\^?)(\w+):\]").match(self._text, self._at):
            if found[2] not in self._dialect.posix:
                self._fail(f"[:{found[2]}:]")
            self._at = found.end()
            listed = self._dialect.posix[found[2]]
            (outer.append(f"[^{listed}]") if found[1] else texts.append(listed))
            return
        items, inner, negated = self._class_items()
        if negated:
            outer.append(self._choice(items, inner, negated))
        else:
            texts.append(items)
            outer += inner

    def _no_range(self) -> None:
        if self._peek() == "-" and self._peek(2) != "-]":
            self._fail("a range that begins with a class")

    def _range(self, char: str, texts: list[str]) -> None:
        first = self._literal(char)
        if self._peek() != "-" or self._peek(2) in ("-]", "-"):
            texts.append(first)
            return
        self._refuse_any_case("a range")
        self._at += 1
        last = self._next()
        if last == "[":
            self._fail("a range that ends with a class")
        if last == "\\":
            letter = self._next()
            if letter in "wWsSdDhHpPRXb":
                self._fail("a range that ends with a class")
            last = self._code(letter)
        if last < char:
            self._fail("a range the wrong way round")
        texts.append(f"{first}-{self._literal(last)}")
