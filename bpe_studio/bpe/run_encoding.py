"""Runs of text → what their documents use, by the shortest way that a tokenizer allows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any
from unicodedata import is_normalized, normalize

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.edits import Unicode
from bpe_studio.bpe.piece_book import PieceBook, RunUse
from bpe_studio.bpe.runs import Run
from bpe_studio.bpe.scanner import PADDING, rules_of
from bpe_studio.bpe.text_rules import PLAIN_TEXT
from bpe_studio.bpe.tokenizer import Tokenizer

if TYPE_CHECKING:
    from bpe_studio.kernels.tally import Known, Tally

__all__ = ["RunReader"]


class RunReader:
    """Reads runs, for one thread, as long as `go_on` says so."""

    def __init__(self, tokenizer: Tokenizer, known: Known, go_on: Callable[[], bool]) -> None:
        from bpe_studio.kernels import piece_use, tally

        self._use: Any = piece_use
        self._tally: Any = tally
        self._tokenizer = tokenizer
        self._known = known
        self._go_on = go_on
        rules = tokenizer.rules
        scanned = tokenizer.outside is None and rules_of(tokenizer.pattern) is not None
        self._is_plain = scanned and not tokenizer.edits_text
        # Text that is composed already is left as it is: nearly all is.
        rest = replace(rules, added=(), normalizer=(), strip_left=0)
        self._composes = scanned and rules.normalizer == (Unicode("NFC"),) and rest == PLAIN_TEXT

    def read(self, run: Run) -> RunUse:
        """What the documents of a run use; good until the next one is read."""
        raw = run.data[:-PADDING].tobytes()
        plain = self._is_plain or (
            self._composes and (raw.isascii() or is_normalized("NFC", raw.decode()))
        )
        if plain and not self._may_have_added(raw):
            return self._book.read(run)
        return self._read_texts(run, raw)

    @cached_property
    def _book(self) -> PieceBook:
        return PieceBook(self._tokenizer.encoder, self._known)

    def _read_texts(self, run: Run, raw: bytes) -> RunUse:
        """Document by document, with all that the tokenizer does; every token is an item."""
        ids, spans, borders, failed = [], [], [0], []
        begin = 0
        for end in run.documents.tolist():
            # What nobody waits for any more is as good as empty.
            part = raw[begin:end] if self._go_on() else b""
            found = self._tokenizer.encode_with_offsets(part.decode())
            ids.append(found.ids)
            spans.append(found.offsets + begin)
            borders.append(borders[-1] + len(found))
            failed.append(self._tokenizer.decode_bytes(found.ids.tolist()) != part)
            begin = end
        tokens = self._dense(np.concatenate(ids))
        places = np.concatenate(spans).astype(np.int64)
        starts, ends = (np.ascontiguousarray(side) for side in places.T)
        scripts = np.empty(len(tokens), dtype=np.uint8)
        self._tally.find_scripts(tokens, starts, ends, run.data, self._known, scripts)
        uses = np.empty(len(tokens), dtype=self._use.USE)
        uses["piece"], uses["count"], uses["place"] = np.arange(len(tokens)), 1, starts
        items = self._tally.Items(
            starts=np.arange(len(tokens) + 1, dtype=np.int64),
            tokens=tokens,
            lengths=(ends - starts).astype(np.int32),
            scripts=scripts,
            wrong=np.repeat(failed, np.diff(borders)),
        )
        return RunUse(
            uses,
            np.array(borders, dtype=np.int64),
            items,
            specials=int(np.count_nonzero(tokens < 0)),
            fails=any(failed),
            counted=False,
        )

    def tally(self, tally: Tally) -> None:
        """Adds how often the pieces were used that were read as pieces."""
        if "_book" in self.__dict__:
            self._book.tally(tally)

    def _dense(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        known = self._tokenizer.table.ids
        places = np.minimum(np.searchsorted(known, ids), len(known) - 1)
        return np.where(known[places] == ids, places, -1).astype(np.int32)

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
