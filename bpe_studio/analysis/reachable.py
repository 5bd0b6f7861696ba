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
from itertools import islice
from typing import Final

from bpe_studio.analysis import utf8
from bpe_studio.analysis.merging import events, is_whole_piece
from bpe_studio.bpe.tokenizer import Tokenizer

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
    """

    witness: str | None
    absorbed: str | None
    tried: int


class Prober:
    """Searches texts for tokens; neighbours that helped once are tried first the next time."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        contexts = [(left, right) for left in LEFT for right in RIGHT]
        self.contexts = sorted(contexts, key=lambda pair: len(pair[0]) + len(pair[1]))

    def search(self, token: int, data: bytes) -> Reach:
        """The first text among the probes that produces a token."""
        absorbed: str | None = None
        tried = 0
        for left, right, before, after in self._probes(data):
            tried += 1
            text = f"{left}{(before + data + after).decode()}{right}"
            start = len(left.encode() + before)
            piece, place = self._piece_at(text, start, len(data))
            if piece is None:
                continue
            if self._makes(text, start, token):
                self.contexts.remove((left, right))
                self.contexts.insert(0, (left, right))
                return Reach(text, None, tried)
            if absorbed is None and self._merges_on(piece, place, token, len(data)):
                absorbed = text
        return Reach(None, absorbed, tried)

    def _probes(self, data: bytes) -> Iterator[tuple[str, str, bytes, bytes]]:
        """Neighbours on the left and right, and what completes half characters."""
        few = list(islice(utf8.completions(data), _FEW_COMPLETIONS))
        for left, right in self.contexts[:1]:
            yield from ((left, right, before, after) for before, after in few)
        for before, after in utf8.completions(data):
            yield "", "", before, after
        for left, right in self.contexts[1:]:
            yield from ((left, right, before, after) for before, after in few)

    def _piece_at(self, text: str, start: int, length: int) -> tuple[bytes | None, int]:
        """The piece that holds all of some bytes of a text, if one does, and where in it."""
        position = 0
        for piece in self.tokenizer.pattern.compiled.findall(text):
            data = piece.encode()
            if start < position + len(data):
                fits = start + length <= position + len(data)
                return data if fits else None, start - position
            position += len(data)
        return None, 0

    def _merges_on(self, piece: bytes, place: int, token: int, length: int) -> bool:
        """Whether merges make the token at a place of a piece on the way."""
        if is_whole_piece(self.tokenizer, piece):
            return False
        made = events(self.tokenizer, piece)
        return any(e.id == token and e.covers(place, place + length) for e in made)

    def _makes(self, text: str, start: int, token: int) -> bool:
        encoding = self.tokenizer.encode_with_offsets(text)
        places = (encoding.ids == token).nonzero()[0]
        return bool((encoding.offsets[places, 0] == start).any())
