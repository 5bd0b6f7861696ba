"""Reads an expression of one dialect and writes it in another, part by part.

Only the parts that are known to mean the same are taken; every other is an `ExpressionError`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import regex

from bpe_studio.formats.dialects.expression_classes import (
    MAX_DEPTH,
    ClassReader,
    Dialect,
    ExpressionError,
)

__all__ = ["Dialect", "ExpressionError", "Reader"]

# Letters that fold together with others in some package: "ss" with ß, "ff" with ﬀ.
_FOLDED: Final = ("ss", "st", "ff", "fi", "fl")
_MAX_REPEAT: Final = 1000


class Part(NamedTuple):
    """A part as it is written, and how many characters it takes at least."""

    text: str
    width: int


class Reader(ClassReader):
    """One expression; `read` may be called once."""

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

    # The grammar

    def _alternatives(self) -> Part:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._fail(f"groups deeper than {MAX_DEPTH}")
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
