"""Runs of text → what their documents use, by the shortest way that a tokenizer allows."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bpe_studio.bpe.piece_book import PieceBook, RunUse
from bpe_studio.bpe.plain_runs import PlainRuns, dense_tokens, encode_documents
from bpe_studio.bpe.runs import Run
from bpe_studio.bpe.scanner import PADDING
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
        self._plain = PlainRuns(tokenizer)

    def read(self, run: Run) -> RunUse:
        """What the documents of a run use; good until the next one is read."""
        raw = run.data[:-PADDING].tobytes()
        if self._plain.way(raw) == "pieces":
            return self._book.read(run)
        return self._read_texts(run, raw)

    @cached_property
    def _book(self) -> PieceBook:
        return PieceBook(self._tokenizer.encoder, self._known)

    def _read_texts(self, run: Run, raw: bytes) -> RunUse:
        """Document by document, with all that the tokenizer does; every token is an item."""
        ids, spans, borders, failed = [], [], [0], []
        for begin, part, found in encode_documents(self._tokenizer, run, raw, self._go_on):
            ids.append(found.ids)
            spans.append(found.offsets + begin)
            borders.append(borders[-1] + len(found))
            failed.append(self._tokenizer.decode_bytes(found.ids.tolist()) != part)
        tokens = dense_tokens(self._tokenizer, np.concatenate(ids))
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
