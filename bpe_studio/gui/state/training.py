"""One training at a time, as the window sees it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from bpe_studio.gui.job import Job
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.kernels import KernelState
from bpe_studio.gui.state.offer import Offer, continued_stem, followed, offer, short_size
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.pace import Pace
from bpe_studio.gui.state.training_run import (
    Measuring,
    Snapshot,
    TrainingRun,
    Waiting,
    joined,
    new_session,
)

if TYPE_CHECKING:
    from bpe_studio.api import TrainingSession
    from bpe_studio.bpe.corpus import Problem
    from bpe_studio.bpe.counting import CountProgress
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.bpe.trainer import MergeBatch
    from bpe_studio.bpe.words import WordCounts

RUNNING = frozenset({"compiling", "counting", "preparing", "merging", "stopping"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far the training is: `done` of `total` bytes (counting) or merges (merging).

    The pieces are those that are learned from; what is held out is told apart. The seconds are
    those that compiling the kernels has taken.
    """

    phase: str = "idle"
    done: int = 0
    total: int = 0
    rate: float = 0.0
    seconds_left: float | None = None
    pieces: int = 0
    distinct: int = 0
    held_documents: int = 0
    held_bytes: int = 0
    seconds: int = 0


class TrainingState(QObject):
    """Starts, stops, steps and continues a training, and tells how far it is.

    `phase` is "idle", "compiling" (the kernels, on first use), "counting", "preparing" (what is
    counted is laid out), "merging", "stopping", then "stopped" (it can go on) or "done".

    Signals
    -------
    phaseChanged(str)
        The new phase.
    progressed(object)
        A `Progress`, at most 30 times a second.
    batchArrived(object)
        A `MergeBatch`, at most 30 times a second.
    failed(str)
        The training ended with an error; what was learned stays.
    finished()
        The training ended: done, stopped or failed.
    offerChanged()
        Another table is current, or it is not as it was: `offer` may say something else.
    """

    phaseChanged = Signal(str)
    progressed = Signal(object)
    batchArrived = Signal(object)
    failed = Signal(str)
    finished = Signal()
    offerChanged = Signal()

    def __init__(
        self,
        *,
        corpus: CorpusState,
        tables: OpenTables,
        kernels: KernelState,
        make_session: Any = new_session,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.corpus = corpus
        self._tables = tables
        self._kernels = kernels
        self._make_session = make_session
        self._begins_with: Tokenizer | None = None
        self._phase = "idle"
        self._progress = Progress()
        self._pace = Pace()
        self._job: Job | None = None
        self._run: TrainingRun | None = None
        self._table: OpenTable | None = None
        self._name = self._stem = ""
        self._corpus_bytes = 0
        self._session: TrainingSession | None = None
        tables.currentChanged.connect(lambda _: self.offerChanged.emit())
        tables.changed.connect(self.offerChanged)

    @property
    def phase(self) -> str:
        """Where the training is."""
        return self._phase

    @property
    def running(self) -> bool:
        """Whether something is being counted or merged."""
        return self._phase in RUNNING

    @property
    def progress(self) -> Progress:
        """How far it is."""
        return self._progress

    @property
    def session(self) -> TrainingSession | None:
        """The session, once it has counted."""
        return self._session

    @property
    def table(self) -> OpenTable | None:
        """The open table that this training makes."""
        return self._table

    @property
    def words(self) -> WordCounts | None:
        """The counted pieces, once they are counted."""
        return self._session.words if self._session is not None else None

    @property
    def problems(self) -> list[Problem]:
        """What could not be read, file by file."""
        if self._session is not None:
            return list(self._session.report.problems)  # those of the walk come first
        return list(self.corpus.corpus.problems) if self.corpus.corpus is not None else []

    @property
    def followed(self) -> dict[str, Any] | None:
        """The settings that follow the table that is being continued; None for a new one."""
        return followed(self._begins_with) if self._begins_with is not None else None

    @property
    def has_table(self) -> bool:
        """Whether a table is open, to go on from."""
        return self._tables.current is not None

    def offer(self, settings: Mapping[str, Any]) -> Offer:
        """What Continue would do now; nothing while something is learned."""
        if self.running:
            return Offer()
        return offer(self._tables.current, self.corpus.corpus, settings)

    def start(
        self,
        settings: Mapping[str, Any],
        *,
        max_merges: int | None = None,
        stem: str | None = None,
    ) -> None:
        """Train a new table on the corpus; with `max_merges`, stop after so many.

        `stem` is what its name begins with, by default the name of the corpus; its size follows.
        """
        self._start(settings, f"{self.corpus.name}-" if stem is None else stem, max_merges)

    def _start(self, settings: Mapping[str, Any], stem: str, max_merges: int | None) -> None:
        corpus = self.corpus.corpus
        if self.running or corpus is None:
            return
        self._begins_with = settings.get("start")
        self._corpus_bytes = corpus.total_bytes  # a sum over all its files
        self._table = self._session = None
        self._stem, self._name = stem, f"{stem}{short_size(settings.get('vocab_size', 0))}"
        make = self._make_session
        self._begin(lambda: make(corpus, settings), max_merges)

    def stop(self) -> None:
        """End at the next occasion and keep what is learned; answers within 100 ms."""
        if self._run is not None and self.running:
            self._run.stop.set()
            self._set_phase("stopping")

    def step(self, settings: Mapping[str, Any]) -> None:
        """Learn one merge more; begins a training where there is no table that could go on."""
        if not self.continue_(settings, max_merges=1) and self.steps_anew:
            self.start(settings, max_merges=1)

    @property
    def steps_anew(self) -> bool:
        """Whether Step may begin a training: not where the table at hand was trained here."""
        current = self._tables.current
        return current is None or current.session is None

    def continue_(self, settings: Mapping[str, Any], *, max_merges: int | None = None) -> bool:
        """Do what `offer` says; False if that is nothing."""
        found, table = self.offer(settings), self._tables.current
        if found.kind == "session":
            self._table, self._session = table, table.session
            self._begins_with = table.tokenizer
            self._begin(self._session, max_merges)
        elif found.kind == "table":
            self._start(found.settings, continued_stem(table.name), max_merges)
        return bool(found.kind)

    def close(self, milliseconds: int) -> bool:
        """Cancel and wait; False if the thread has not ended in time."""
        if self._job is None:
            return True
        self._job.cancel()
        return self._job.wait(milliseconds)

    def _begin(self, session: Any, max_merges: int | None) -> None:
        self._pace = Pace()
        self._progress = Progress()
        self._run = TrainingRun(session, self._kernels.ready, max_merges)
        self._set_phase("counting" if self._session is None else "merging")
        job = self._job = Job(self._run.events(), self)
        job.yielded.connect(self._take)
        job.finished.connect(self._finish)
        job.failed.connect(self._fail)
        job.cancelled.connect(lambda: self._end("stopped"))
        job.ended.connect(job.deleteLater)

    def _take(self, events: Iterable[Any]) -> None:
        batches: list[MergeBatch] = []
        for event in events:
            if isinstance(event, Snapshot):
                self._tell(batches)
                batches = []
                self._keep(event)
            elif isinstance(event, Waiting):
                self._wait()
            elif hasattr(event, "merges"):
                batches.append(event)
            elif not isinstance(event, Measuring):
                self._count(event)
        self._tell(batches)

    def _wait(self) -> None:
        """Tell once a second for how long the kernels have been compiled."""
        self._set_phase("compiling")
        told = Progress(phase="compiling", seconds=self._kernels.seconds)
        if self._phase == "compiling" and told != self._progress:
            self._progress = told
            self.progressed.emit(told)

    def _count(self, event: CountProgress) -> None:
        total = self._corpus_bytes
        if event.words is None:  # the last one has them; then all is laid out
            self._set_phase("counting" if event.bytes_read < total else "preparing")
        names = ("pieces", "distinct", "held_documents", "held_bytes")
        self._advance(event.bytes_read, total, **{name: getattr(event, name) for name in names})

    def _tell(self, batches: list[MergeBatch]) -> None:
        if not batches or self._table is None:
            return
        batch = joined(batches)
        self._set_phase("merging")
        self._advance(batch.first_rank + len(batch.merges), batch.total)
        self._tables.grow(self._table, batch)
        self.batchArrived.emit(batch)

    def _advance(self, done: int, total: int, **more: int) -> None:
        self._pace.note(done, time.monotonic())
        self._progress = Progress(
            phase=self._phase,
            done=done,
            total=total,
            rate=self._pace.rate,
            seconds_left=self._pace.seconds_left(total),
            **more,
        )
        self.progressed.emit(self._progress)

    def _keep(self, snapshot: Snapshot) -> None:
        self._session = snapshot.session
        if self._table is None or self._tables.index(self._table) < 0:
            self._table = self._tables.add(
                OpenTable(
                    tokenizer=snapshot.tokenizer,
                    name=self._name,
                    stem=self._stem,
                    dirty=True,
                    session=snapshot.session,
                )
            )
        else:
            self._tables.set_tokenizer(self._table, snapshot.tokenizer)

    def _finish(self, snapshot: object) -> None:
        if not isinstance(snapshot, Snapshot):  # it was stopped before all was counted
            self._end("stopped" if self._table is not None else "idle")
            return
        self._keep(snapshot)
        self._end("done" if snapshot.session.done else "stopped")

    def _fail(self, sentence: str) -> None:
        self._end("stopped" if self._table is not None else "idle")
        self.failed.emit(sentence)

    def _end(self, phase: str) -> None:
        self._job = self._run = None
        if self._table is not None and self._table.stem:  # by what it holds, not what was wanted
            size = short_size(self._table.tokenizer.vocab_size)
            self._tables.rename(self._table, f"{self._table.stem}{size}")
        self._set_phase(phase)
        self.finished.emit()

    def _set_phase(self, phase: str) -> None:
        if self._phase == "stopping" and phase in RUNNING:
            return
        if phase != self._phase:
            self._phase = phase
            self._pace = Pace()
            self.phaseChanged.emit(phase)
