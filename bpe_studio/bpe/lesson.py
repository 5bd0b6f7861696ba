"""Byte-pair encoding of a text that fits on a blackboard: every row, every count, every merge.

It learns what a training with the same settings learns, in plain Python, and keeps each state, so
that one can step forward and back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, get_args

from bpe_studio.bpe import reference
from bpe_studio.bpe.encoder import encoded
from bpe_studio.bpe.patterns import Pattern, resolve_pattern
from bpe_studio.bpe.scanner import split_pieces
from bpe_studio.bpe.table import Base
from bpe_studio.bpe.trainer import Merge, StopReason, Ties

# So much that a window shows all of it, and that every pair is counted anew in a blink.
MOST_CHARACTERS: Final = 1000
TOY_CORPUS: Final = "low low lower lowest newer newest wider widest"
CORPORA: Final[Mapping[str, str]] = {
    "low, lower, lowest": TOY_CORPUS,
    "accents: bytes or characters": "été étés été café cafés né née thé thés",
    "a pair that overlaps itself": "aaa aaaa aaaaa haha hahaha",
    "numbers and signs": "1999 2000 2001 2024 2025 1.99 2.99 19.99 20%",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonRules:
    """What decides the merges besides the text; the names are those of a training.

    Raises
    ------
    ValueError
        A value that is out of range, in one sentence.
    """

    pattern: str = "classic"
    base: Base = "bytes"
    ties: Ties = "first-seen"
    min_freq: int = 2
    specials: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, choices in (("base", get_args(Base)), ("ties", get_args(Ties))):
            value = getattr(self, name)
            if value not in choices:
                raise ValueError(f"{name} is {' or '.join(map(repr, choices))}, not {value!r}.")
        if self.min_freq < 1:
            raise ValueError(f"min_freq is at least 1, not {self.min_freq}.")
        resolve_pattern(self.pattern)


@dataclass(frozen=True, slots=True)
class LessonWord:
    """A distinct piece of the text, how often it is there, and the symbols that it is now."""

    piece: bytes
    count: int
    symbols: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PairCount:
    """A pair that stands somewhere, how often, and where first: a word and a symbol of it."""

    left: int
    right: int
    count: int
    word: int
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonState:
    """The text after some merges.

    Attributes
    ----------
    merges : tuple of Merge
        Those so far.
    words : tuple of LessonWord
        The distinct pieces in the order in which the text first shows them.
    pairs : tuple of PairCount
        Every pair, in the order in which they would be chosen: the first is the best.
    joined : tuple of tuple of int
        By word: the symbols that the last merge has made.
    firing : tuple of tuple of int
        By word: where the next merge will join a symbol with the one after it.
    characters, base_size : int
        Of the text; symbols and specials before the first merge.
    stop_reason : "min_freq", "no_pairs" or None
        Why there is no next merge.
    """

    merges: tuple[Merge, ...]
    words: tuple[LessonWord, ...]
    pairs: tuple[PairCount, ...]
    joined: tuple[tuple[int, ...], ...]
    firing: tuple[tuple[int, ...], ...]
    characters: int
    base_size: int
    stop_reason: StopReason | None

    @property
    def next(self) -> PairCount | None:
        """The pair that the next merge joins."""
        return self.pairs[0] if self.stop_reason is None else None

    @property
    def tied(self) -> tuple[PairCount, ...]:
        """The pairs that are as frequent as the best, itself included."""
        return tuple(pair for pair in self.pairs if pair.count == self.pairs[0].count)

    @property
    def tokens(self) -> int:
        return sum(len(word.symbols) * word.count for word in self.words)

    @property
    def vocab_size(self) -> int:
        return self.base_size + len(self.merges)

    @property
    def characters_per_token(self) -> float:
        """The score: how much text a token stands for on average."""
        return self.characters / self.tokens


class Lesson:
    """A text and its states, one a merge; `state` is where one stands.

    Parameters
    ----------
    text : str
        One document, of up to `MOST_CHARACTERS` characters.
    rules : LessonRules

    Raises
    ------
    ValueError
        In one sentence: no text, too much of it, a lone surrogate, or what `split_pieces` raises.

    >>> lesson = Lesson("low low lower lowest")
    >>> lesson.step(), lesson.name(lesson.state.merges[0].id), lesson.back(), lesson.step()
    (True, b'lo', True, True)
    """

    def __init__(self, text: str, rules: LessonRules | None = None) -> None:
        self.text = text
        self.rules = rules or LessonRules()
        self.pattern: Pattern = resolve_pattern(self.rules.pattern)
        if not text:
            raise ValueError("The lesson needs a text of at least one character.")
        if len(text) > MOST_CHARACTERS:
            raise ValueError(
                f"The lesson takes up to {MOST_CHARACTERS:,} characters, so that all of it can be "
                f"seen, and this text has {len(text):,}: shorten it, or train on it as a file."
            )
        encoded(text)
        self.char_ids = self._chars()
        self._names = self._base_names()
        self._place = 0
        self._states = [self._first()]

    @property
    def state(self) -> LessonState:
        return self._states[self._place]

    @property
    def states(self) -> tuple[LessonState, ...]:
        """From the first to where one stands."""
        return tuple(self._states[: self._place + 1])

    @property
    def byte_base(self) -> int:
        """The id of the byte 0."""
        return len(self.rules.specials)

    def name(self, symbol: int) -> bytes:
        """The bytes that a symbol stands for."""
        return self._names[symbol]

    # Walking

    def step(self) -> bool:
        """Merge the next pair; False where there is none."""
        if self.state.next is None:
            return False
        if self._place + 1 == len(self._states):
            self._states.append(self._after(self.state, self.state.next))
        self._place += 1
        return True

    def back(self) -> bool:
        """Undo the last merge; False at the beginning."""
        moved = self._place > 0
        self._place -= moved
        return moved

    def reset(self) -> None:
        """Go back to before the first merge."""
        self._place = 0

    def run(self, merges: int | None = None) -> None:
        """Merge until there are so many merges, or until there is nothing left to merge."""
        while (merges is None or self._place < merges) and self.step():
            pass

    # States

    def _chars(self) -> dict[str, int]:
        if self.rules.base == "bytes":
            return {}
        first = self.byte_base + 256
        others = sorted({char for char in self.text if char > "\x7f"})
        return {char: first + number for number, char in enumerate(others)}

    def _base_names(self) -> dict[int, bytes]:
        names = {self.byte_base + byte: bytes([byte]) for byte in range(256)}
        return names | {number: char.encode() for char, number in self.char_ids.items()}

    def _symbols(self, piece: str) -> tuple[int, ...]:
        symbols: list[int] = []
        for char in piece:
            known = self.char_ids.get(char)
            data = char.encode()
            symbols += [self.byte_base + byte for byte in data] if known is None else [known]
        return tuple(symbols)

    def _first(self) -> LessonState:
        pieces = Counter(split_pieces(self.pattern, self.text))
        words = tuple(
            LessonWord(piece.encode(), count, self._symbols(piece))
            for piece, count in pieces.items()
        )
        return self._state((), words, tuple(() for _ in words))

    def _after(self, state: LessonState, pair: PairCount) -> LessonState:
        new = len(self._names) + self.byte_base
        words: list[LessonWord] = []
        joined: list[tuple[int, ...]] = []
        applied = 0
        for word in state.words:
            symbols, places = reference.merge(word.symbols, pair.left, pair.right, new)
            words.append(LessonWord(word.piece, word.count, symbols))
            # Every join before has taken a symbol away.
            joined.append(tuple(place - before for before, place in enumerate(places)))
            applied += len(places) * word.count
        self._names[new] = self._names[pair.left] + self._names[pair.right]
        rank = len(state.merges)
        merge = Merge(rank, pair.left, pair.right, new, pair.count, applied, rank + 1)
        return self._state((*state.merges, merge), tuple(words), tuple(joined))

    def _state(
        self,
        merges: tuple[Merge, ...],
        words: tuple[LessonWord, ...],
        joined: tuple[tuple[int, ...], ...],
    ) -> LessonState:
        pairs = self._pairs(words)
        stop: StopReason | None = None
        if not pairs:
            stop = "no_pairs"
        elif pairs[0].count < self.rules.min_freq:
            stop = "min_freq"
        firing: list[tuple[int, ...]] = [() for _ in words]
        if stop is None:
            best = pairs[0]
            firing = [reference.merge(w.symbols, best.left, best.right, -1)[1] for w in words]
        return LessonState(
            merges=merges,
            words=words,
            pairs=pairs,
            joined=joined,
            firing=tuple(firing),
            characters=len(self.text),
            base_size=self.byte_base + 256 + len(self.char_ids),
            stop_reason=stop,
        )

    def _pairs(self, words: tuple[LessonWord, ...]) -> tuple[PairCount, ...]:
        counts: Counter[tuple[int, int]] = Counter()
        first: dict[tuple[int, int], tuple[int, int]] = {}
        for number, word in enumerate(words):
            for place, pair in enumerate(pairwise(word.symbols)):
                counts[pair] += word.count
                first.setdefault(pair, (number, place))
        found = [PairCount(*pair, count, *first[pair]) for pair, count in counts.items()]
        if self.rules.ties == "first-seen":
            found.sort(key=lambda pair: (-pair.count, pair.word, pair.place))
        else:
            found.sort(key=lambda pair: (-pair.count, pair.left, pair.right))
        return tuple(found)
