"""What the bytes of every token become when they stand alone: by merges, and by the pattern."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_studio.bpe.edits import Form, Unicode
from bpe_studio.bpe.plain_encoder import needs_plain
from bpe_studio.bpe.preparing import Cut
from bpe_studio.bpe.scanner import PADDING
from bpe_studio.bpe.table import MissingByteError
from bpe_studio.bpe.text_rules import PLAIN_TEXT
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["Alone", "AloneTokens", "knows_symbols", "reads_as_written"]

# About 5 ms.
_BATCH: Final = 1 << 11


class Alone(NamedTuple):
    """A token by itself.

    Attributes
    ----------
    token : int
    data : bytes
    text : str or None
        None where the bytes are no UTF-8.
    merged : bool
        Merges alone make the token of its bytes.
    uncut : bool
        The text is one piece, and nothing is done to it before.
    """

    token: int
    data: bytes
    text: str | None
    merged: bool
    uncut: bool


def reads_as_written(tokenizer: Tokenizer) -> bool:
    """Whether every text that is merged can be given as it is merged.

    So it is without edits, and with one normal form of Unicode: what it makes, it leaves alone.
    """
    if tokenizer.view_only or tokenizer.outside is not None:
        return False
    rules = tokenizer.rules
    forms = rules.normalizer
    if len(forms) > 1 or not all(isinstance(form, Unicode) for form in forms):
        return False
    return replace(rules, added=(), normalizer=(), fixed=(), strip_left=0) == PLAIN_TEXT


def knows_symbols(tokenizer: Tokenizer) -> bool:
    """Whether the merges run over the token's own bytes, without marks of words or unknowns."""
    if tokenizer.view_only or tokenizer.outside is not None:
        return False
    return not needs_plain(tokenizer.table, tokenizer.rules)


class AloneTokens:
    """Looks at all tokens of a table in batches of a few milliseconds."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.table = tokenizer.table

    def __iter__(self) -> Iterator[Alone]:
        ids, data = self.table.ids.tolist(), self.table.token_list
        for first in range(0, len(ids), _BATCH):
            last = min(first + _BATCH, len(ids))
            batch = data[first:last]
            merged = self._merged(first, last) if self._merges else [False] * len(batch)
            texts = [_text(token) for token in batch]
            yield from map(Alone, ids[first:last], batch, texts, merged, self._uncut(texts))

    @cached_property
    def _merges(self) -> bool:
        return knows_symbols(self.tokenizer)

    @cached_property
    def _arena(self) -> NDArray[np.uint8]:
        return np.concatenate((self.table.token_data, np.zeros(PADDING, dtype=np.uint8)))

    def _merged(self, first: int, last: int) -> list[bool]:
        """Whether merges make each of some tokens of its own bytes."""
        starts = self.table.token_offsets[first : last + 1]
        arena = self._arena[starts[0] : starts[-1] + PADDING]
        try:
            made, places = self.tokenizer.encoder.encode_arena(arena, starts - starts[0])
        except MissingByteError:
            if last - first == 1:
                return [False]
            middle = (first + last) // 2
            return self._merged(first, middle) + self._merged(middle, last)
        only = np.flatnonzero(np.diff(places) == 1)
        found = np.zeros(last - first, dtype=np.bool_)
        found[only] = made[places[only]] == only + first
        answers: list[bool] = found.tolist()
        return answers

    def _uncut(self, texts: list[str | None]) -> list[bool]:
        """Whether each text is one piece as it stands."""
        match = self.tokenizer.pattern.compiled.match
        # A line end joins with nothing, so that one look is enough for nearly all of them.
        all_left = self._may_be_left("\n".join(text for text in texts if text is not None))
        return [
            text is not None
            and (found := match(text)) is not None
            and found.end() == len(text)
            and (all_left or self.is_left(text))
            for text in texts
        ]

    def _may_be_left(self, text: str) -> bool:
        if self.form is not None and not unicodedata.is_normalized(self.form, text):
            return False
        return self._found_first is None or not self._found_first.search(text)

    def is_left(self, text: str) -> bool:
        """Whether a text comes to the pattern whole and as it is."""
        if self._may_be_left(text):
            return True
        if self.form is not None and not unicodedata.is_normalized(self.form, text):
            return False
        parts = list(self.tokenizer.prepared(text, None))
        return len(parts) == 1 and isinstance(parts[0], Cut) and parts[0].stretch.text == text

    @cached_property
    def form(self) -> Form | None:
        """The normal form that texts are brought to, where that is all that is done to them."""
        steps = self.tokenizer.rules.normalizer
        return steps[0].form if len(steps) == 1 and isinstance(steps[0], Unicode) else None

    @cached_property
    def _found_first(self) -> regex.Pattern[str] | None:
        """What is looked for in a text before it is cut."""
        rules = self.tokenizer.rules
        names = {token.content for token in rules.added} | {text for text, _ in rules.fixed}
        if self.form is not None:
            names |= {unicodedata.normalize(self.form, name) for name in names}
        names.discard("")
        longest_first = sorted(names, key=len, reverse=True)
        return regex.compile("|".join(map(regex.escape, longest_first))) if names else None


def _text(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None
