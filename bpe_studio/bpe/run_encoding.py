"""Runs of text → the tokens of their documents, by the shortest way that a tokenizer allows."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple
from unicodedata import is_normalized, normalize

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.edits import Unicode
from bpe_studio.bpe.runs import Run
from bpe_studio.bpe.scanner import PADDING, rules_of
from bpe_studio.bpe.text_rules import PLAIN_TEXT
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["EncodedRun", "RunEncoder"]


class EncodedRun(NamedTuple):
    """The tokens of the documents in a run.

    Attributes
    ----------
    tokens : int32 array, shape (n,)
        Dense; -1 for a special.
    starts, ends : int64 arrays, shape (n,)
        Where each begins and ends in the run, in bytes.
    borders : int64 array, shape (documents + 1,)
        Document i is ``tokens[borders[i] : borders[i + 1]]``.
    tiles : bool
        Whether the tokens' own bytes should be the text.
    failed : tuple of int
        Where that cannot be asked of the bytes: the documents in the run, from 0, that decoding
        does not give back.
    """

    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    borders: NDArray[np.int64]
    tiles: bool
    failed: tuple[int, ...] = ()


class RunEncoder:
    """Encodes runs; safe to share between threads."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.lengths = np.diff(tokenizer.table.token_offsets).astype(np.int32)
        rules = tokenizer.rules
        may_scan = tokenizer.outside is None and rules_of(tokenizer.pattern) is not None
        self._is_plain = may_scan and not tokenizer.edits_text
        # Text that is composed already is left as it is: nearly all is.
        rest = replace(rules, added=(), normalizer=(), strip_left=0)
        self._composes = rules.normalizer == (Unicode("NFC"),) and rest == PLAIN_TEXT and may_scan

    def encode(self, run: Run) -> EncodedRun:
        """The tokens of a run."""
        raw = run.data[:-PADDING].tobytes()
        plain = self._is_plain or (
            self._composes and (raw.isascii() or is_normalized("NFC", raw.decode()))
        )
        if plain and not self._may_have_added(raw):
            return self._encode_plain(run)
        return self._encode_texts(run, raw)

    def _encode_plain(self, run: Run) -> EncodedRun:
        from bpe_studio.kernels.encode import add_lengths

        tokens, borders = self.tokenizer.encoder.encode_run(run.data, run.documents)
        bounds = np.empty(len(tokens) + 1, dtype=np.int64)
        add_lengths(tokens, self.lengths, bounds)
        return EncodedRun(tokens, bounds[:-1], bounds[1:], borders, tiles=True)

    def _encode_texts(self, run: Run, raw: bytes) -> EncodedRun:
        """Document by document, with all that the tokenizer does."""
        ids, spans, borders, failed = [], [], [0], []
        begin = 0
        for number, end in enumerate(run.documents.tolist()):
            part = raw[begin:end]
            found = self.tokenizer.encode_with_offsets(part.decode())
            ids.append(found.ids)
            spans.append(found.offsets + begin)
            borders.append(borders[-1] + len(found))
            if self.tokenizer.decode_bytes(found.ids.tolist()) != part:
                failed.append(number)
            begin = end
        joined = np.concatenate(ids)
        places = np.concatenate(spans).astype(np.int64)
        return EncodedRun(
            self._dense(joined),
            np.ascontiguousarray(places[:, 0]),
            np.ascontiguousarray(places[:, 1]),
            np.array(borders, dtype=np.int64),
            tiles=False,
            failed=tuple(failed),
        )

    def _dense(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        known = self.tokenizer.table.ids
        places = np.minimum(np.searchsorted(known, ids), len(known) - 1)
        return np.where(known[places] == ids, places, -1).astype(np.int32)

    def _may_have_added(self, raw: bytes) -> bool:
        """Whether a text spells a token that is found in every text."""
        return any(raw.find(begin) >= 0 for begin in self._beginnings) and bool(
            self._spelled.search(raw)
        )

    @cached_property
    def _added(self) -> list[bytes]:
        texts = [token.content for token in self.tokenizer.rules.added]
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
