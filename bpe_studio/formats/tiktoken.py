"""Rank files (.tiktoken): a token in base64, a space and its rank on each line.

The ranks are the ids. A file tells neither how a text is cut nor which specials there are: a
published one is known by its content, and for any other the user says the pattern.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass, field
from typing import Final, NoReturn

from bpe_studio.bpe.built_tokens import MAX_ID
from bpe_studio.bpe.patterns import PRESETS, Pattern, resolve_pattern
from bpe_studio.bpe.specials import roles_of
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.ranks.known_encodings import KnownEncoding, find_known, rank_lines
from bpe_studio.formats.ranks.table import rank_table
from bpe_studio.formats.ranks.tiktoken_writer import write
from bpe_studio.formats.source import PatternNeededError, Source
from bpe_studio.formats.strict.token_bytes import MAX_TOKEN_BYTES, MAX_TOKENS
from bpe_studio.formats.text_lines import check_lines

__all__ = ["NAME", "SUFFIXES", "TITLE", "read", "read_ranks", "sniff", "write"]

NAME: Final = "tiktoken"
TITLE: Final = "tiktoken rank file (.tiktoken)"
SUFFIXES: Final = (".tiktoken",)

_BOM: Final = b"\xef\xbb\xbf"
_LINE: Final = re.compile(
    rb"((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==|[A-Za-z0-9+/]=))?) (\d+)"
)
_MAX_BASE64: Final = MAX_TOKEN_BYTES * 4 // 3 + 4
_TOO_LONG: Final = "has a token longer than 1 MiB, which is the limit"
_REPORT_EVERY: Final = 1 << 14  # lines


def sniff(data: bytes) -> bool:
    """Whether the first line, and most of the next ones, are a token and a rank."""
    lines = data[: 1 << 16].removeprefix(_BOM).split(b"\n", 65)
    if len(lines) > 1:
        lines.pop()  # it may be only a part of a line, or of all the others
    lines = [line.rstrip(b"\r") for line in lines if line.strip()]
    if not lines or not _LINE.fullmatch(lines[0]):
        return False
    return 2 * sum(_LINE.fullmatch(line) is not None for line in lines) > len(lines)


def read(source: Source) -> Tokenizer:
    """Read a rank file.

    Raises
    ------
    PatternNeededError
        It is none of the published ones, and nobody has said the pattern.
    ValueError
        With the line.
    """
    ranks = read_ranks(source)
    ranked = sorted(ranks.items())
    known = find_known(rank_lines(ranked))
    pattern, notes = _pattern(source, known)
    table, unusual = rank_table(
        [rank for rank, _ in ranked],
        [token for _, token in ranked],
        report=lambda share: source.report(0.3 + 0.7 * share),
    )
    specials = {} if known is None else known.specials
    return Tokenizer(
        table,
        pattern,
        special_ids=specials,
        roles=roles_of(specials),
        engine="whole-piece-first",
        notes=(*notes, *unusual),
    )


def read_ranks(source: Source) -> dict[int, bytes]:
    """``{rank: token}``, in the order of the lines."""
    return _Reader(source).read()


def _pattern(source: Source, known: KnownEncoding | None) -> tuple[Pattern, list[str]]:
    if known is None and source.pattern is None:
        names = ", ".join(PRESETS)
        raise PatternNeededError(
            f"{source.name}: a rank file does not tell how a text is cut; give the pattern with "
            f"--pattern NAME, one of {names}, or an expression."
        )
    if known is None:
        return resolve_pattern(str(source.pattern)), []
    own = resolve_pattern(known.pattern)
    found = f"The tokens are those of {known.name}, so the specials are too"
    asked = own if source.pattern is None else resolve_pattern(source.pattern)
    if asked == own:
        return own, [f"{found}, and the pattern is {own.name}."]
    return asked, [f"{found}; its pattern is {own.name}, and another was asked for."]


@dataclass(slots=True)
class _Reader:
    """Goes through the lines."""

    source: Source
    ranks: dict[int, bytes] = field(default_factory=dict)
    line: int = 0

    def read(self) -> dict[int, bytes]:
        check_lines(self.source)
        lines = self.source.data.removeprefix(_BOM).split(b"\n")
        for self.line, line in enumerate(lines, 1):
            if not self.line % _REPORT_EVERY:
                self.source.report(0.3 * self.line / len(lines))
            if line and line != b"\r":
                self._add(line.removesuffix(b"\r"))
        if not self.ranks:
            raise ValueError(f"{self.source.name}: it is empty; download or save it again.")
        self._check_tokens()
        return self.ranks

    def _add(self, line: bytes) -> None:
        code, _, number = line.partition(b" ")
        if len(code) > _MAX_BASE64:
            self._fail(_TOO_LONG)
        if not number.isdigit() or len(number) > 10 or (rank := int(number)) > MAX_ID:
            self._fail(f"must be a token in base64, a space and a rank from 0 to {MAX_ID}")
        try:
            token = binascii.a2b_base64(code, strict_mode=True)
        except binascii.Error:
            token = b""
        if not token:
            self._fail("does not begin with a token in base64")
        if len(token) > MAX_TOKEN_BYTES:
            self._fail(_TOO_LONG)
        if rank in self.ranks:
            self._fail(f"has the rank {rank}, which another line has already")
        self.ranks[rank] = token
        if len(self.ranks) > MAX_TOKENS:
            self._fail(f"has one token more than {MAX_TOKENS:,}, which is the limit")

    def _check_tokens(self) -> None:
        """Fail where a token has two ranks."""
        if len(set(self.ranks.values())) < len(self.ranks):
            self._find_repeated()

    def _find_repeated(self) -> NoReturn:
        seen: dict[bytes, int] = {}
        for rank, token in self.ranks.items():
            if (first := seen.setdefault(token, rank)) != rank:
                break
        number = re.escape(str(rank).encode())
        place = re.search(rb"(?m) 0*%s\r?$" % number, self.source.data)
        self.line = self.source.data.count(b"\n", 0, place.start() if place else 0) + 1
        self._fail(f"has the token of rank {first} again, under the rank {rank}")

    def _fail(self, reason: str) -> NoReturn:
        raise ValueError(f"{self.source.name}: line {self.line:,} {reason}.")
