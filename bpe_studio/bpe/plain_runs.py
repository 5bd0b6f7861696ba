"""Which runs of text a tokenizer reads by its pattern and merges alone: nearly all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Literal
from unicodedata import is_normalized, normalize

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.edits import Unicode
from bpe_studio.bpe.encoder import Encoding
from bpe_studio.bpe.runs import Run
from bpe_studio.bpe.scanner import rules_of
from bpe_studio.bpe.text_rules import PLAIN_TEXT
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["PlainRuns", "Way", "dense_tokens", "encode_documents"]

Way = Literal["pieces", "segments", "composed", "texts"]


class PlainRuns:
    """Tells in which way a run can be read: the shortest that a tokenizer allows."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        rules = tokenizer.rules
        scanned = tokenizer.outside is None and rules_of(tokenizer.pattern) is not None
        self._is_plain = scanned and not tokenizer.edits_text
        # Text that is composed already is left as it is: nearly all is.
        rest = replace(rules, added=(), normalizer=(), strip_left=0)
        self._composes = scanned and rules.normalizer == (Unicode("NFC"),) and rest == PLAIN_TEXT

    @property
    def ever_pieces(self) -> bool:
        """Whether any run can be read as pieces."""
        return self._is_plain or self._composes

    def way(self, raw: bytes) -> Way:
        """How to read a text.

        As ``"pieces"`` by scanning and merging alone; as ``"segments"`` where added tokens stand
        between such pieces; as ``"composed"`` where these are pieces of the text in NFC; as
        ``"texts"`` with all that the tokenizer does.
        """
        if not self.ever_pieces:
            return "texts"
        if self._may_have_added(raw):
            return "segments" if self._is_plain else "texts"
        if self._is_plain or _is_composed(raw):
            return "pieces"
        composed = normalize("NFC", raw.decode()).encode()
        return "texts" if self._may_have_added(composed) else "composed"

    def _may_have_added(self, raw: bytes) -> bool:
        """Whether a text spells a token that is found in every text."""
        return any(raw.find(begin) >= 0 for begin in self._beginnings) and bool(
            self._spelled.search(raw)
        )

    @cached_property
    def _added(self) -> list[bytes]:
        texts = [token.content for token in self._tokenizer.rules.added]
        if self._composes:
            texts += [normalize("NFC", text) for text in texts]
        return [text.encode() for text in dict.fromkeys(texts)]

    @cached_property
    def _beginnings(self) -> set[bytes]:
        # Two bytes are rare in a text, and quickly looked for.
        return {content[:2] for content in self._added}

    @cached_property
    def _spelled(self) -> re.Pattern[bytes]:
        return re.compile(b"|".join(map(re.escape, self._added)))


def encode_documents(
    tokenizer: Tokenizer, run: Run, raw: bytes, go_on: Callable[[], bool]
) -> Iterator[tuple[int, bytes, Encoding]]:
    """Where each document of a run begins, its text, and what it is encoded to."""
    begin = 0
    for end in run.documents.tolist():
        # What nobody waits for any more is as good as empty.
        part = raw[begin:end] if go_on() else b""
        yield begin, part, tokenizer.encode_with_offsets(part.decode())
        begin = end


def dense_tokens(tokenizer: Tokenizer, ids: NDArray[np.int32]) -> NDArray[np.int32]:
    """The dense number of each id; -1 for what is no token of the table."""
    known = tokenizer.table.ids
    if not len(known):
        return np.full(len(ids), -1, dtype=np.int32)
    places = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    return np.where(known[places] == ids, places, -1).astype(np.int32)


def _is_composed(raw: bytes) -> bool:
    return raw.isascii() or is_normalized("NFC", raw.decode())
