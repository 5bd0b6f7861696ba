"""A training that can be watched, stopped and continued."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.corpus import (
    Block,
    Corpus,
    CorpusFile,
    CorpusReport,
    find_files,
    read_blocks,
)
from bpe_studio.bpe.counting import CountProgress, count_words
from bpe_studio.bpe.encoder import encoded
from bpe_studio.bpe.left_out import find_left_out
from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.replay import Replay, replay
from bpe_studio.bpe.specials import roles_of
from bpe_studio.bpe.table import MergeTable, gpt2_byte_order
from bpe_studio.bpe.text_rules import PLAIN_TEXT
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.trainer import MergeBatch, StopReason, Trainer
from bpe_studio.bpe.training_record import TrainingRecord
from bpe_studio.bpe.words import WordCounts
from bpe_studio.settings import Settings


class TrainingSession:
    """One training that can be run in parts: watch it, stop it, keep what it has, go on.

    Parameters
    ----------
    corpus : Corpus, or paths of files and folders
    settings : Settings

    Attributes
    ----------
    words, held : WordCounts or None
        What is learned from, and what is held out; None before counting, and where nothing is to
        be held out.
    """

    def __init__(
        self, corpus: Corpus | Iterable[str | Path], settings: Settings | None = None
    ) -> None:
        self.settings = settings or Settings()
        self.corpus = corpus if isinstance(corpus, Corpus) else find_files(list(corpus))
        self.pattern = resolve_pattern(self.settings.pattern)
        self.report = CorpusReport()
        self.words: WordCounts | None = None
        self._trainer: Trainer | None = None
        self._counted: CountProgress | None = None
        self._table: MergeTable | None = None
        self.held: WordCounts | None = None
        self._held_merges = -1  # that `_held_replay` is of
        self._held_replay: Replay | None = None
        left_out = find_left_out(
            self.corpus.files, self.settings.without, may_lack=self._known_without()
        )
        self._counting = self._count_of(
            read_blocks(self.corpus, report=self.report, left_out=left_out)
        )

    def _count_of(self, blocks: Iterable[Block]) -> Iterator[CountProgress]:
        return count_words(
            blocks,
            self.pattern,
            document_floor=self.settings.min_documents,
            hold_out=self.settings.hold_out,
        )

    @classmethod
    def of_texts(cls, texts: Iterable[str], settings: Settings | None = None) -> TrainingSession:
        """A training on documents in memory; half a surrogate pair is a ValueError."""
        given = settings or Settings()
        session = cls(Corpus(()), replace(given, without=()))
        session.settings = given
        without = {name: name in session._known_without() for name in given.without}
        session._counting = session._count_of(_text_blocks(texts, session.report, without))
        return session

    def _known_without(self) -> tuple[str, ...]:
        """What the table to continue was trained without; another corpus need not have it."""
        start = self.settings.start
        return start.training.without if start is not None and start.training is not None else ()

    @property
    def done(self) -> bool:
        return self.stop_reason is not None

    @property
    def stop_reason(self) -> StopReason | None:
        """Why it is done: the size is reached, or no pair is left that is frequent or allowed."""
        return self._trainer.stop_reason if self._trainer else None

    @property
    def total(self) -> int | None:
        """The merges wanted in all; None before counting, since a chars base needs the corpus."""
        return self._trainer.total if self._trainer else None

    @property
    def learned(self) -> int:
        return self._trainer.learned if self._trainer else 0

    def run(self, max_merges: int | None = None) -> Iterator[CountProgress | MergeBatch]:
        """Reads and counts, then learns up to `max_merges` merges (all by default).

        Yields about every 10 ms. To stop, just stop iterating; calling `run` again goes on.

        Raises
        ------
        ValueError
            The corpus holds no text, a vocabulary too small for a chars base, and what
            `count_words` and the reader raise.
        """
        if self._trainer is None:
            yield from self._count()
        if self._trainer is not None:
            yield from self._trainer.run(max_merges)

    def _count(self) -> Iterator[CountProgress]:
        """Counts, or goes on counting; the last progress comes when the first merge can."""
        for progress in self._counting:
            if progress.words is None:
                yield progress
            else:
                self._counted = progress
        if self._counted is None or self._counted.words is None:
            raise ValueError("Reading the corpus has failed before; start the training afresh.")
        trainer = self._new_trainer(self._counted.words)
        preparing = replace(self._counted, words=None)
        for _ in trainer.prepare():
            yield preparing
        self.words, self.held, self._trainer = self._counted.words, self._counted.held, trainer
        yield self._counted

    def measure(self) -> Iterator[None]:
        """Looks how the merges so far do on what is held out; yields every few milliseconds.

        `tokenizer` does it too, at one go, where it has not been done.
        """
        if self.held is not None and self._trainer and self._held_merges != self.learned:
            merges, table = self.learned, self._learned_table(self._trainer)
            self._held_replay = yield from replay(self.held, table)
            self._held_merges = merges

    def tokenizer(self) -> Tokenizer:
        """What is learned so far, as a finished smaller table."""
        if self._trainer is None or self.words is None:
            raise ValueError("Nothing is counted yet, so there is no table.")
        settings, words, trainer = self.settings, self.words, self._trainer
        for _ in self.measure():
            pass
        _, counts, applied = trainer.record()
        specials = self._special_ids()
        return Tokenizer(
            table=self._learned_table(trainer),
            pattern=self.pattern,
            special_ids=specials,
            roles=settings.start.roles if settings.start else roles_of(specials),
            engine=settings.start.engine if settings.start else "merges",
            rules=settings.start.rules if settings.start else PLAIN_TEXT,
            training=TrainingRecord(
                counts=counts,
                applied=applied,
                settings=settings.as_written(),
                totals=_totals(words, trainer.base_symbols, applied),
                corpus={
                    "files": [{"path": f.label, "size": f.size} for f in self.report.read_files],
                    "fingerprint": self.report.fingerprint(),
                    "problems": len(self.report.problems),
                },
                **self._held_out(),
            ),
        )

    def _held_out(self) -> dict[str, Any]:
        """What the record has of the documents that were held out."""
        if self.held is None or self._held_replay is None:
            return {}
        return {
            "held_out": self._held_replay.applied,
            "held_out_totals": _totals(self.held, *self._held_replay),
        }

    def _learned_table(self, trainer: Trainer) -> MergeTable:
        # On top of the table of the last time: a window asks again and again.
        last = self._table or trainer.table
        self._table = last.extended(trainer.record()[0][len(last.merges) :])
        return self._table

    def _first_problem(self) -> str:
        return next((f"{p.label}: {p.message}" for p in self.report.problems), "")

    def _nothing_left(self, documents: int) -> str:
        were = "document was" if documents == 1 else "documents were"
        return (
            f"hold_out {self.settings.hold_out:g} leaves nothing to learn from: {documents:,} "
            f"{were} held out, and no other has text; ask for another share."
        )

    def _held_any(self) -> bool:
        held = self._counted.held if self._counted else None
        return held is not None and len(held) > 0

    def _special_ids(self) -> dict[str, int]:
        if self.settings.start is not None:
            return dict(self.settings.start.special_ids)
        return {name: number for number, name in enumerate(self.settings.specials)}

    def _new_trainer(self, words: WordCounts) -> Trainer:
        if not len(words):
            if self.report.left_out_files + self.report.left_out_rows and not self._held_any():
                raise ValueError(
                    "without leaves nothing to learn from: no other file of the corpus has text."
                )
            held = self._counted.held if self._counted else None
            raise ValueError(
                self._nothing_left(held.documents)
                if held is not None and len(held)
                else "The corpus holds no text: "
                + (self._first_problem() or "no file with text was found.")
            )
        settings = self.settings
        table = settings.start.table if settings.start else _base_table(settings, words)
        specials = len(self._special_ids())
        smallest = len(table) + specials
        if settings.vocab_size < smallest:
            raise ValueError(
                f"vocab_size {settings.vocab_size:,} is too small: {specials} specials, 256 bytes "
                f"and {len(table.char_ids):,} other characters of the corpus, so the smallest is "
                f"{smallest:,}."
            )
        first_id = settings.start.id_bound if settings.start else smallest
        return Trainer(
            words,
            table,
            first_id=first_id,
            total=len(table.merges) + settings.vocab_size - smallest,
            min_freq=settings.min_freq,
            ties=settings.ties,
            rules=settings.merge_rules,
        )


def _totals(words: WordCounts, base_symbols: int, applied: NDArray[np.int64]) -> dict[str, int]:
    return {
        "documents": words.documents,
        "characters": words.characters,
        "bytes": words.bytes,
        "pieces": words.pieces,
        "distinct_pieces": len(words),
        "base_symbols": base_symbols,
        "tokens": base_symbols - int(applied.sum()),
    }


def _text_blocks(
    texts: Iterable[str], report: CorpusReport, without: dict[str, bool]
) -> Iterator[Block]:
    """The texts as "text 1", …; `without` are names, and whether each may stand for nothing."""
    size = 0
    lacking = {name for name, may_lack in without.items() if not may_lack}
    for number, text in enumerate(texts):
        label = f"text {number + 1}"
        if label in without:
            report.left_out_files += 1
            lacking.discard(label)
            continue
        data = encoded(text)
        size += len(data)
        report.add_text(data, last=True)
        report.read_files.append(CorpusFile(Path(), label, len(data)))
        yield Block(document=number, file=number, data=data, last=True, bytes_read=size)
    if lacking:
        raise ValueError(f"without {min(lacking)!r} names no text; they are 'text 1', 'text 2', ….")


def _base_table(settings: Settings, words: WordCounts) -> MergeTable:
    """The base symbols: 256 bytes, and for a chars base the corpus's other characters."""
    first = len(settings.specials)
    order = gpt2_byte_order() if settings.byte_order == "gpt2" else range(256)
    byte_ids = np.empty(256, dtype=np.int32)
    byte_ids[list(order)] = np.arange(first, first + 256)
    chars: list[str] = []
    if settings.base == "chars":
        chars = sorted(char for char in words.alphabet() if char > "\x7f")
    return MergeTable.build(
        base=settings.base,
        byte_ids=byte_ids.tolist(),
        char_ids={char: first + 256 + number for number, char in enumerate(chars)},
    )
