"""The distinct pieces that one thread has met, and the tokens of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.arrays import longer
from bpe_studio.bpe.encoder import Encoder
from bpe_studio.bpe.runs import Run
from bpe_studio.bpe.scanner import rules_of
from bpe_studio.bpe.word_table import BATCH, WordTable

if TYPE_CHECKING:
    from bpe_studio.kernels.scan import Rules
    from bpe_studio.kernels.tally import Items, Known, Tally

__all__ = ["PieceBook", "RunUse"]

_MORE: Final = 1 << 14


class RunUse(NamedTuple):
    """What the documents of a run use: see `kernels.tally`.

    Attributes
    ----------
    uses : USE array
    borders : int64 array, shape (documents + 1,)
    items : Items
    specials : int
        How many tokens are none of the table's.
    fails : bool
        Whether there may be items that decoding does not give back.
    counted : bool
        Whether their uses are counted already, apart from documents.
    """

    uses: NDArray[Any]
    borders: NDArray[np.int64]
    items: Items
    specials: int = 0
    fails: bool = False
    counted: bool = True


class PieceBook:
    """Reads runs as pieces, each of which is encoded when it is met first.

    Parameters
    ----------
    encoder : Encoder
        Its pattern is a preset.
    known : Known
    """

    def __init__(self, encoder: Encoder, known: Known) -> None:
        from bpe_studio.kernels import piece_use, tally

        rules = rules_of(encoder.pattern)
        assert rules is not None
        self._kernel: Any = piece_use
        self._tally: Any = tally
        self._encoder = encoder
        self._known = known
        self._rules: Rules = rules
        self._words = WordTable()
        self._ends = np.empty(BATCH, dtype=np.int64)
        self._last_in = np.zeros(_MORE, dtype=np.int64)
        self._uses = np.empty(0, dtype=piece_use.USE)
        self._pieces = self._tokens = 0
        self._fails = False
        self._items = tally.Items(
            starts=np.zeros(1, dtype=np.int64),
            tokens=np.zeros(0, dtype=np.int32),
            lengths=np.zeros(0, dtype=np.int32),
            scripts=np.zeros(0, dtype=np.uint8),
            wrong=np.zeros(0, dtype=np.bool_),
        )

    def read(self, run: Run) -> RunUse:
        """The pieces that the documents of a run use; good until the next one is read.

        Raises
        ------
        MissingByteError
            The table lacks a byte.
        """
        if len(self._uses) < len(run.data):
            self._uses = np.empty(len(run.data), dtype=self._kernel.USE)
        state = np.zeros(2, dtype=np.int64)
        borders = np.zeros(len(run.documents) + 1, dtype=np.int64)
        while self._kernel.use_texts(
            run.data, run.documents, state, self._rules, self._ends,
            self._words.table, self._words.scratch, self._last_in, self._uses, borders,
        ) != self._kernel.DONE:  # fmt: skip
            self._words.grow()
            self._last_in = longer(self._last_in, len(self._words.table.entries) // 3)
        if len(self._words) > self._pieces:
            self._encode_new()
        return RunUse(self._uses, borders, self._items, fails=self._fails)

    def tally(self, tally: Tally) -> None:
        """Adds how often all pieces were used."""
        from bpe_studio.kernels.count import COUNT, ENTRY_WORDS

        counts = self._words.table.entries[COUNT:]
        pieces = len(self._words)
        self._tally.tally_items(self._items, pieces, counts, ENTRY_WORDS, self._known, tally)

    def _encode_new(self) -> None:
        """Encodes the pieces that came last."""
        data, offsets = self._words.pieces_from(self._pieces)
        tokens, bounds = self._encoder.encode_arena_cut(data, offsets)
        first, pieces = self._pieces, len(self._words)
        begin, end = self._tokens, self._tokens + len(tokens)
        items = self._with_room(pieces, end)
        items.tokens[begin:end] = tokens
        items.lengths[begin:end] = np.diff(bounds)
        scripts = items.scripts[begin:end]
        self._tally.find_scripts(tokens, bounds[:-1], bounds[1:], data, self._known, scripts)
        self._tally.add_items(items, first, begin, data, offsets, self._known)
        self._items = items
        self._fails |= bool(items.wrong[first:pieces].any())
        self._pieces, self._tokens = pieces, end

    def _with_room(self, pieces: int, tokens: int) -> Items:
        old = self._items
        items: Items = self._tally.Items(
            starts=longer(old.starts, pieces + 1),
            tokens=longer(old.tokens, tokens),
            lengths=longer(old.lengths, tokens),
            scripts=longer(old.scripts, tokens),
            wrong=longer(old.wrong, pieces),
        )
        return items
