"""A training session without kernels: it counts and merges at the pace that a test wants."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bpe_studio.api import Settings
from bpe_studio.bpe.corpus import CorpusReport
from bpe_studio.bpe.counting import CountProgress
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.trainer import MergeBatch
from tests.gui.small_tables import PROSE, small_tokenizer


@dataclass
class FakeSession:
    """Learns the merges of `small_tokenizer`, `batch` at a time, with a pause before each yield."""

    merges: int = 20
    batch: int = 2
    pause: float = 0.0
    read: tuple[int, ...] = (10, 15)  # bytes, of the 20 that the tests have
    error: Exception | None = None
    corpus: Any = None
    settings: Any = field(default_factory=Settings)
    report: CorpusReport = field(default_factory=CorpusReport)
    words: Any = None
    learned: int = 0
    stop_reason: str | None = None

    def __post_init__(self) -> None:
        self.whole = small_tokenizer(merges=self.merges)
        self.total = len(self.whole.table.merges)

    @property
    def done(self) -> bool:
        return self.stop_reason is not None

    def run(self, max_merges: int | None = None) -> Iterator[Any]:
        if self.words is None:
            for read in self.read:
                time.sleep(self.pause)
                yield CountProgress(
                    bytes_read=read, documents=1, pieces=read, distinct=3, words=None
                )
            if self.error is not None:
                raise self.error
            self.words = PROSE
            yield CountProgress(bytes_read=30, documents=1, pieces=30, distinct=3, words=self.words)
        limit = self.total if max_merges is None else min(self.total, self.learned + max_merges)
        while self.learned < limit:
            time.sleep(self.pause)
            first, last = self.learned, min(limit, self.learned + self.batch)
            self.learned = last
            if last == self.total:
                self.stop_reason = "vocab_size"
            record = self.whole.training
            yield MergeBatch(
                first_rank=first,
                merges=self.whole.table.merges[first:last],
                counts=record.counts[first:last],
                applied=record.applied[first:last],
                total=self.total,
            )

    def measure(self) -> Iterator[None]:
        return iter(())

    def tokenizer(self) -> Tokenizer:
        assert self.words is not None
        return small_tokenizer(merges=self.learned)
