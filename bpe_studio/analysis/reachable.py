"""Can any text produce this token?

Two facts decide. First, merges alone: a token is in the encoding of some piece if, and only if,
its own bytes as a piece encode to it. For while a token that survives is being made, no merge
crosses its borders, so inside them the merges run exactly as they run on its bytes alone; and its
bytes alone are such a piece. Second, the pattern: some text must have a piece that holds the bytes
with neighbours that leave them alone. That is searched for among neighbours of every character
class, with every likely character completed around half characters; what is found is a witness.
Between the two lies the token that is made only on the way: ``'l`` where ``'ll`` is a token and the
pattern leaves nothing else that holds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from bpe_studio.analysis import utf8
from bpe_studio.analysis.alone import Alone, AloneTokens
from bpe_studio.analysis.longer_tokens import LongerTokens
from bpe_studio.analysis.merging import events
from bpe_studio.bpe.encoder import Encoder, EngineName, TextError
from bpe_studio.bpe.table import MissingByteError
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["LEFT", "RIGHT", "Contexts", "Prober", "Reach"]

# One neighbour of every class that patterns tell apart: letters of each case, marks, numbers,
# punctuation, white space, line ends.
_EITHER_SIDE: Final = (
    "", "a", "A", " ", "\n", "=", "1", "中", "'", "_", "/", "\r", "\t", "é", "ǅ", "ʰ", "\u0301",
    "\u0903", "²", "Ⅷ", "٣", "😀", "\u200b", "\u00a0", "\x00", "  ", "\n\n", "12", "aA", "Aa",
)  # fmt: skip
LEFT: Final = (*_EITHER_SIDE, " a", " =", "=\n", "a'", "'l", "'r", "'v")
# What finishes a contraction: 's 't 're 've 'm 'll 'd.
RIGHT: Final = (*_EITHER_SIDE, "s", "t", "re", "ve", "m", "ll", "d", "e", "l", "'s", "'t", "=\n")
_FEW_COMPLETIONS: Final = 4
# A table under another pattern than its own can have thousands of tokens that nothing produces:
# after so many texts in vain, fewer are tried for each.
_PATIENCE: Final = 30_000
_FEW_CONTEXTS: Final = 60
# Pieces that are looked at for a token that is made only on the way.
_MOST_PIECES: Final = 40
_MOST_AT_ONCE: Final = 512


@dataclass(frozen=True, slots=True)
class Reach:
    """What the search for a text came to.

    Attributes
    ----------
    witness : str or None
        A text whose encoding holds the token.
    absorbed : str or None
        A text in which merges make the token and then go on to a longer one.
    tried : int
        The number of texts that were tried.
    cut : bool
        No piece of any of them held all bytes of the token.
    edited : bool
        Merges would give it in some of them, but these are changed before.
    """

    witness: str | None
    absorbed: str | None
    tried: int
    cut: bool = False
    edited: bool = False


class Contexts:
    """Neighbours on both sides, shortest first; what helped once is tried first the next time."""

    def __init__(self) -> None:
        pairs = [(left, right) for left in LEFT for right in RIGHT]
        self._pairs = sorted(pairs, key=lambda pair: len(pair[0]) + len(pair[1]))
        self._in_vain = 0

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._pairs[: _FEW_CONTEXTS if self.weary else None])

    @property
    def weary(self) -> bool:
        """Whether so much was in vain that only the first few are left."""
        return self._in_vain > _PATIENCE

    def helped(self, pair: tuple[str, str]) -> None:
        if self._pairs[0] != pair and pair in self._pairs:
            self._pairs.remove(pair)
            self._pairs.insert(0, pair)

    def in_vain(self, tried: int) -> None:
        self._in_vain += tried


class Prober:
    """Searches texts for tokens of a tokenizer that merges them as they are written.

    Parameters
    ----------
    engine : optional
        Another one than the tokenizer's.
    """

    def __init__(self, tokenizer: Tokenizer, engine: EngineName | None = None) -> None:
        self.tokenizer = tokenizer
        self.engine = engine or tokenizer.engine
        self.alone = AloneTokens(tokenizer)
        self.contexts = Contexts()
        self.longer = LongerTokens(tokenizer.table)

    def search(self, alone: Alone) -> Reach:
        """The first text among the probes that produces a token."""
        if self.contexts.weary and alone.text is not None:
            tried, held = self._is_held(alone)
            if not held:
                return Reach(None, None, tried, cut=True)
        tried, edited = 0, False
        for probes in _growing(self._probes(alone)):
            texts = [probe.text(alone.data) for probe in probes]
            for number in self._holding(texts, alone.token):
                if self.alone.is_left(texts[number]):
                    self.contexts.helped((probes[number].left, probes[number].right))
                    return Reach(texts[number], None, tried + number + 1)
                edited = True
            tried += len(texts)
        self.contexts.in_vain(tried)
        if not alone.merged:
            return Reach(None, None, tried, edited=edited)
        absorbed, pieces = self._absorbed(alone)
        return Reach(None, absorbed, tried, pieces == 0, edited)

    def _is_held(self, alone: Alone) -> tuple[int, bool]:
        """How many texts were tried, and whether in the last one piece holds all of a token."""
        tried = 0
        for probe in self._probes(alone):
            tried += 1
            text, start = probe.text(alone.data), len(probe.left.encode())
            if self._piece_at(text, start, len(alone.data))[0] is not None:
                return tried, True
        return tried, False

    @cached_property
    def _encoder(self) -> Encoder:
        tokenizer = self.tokenizer
        if self.engine == tokenizer.engine:
            return tokenizer.encoder
        return Encoder(tokenizer.table, tokenizer.pattern, self.engine)

    def _holding(self, texts: list[str], token: int) -> list[int]:
        """The numbers of the texts whose encoding holds a token; no special is looked for."""
        try:
            found = self._encoder.encode_many(texts)
        except TextError:  # the table lacks a byte
            if len(texts) == 1:
                return []
            middle = len(texts) // 2
            rest = self._holding(texts[middle:], token)
            return [*self._holding(texts[:middle], token), *(middle + n for n in rest)]
        places = np.flatnonzero(np.concatenate(found) == token)
        if not len(places):
            return []
        ends = np.cumsum([len(ids) for ids in found])
        numbers: list[int] = np.unique(ends.searchsorted(places, side="right")).tolist()
        return numbers

    def _probes(self, alone: Alone) -> Iterator[_Probe]:
        """Neighbours on the left and right, and what completes half characters."""
        data = alone.data
        few = list(islice(utf8.completions(data), _FEW_COMPLETIONS))
        contexts = iter(self.contexts)
        for left, right in islice(contexts, 1):
            yield from (_Probe(left, right, before, after) for before, after in few)
        for before, after in utf8.completions(data):
            yield _Probe("", "", before, after)
        for left, right in contexts:
            yield from (_Probe(left, right, before, after) for before, after in few)
        yield from (_Probe(left, right, b"", b"") for left, right in self.longer.around(alone))

    def _absorbed(self, alone: Alone) -> tuple[str | None, int]:
        """A text in which merges make a token on the way, and how many pieces hold its bytes."""
        seen: set[bytes] = set()
        for probe in self._probes(alone):
            text = probe.text(alone.data)
            start = len(probe.left.encode() + probe.before)
            piece, place = self._piece_at(text, start, len(alone.data))
            if piece is None or piece in seen:
                continue
            seen.add(piece)
            if self._merges_on(piece, place, alone) and self.alone.is_left(text):
                return text, len(seen)
            if len(seen) == _MOST_PIECES:
                break
        return None, len(seen)

    def _piece_at(self, text: str, start: int, length: int) -> tuple[bytes | None, int]:
        """The piece that holds all of some bytes of a text, if one does, and where in it."""
        position = 0
        for match in self.tokenizer.pattern.compiled.finditer(text):
            data = match.group().encode()
            if start < position + len(data):
                fits = start + length <= position + len(data)
                return data if fits else None, start - position
            position += len(data)
        return None, 0

    def _merges_on(self, piece: bytes, place: int, alone: Alone) -> bool:
        """Whether merges make the token at a place of a piece on the way."""
        if self.engine != "merges" and self.tokenizer.table.find(piece) is not None:
            return False
        try:
            made = events(self.tokenizer, piece)
        except MissingByteError:
            return False
        return any(e.id == alone.token and e.covers(place, place + len(alone.data)) for e in made)


class _Probe(NamedTuple):
    """What stands around the bytes of a token: neighbours, and what completes characters."""

    left: str
    right: str
    before: bytes
    after: bytes

    def text(self, data: bytes) -> str:
        return f"{self.left}{(self.before + data + self.after).decode()}{self.right}"


def _growing(probes: Iterator[_Probe]) -> Iterator[list[_Probe]]:
    """Few at first, since the first often is the one; then many, which costs little more."""
    size = _FEW_COMPLETIONS
    while part := list(islice(probes, size)):
        yield part
        size = min(8 * size, _MOST_AT_ONCE)
