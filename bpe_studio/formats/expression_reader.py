"""Reads an expression of one dialect and writes it in another, part by part.

Only the parts that are known to mean the same are taken; every other is an `ExpressionError`.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, NoReturn

import regex

__all__ = ["Dialect", "ExpressionError", "Reader"]

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
# Letters that fold together with others in some package: "ss" with ß, "ff" with ﬀ.
_FOLDED: Final = ("ss", "st", "ff", "fi", "fl")
_MAX_DEPTH: Final = 50
_MAX_REPEAT: Final = 1000


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


class Part(NamedTuple):
    """A part as it is written, and how many characters it takes at least."""

    text: str
    width: int


class Reader:
    """One expression; `read` may be called once."""

    def __init__(self, expression: str, dialect: Dialect) -> None:
        self._text = expression
        self._at = 0
        self._dialect = dialect
        self._depth = 0
        self._any_case = False

    def read(self) -> Part:
        """All of it."""
        if self._take("(?i)"):
            made = self._case_blind()
            made = Part(f"(?i:{made.text})", made.width)
        else:
            made = self._alternatives()
        if self._at < len(self._text):
            self._fail("a ) too many")
        return made

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

    # The grammar

    def _alternatives(self) -> Part:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._fail(f"groups deeper than {_MAX_DEPTH}")
        parts = [self._sequence()]
        while self._take("|"):
            parts.append(self._sequence())
        self._depth -= 1
        return Part("|".join(part.text for part in parts), min(part.width for part in parts))

    def _sequence(self) -> Part:
        begin = self._at
        texts, width = [], 0
        while self._at < len(self._text) and self._peek() not in "|)":
            part = self._repeated(self._atom())
            texts.append(part.text)
            width += part.width
        spelled = self._text[begin : self._at].lower()
        if self._any_case and any(pair in spelled for pair in _FOLDED):
            self._fail("letters that fold together in any case")
        return Part("".join(texts), width)

    def _repeated(self, part: Part) -> Part:
        if (sign := self._peek()) and sign in "*+?":
            self._at += 1
            least, sign = (1 if sign == "+" else 0), sign
            if self._peek() and self._peek() in "?+":
                sign += self._next()
            made = Part(part.text + sign, part.width * least)
        elif found := regex.compile(r"\{(\d{0,6})(,?)(\d{0,6})\}").match(self._text, self._at):
            if not (found[1] or found[3]):
                return part  # {} and {,} are ordinary characters
            self._at = found.end()
            made = self._interval(part, found[1], bool(found[2]), found[3])
        else:
            return part
        if regex.compile(r"[*+?]|\{\d*,?\d*\}").match(self._text, self._at):
            self._fail("a repeat of a repeat")
        return made

    def _interval(self, part: Part, first: str, comma: bool, last: str) -> Part:
        least = int(first or 0)
        most = int(last) if last else None if comma else least
        if max(least, most or 0) > _MAX_REPEAT or (most is not None and most < least):
            self._fail("a repeat that is too large or the wrong way round")
        sign = f"{{{least}}}" if most == least else f"{{{least},{'' if most is None else most}}}"
        text, width = part.text + sign, part.width * least
        if self._take("?"):
            if comma:
                return Part(text + "?", width)
            # Of a fixed number there is nothing to be lazy about: Oniguruma makes it optional.
            fixed = self._dialect.name == "regex"
            return Part(text, width) if fixed else Part(f"(?:{text})?", 0)
        if self._take("+"):
            if self._dialect.interval_possessive:
                return Part(f"(?>{text})", width)
            return Part(f"(?:{text})+", width)
        return Part(text, width)

    def _atom(self) -> Part:
        char = self._next()
        if char == "(":
            return self._group()
        if char == "[":
            self._at -= 1
            return Part(self._class(), 1)
        if char == ".":
            return Part(".", 1)
        if char in self._dialect.anchors and char in "^$":
            return Part(self._dialect.anchors[char], 0)
        if char in "*+?":
            self._at -= 1
            self._fail("a repeat of nothing")
        return self._escape() if char == "\\" else Part(self._literal(char), 1)

    def _group(self) -> Part:
        dialect = self._dialect
        if not self._take("?"):
            return self._closed("(?:")
        for sign in (":", "=", "!", ">", "<=", "<!"):
            if self._take(sign):
                part = self._closed(f"(?{sign}")
                return part if sign in ":>" else Part(part.text, 0)
        if found := regex.compile(r"P?<[A-Za-z_]\w*>").match(self._text, self._at):
            self._at = found.end()
            return self._closed("(?:")
        if self._take("i:"):
            part = self._case_blind()
            self._close()
            return Part(f"(?i:{part.text})", part.width)
        if self._take(f"{dialect.dot_all}:"):
            return self._closed(f"(?{dialect.write_dot_all}:")
        self._fail(f"the group (?{self._peek()}")

    def _case_blind(self) -> Part:
        before, self._any_case = self._any_case, True
        part = self._alternatives()
        self._any_case = before
        return part

    def _closed(self, opening: str) -> Part:
        part = self._alternatives()
        self._close()
        return Part(f"{opening}{part.text})", part.width)

    def _close(self) -> None:
        if not self._take(")"):
            self._fail("a group without its )")

    # Escapes and characters

    def _escape(self) -> Part:
        char = self._next()
        dialect = self._dialect
        if char in dialect.anchors and char not in "^$":
            return Part(dialect.anchors[char], 0)
        if char in dialect.alone:
            self._refuse_any_case(f"\\{char}")
            return Part(dialect.alone[char], 1)
        if char in "sSdD":
            return Part(f"\\{char}", 1)
        if char in "pP":
            self._refuse_any_case(f"\\{char}")
            return Part(self._property(char), 1)
        return Part(self._literal(self._code(char)), 1)

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
        choices = "|".join([*([f"[{items}]"] if items else []), *outer])
        any_other = f"(?:(?!{choices})(?{self._dialect.write_dot_all}:.))"
        return any_other if negated else f"(?:{choices})"

    def _class_items(self) -> tuple[str, list[str], bool]:
        """The items of a class, as text; the classes inside that are no lists; whether negated."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._fail(f"classes deeper than {_MAX_DEPTH}")
        self._at += 1
        negated = self._take("^")
        if self._peek() == "]":
            self._fail("a class that begins with ]")
        texts: list[str] = []
        outer: list[str] = []
        while not self._take("]"):
            self._item(texts, outer)
        self._depth -= 1
        return "".join(texts), outer, negated

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
