"""Random small tables, each as a Tokenizer and as the oracle's plain table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from bpe_studio.bpe.patterns import PRESETS, resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import TextRules, Unknown
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.oracle_analysis import PlainTable

ALPHABETS = ("ab", "abc", "ab ", "a1 ", "aé", "é ", "a日", "aA'", "a\n ")
PATTERNS = (*PRESETS, r"[\s\S]+", r"a+|[^a]")
SPECIALS = {"ab": 900, "<a>": 901, "a b": 902}


@dataclass(frozen=True)
class Pair:
    """The same table twice."""

    tokenizer: Tokenizer
    plain: PlainTable
    alphabet: str

    def __repr__(self) -> str:
        t = self.tokenizer
        return (
            f"Pair({t.pattern.name!r}, {t.engine}, {t.base}, {self.alphabet!r}, "
            f"{[(t.token_bytes(a), t.token_bytes(b), n) for a, b, n in t.merges]}, "
            f"extra={self.plain.extra})"
        )

    @property
    def alternatives(self) -> tuple[str, ...]:
        return self.tokenizer.pattern.alternatives


def make_pair(
    merges: list[tuple[int, int, int]],
    *,
    pattern: str = "classic",
    engine: Any = "merges",
    char_ids: dict[str, int] | None = None,
    extra: dict[int, bytes] | None = None,
    specials: dict[str, int] | None = None,
    alphabet: str = "ab",
) -> Pair:
    """A pair with ids 0 … 255 for the bytes."""
    chars = char_ids or {}
    table = MergeTable.build(
        base="chars" if chars else "bytes",
        byte_ids=range(256),
        char_ids=chars,
        merges=np.array(merges, dtype=np.int32).reshape(-1, 3),
        tokens=extra or {},
    )
    cut = resolve_pattern(pattern)
    tokenizer = Tokenizer(table=table, pattern=cut, special_ids=specials or {}, engine=engine)
    base = {b: bytes([b]) for b in range(256)} | {i: c.encode() for c, i in chars.items()}
    plain = PlainTable(
        base, merges, cut.expression, specials or {}, engine == "whole-piece-first", extra or {}
    )
    return Pair(tokenizer, plain, alphabet)


@st.composite
def pairs(
    draw: Any,
    *,
    ordinary: bool = False,
    alphabets: tuple[str, ...] = ALPHABETS,
    patterns: tuple[str, ...] = PATTERNS,
) -> Pair:
    """A random table; an `ordinary` one could come from training: one merge a token, in order."""
    alphabet = draw(st.sampled_from(alphabets))
    chars = _char_symbols(alphabet) if draw(st.booleans()) else {}
    merges = _random_merges(draw, alphabet, chars, ordinary=ordinary)
    extra: dict[int, bytes] = {}
    if not ordinary:
        merges, extra = _as_imported(draw, merges, chars)
    return make_pair(
        merges,
        pattern=draw(st.sampled_from(patterns)),
        engine=draw(st.sampled_from(("merges", "whole-piece-first"))),
        char_ids=chars,
        extra=extra,
        specials=draw(st.sampled_from(({}, SPECIALS))),
        alphabet=alphabet,
    )


def _char_symbols(alphabet: str) -> dict[str, int]:
    wide = sorted(char for char in alphabet if not char.isascii())
    return {char: 256 + number for number, char in enumerate(wide)}


def _random_merges(
    draw: Any, alphabet: str, chars: dict[str, int], *, ordinary: bool
) -> list[tuple[int, int, int]]:
    known = {bytes([b]): b for char in alphabet for b in char.encode()}
    if chars:
        known = {char.encode(): chars.get(char, ord(char)) for char in alphabet}
    merges: list[tuple[int, int, int]] = []
    for _ in range(draw(st.integers(0, 9))):
        left, right = (draw(st.sampled_from(sorted(known))) for _ in range(2))
        row = (known[left], known[right])
        is_new = left + right not in known
        if len(left + right) > 8 or row in [m[:2] for m in merges] or (ordinary and not is_new):
            continue
        new = known.setdefault(left + right, 300 + len(merges))
        merges.append((*row, new))
    return merges


def _as_imported(
    draw: Any, merges: list[tuple[int, int, int]], chars: dict[str, int]
) -> tuple[list[tuple[int, int, int]], dict[int, bytes]]:
    """Some merges in another order, some taken out while their tokens stay."""
    data = {b: bytes([b]) for b in range(256)} | {i: c.encode() for c, i in chars.items()}
    for left, right, new in merges:
        data[new] = data[left] + data[right]
    if draw(st.booleans()):
        merges = draw(st.permutations(merges))
    lost = draw(st.sets(st.integers(0, 9), max_size=2))
    kept = [row for rank, row in enumerate(merges) if rank not in lost]
    made = {new for _, _, new in kept}
    return kept, {new: data[new] for _, _, new in merges if new not in made}


def texts(alphabet: str, longest: int = 9) -> st.SearchStrategy[str]:
    return st.text(st.sampled_from(alphabet), min_size=1, max_size=longest)


def worked() -> Pair:
    """The table of the worked example: ``low low lower lowest``."""
    merges = [(108, 111, 256), (256, 119, 257), (32, 257, 258), (258, 101, 259)]
    return make_pair(merges, alphabet="lower st")


def marked_tokenizer() -> Tokenizer:
    """A vocabulary that marks the ends of words, and has a token for what it cannot spell."""
    symbols = [b"l", b"o", b"w", b"e", b"r", b"r</w>", b"w</w>", b"l</w>"]
    tokens = dict(enumerate(symbols))
    merges = [(0, 1, 10), (10, 2, 11), (3, 5, 12), (10, 6, 13)]
    table = MergeTable.build(
        base="bytes", byte_ids=[-1] * 256, merges=merges, tokens=tokens | {20: b"<unk>"}
    )
    return Tokenizer(
        table=table,
        pattern=resolve_pattern(r"\w+|\s|[^\w\s]"),
        rules=TextRules(unknown=Unknown(20), word_end="</w>"),
    )
