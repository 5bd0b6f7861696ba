"""Flags that a token's bytes show by themselves: half characters, look-alikes, invisible, long."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import Final

import regex

from bpe_studio.analysis import utf8
from bpe_studio.analysis.building import base_symbols
from bpe_studio.analysis.flags import Flag, Thresholds, flag
from bpe_studio.analysis.naming import opened, quoted, token_name
from bpe_studio.bpe.tokenizer import Tokenizer

# Controls but tab and line end, formats, private, unassigned, line separators, and what Unicode
# says is to be drawn as nothing (fillers, variation selectors).
_INVISIBLE: Final = regex.compile(
    r"[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\x00-\x08\x0b-\x1f\x7f-\x9f]"
    r"|\p{Default_Ignorable_Code_Point}"
)
_MARK: Final = regex.compile(r"\p{M}")
# Names in the brackets that files use for control tokens. Brackets alone are ordinary code: [i].
_CONTROL_SHAPED: Final = regex.compile(
    r"\s*(?:<\|[^|<>]+\|>|<</?[A-Z]{3,}>>|\[/?[A-Z][A-Z0-9_ ]+\]|</?s>"
    r"|</?(?:pad|bos|eos|unk|mask|cls|sep|think|tool_call|tool_result)>"
    r"|<(?:unused|extra_id_|reserved_|fim_)\w*>|<(?:start|end|begin)_of_\w+>)\s*"
)
_CONTROL_NAMES: Final = {"\r": "CARRIAGE RETURN", "\0": "NULL", "\x1b": "ESCAPE", "\x7f": "DELETE"}
_SIDES: Final = {
    "begins": "begins inside a character",
    "ends": "ends inside a character",
    "both": "begins and ends inside a character",
}


@dataclass(frozen=True, slots=True)
class Partial:
    """How many tokens hold half characters, by side; single bytes are counted apart."""

    begins: int = 0
    ends: int = 0
    both: int = 0
    never: int = 0
    single_lead: int = 0
    single_continuation: int = 0
    single_never: int = 0

    @property
    def multi_byte(self) -> int:
        """Tokens of several bytes that begin or end inside a character."""
        return self.begins + self.ends + self.both


class LookChecks:
    """Asks each token in turn; remembers what it has seen to find equal ones and to count."""

    def __init__(self, tokenizer: Tokenizer, thresholds: Thresholds) -> None:
        self.tokenizer = tokenizer
        self.limits = thresholds
        self.base = base_symbols(tokenizer.table)
        self.by_nfc: dict[str, int] = {}
        self.sides: Counter[str] = Counter()
        names = sorted(tokenizer.special_ids, key=len, reverse=True)
        self.specials = regex.compile("|".join(map(regex.escape, names))) if names else None
        # No word holds a special, and no word is a run by having two characters that differ.
        self.words_pass = not any(map(str.isalnum, names))
        repeated = thresholds.run_length - 1
        self.run = regex.compile(rf"(?s) ?(.)\1{{{repeated},}}")

    def partial(self) -> Partial:
        """The counts so far."""
        return Partial(**self.sides)

    def flags(self, token: int, data: bytes) -> list[Flag]:
        """The flags of a token; the 256 bytes have none, they are what everything is made of."""
        if self._is_ordinary(data):
            return []
        side = utf8.classify(data)
        if side != "valid":
            self._count(data, side)
        if len(data) == 1 and (token in self.base or self.tokenizer.base == "chars"):
            return []  # where the character itself has a token, the byte is there to fall back to
        found = []
        if side == "never":
            found.append(flag(token, "never-valid", f"Its bytes are {_hex(data)}."))
        elif side != "valid":
            found.append(flag(token, "partial-utf8", f"It {_SIDES[side]}: {_hex(data)}."))
        if len(data) > self.limits.long_bytes:
            found.append(flag(token, "over-long", f"It has {len(data):,} bytes."))
        if side == "valid":
            found += self._text_flags(token, data.decode())
        return found

    def _is_ordinary(self, data: bytes) -> bool:
        """Whether it is a short ASCII word, as most tokens are: quicker than every check."""
        return (
            self.words_pass
            and len(data) <= self.limits.long_bytes
            and data.lstrip(b" ").isalnum()
            and data[-1:] != data[-2:-1]
        )

    def _count(self, data: bytes, side: str) -> None:
        if len(data) > 1:
            self.sides[side] += 1
        elif side == "never":
            self.sides["single_never"] += 1
        else:
            self.sides["single_continuation" if side == "begins" else "single_lead"] += 1

    def _text_flags(self, token: int, text: str) -> list[Flag]:
        found = [*self._look_alike(token, text)]
        if not text.isascii() or not text.isprintable():
            found += [*self._invisible(token, text), *self._equal_after_nfc(token, text)]
        if text[-1] == text[-2:-1] and self.run.fullmatch(text):
            length = len(text) - (text[0] == " " != text[-1])
            found.append(flag(token, "run", f"It is {quoted(text[-1])} {length:,} times."))
        return found

    def _look_alike(self, token: int, text: str) -> list[Flag]:
        plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
        match = self.specials.search(text) if self.specials else None
        if match is None and self.specials and plain != text:
            match = self.specials.search(plain)
        if match:
            how = "spells" if match.group() in (text, plain) else "contains"
            special = self.tokenizer.special_ids[match.group()]
            after = "" if match.group() in text else "Brought to NFKC, "
            sentence = f"it {how} the special {token_name(self.tokenizer, special)}."
            sentence = after + (sentence if after else opened(sentence))
            return [flag(token, "special-look-alike", sentence, text)]
        # Most tokens are neither: quicker than the expression.
        if ">" not in plain and "]" not in plain:
            return []
        if _CONTROL_SHAPED.fullmatch(plain):
            sentence = f"{quoted(text)} has the shape of a control token."
            return [flag(token, "special-look-alike", sentence, text)]
        return []

    def _invisible(self, token: int, text: str) -> list[Flag]:
        hidden = list(dict.fromkeys(_INVISIBLE.findall(text)))
        if hidden:
            more = f" and {len(hidden) - 3} more" if len(hidden) > 3 else ""
            names = ", ".join(_named(char) for char in hidden[:3])
            return [flag(token, "invisible", f"It holds {names}{more}.")]
        if _MARK.match(text):
            sentence = f"It begins with the combining mark {_named(text[0])}."
            return [flag(token, "invisible", sentence)]
        return []

    def _equal_after_nfc(self, token: int, text: str) -> list[Flag]:
        composed = unicodedata.normalize("NFC", text)
        if composed == text:
            return []
        other = self.tokenizer.table.find(composed.encode())
        if other is None:
            other = self.by_nfc.setdefault(composed, token)
        if other == token or self.tokenizer.token_bytes(other) == text.encode():
            return []
        sentence = f"Composed (NFC), it is the same text as {token_name(self.tokenizer, other)}."
        return [flag(token, "duplicate-nfc", sentence, text)]


def _hex(data: bytes) -> str:
    shown = data[:16].hex(" ").upper()
    return f"{shown} …" if len(data) > 16 else shown


def _named(char: str) -> str:
    name = unicodedata.name(char, _CONTROL_NAMES.get(char, ""))
    return f"U+{ord(char):04X} {name}".rstrip()
