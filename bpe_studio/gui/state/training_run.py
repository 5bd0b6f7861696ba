"""What a training's Job runs: a generator that counts, merges and takes snapshots."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from bpe_studio.api import TrainingSession
    from bpe_studio.bpe.corpus import Corpus
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.bpe.trainer import MergeBatch

SNAPSHOT_SECONDS = 1.0
SNAPSHOT_SHARE = 20  # snapshots may take 1/20 of the time
WAIT_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Waiting:
    """The kernels are still being compiled."""


@dataclass(frozen=True, slots=True)
class Measuring:
    """The documents that are held out are encoded with what is learned so far."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What is learned so far, as a finished smaller table."""

    tokenizer: Tokenizer
    session: TrainingSession


class TrainingRun:
    """One run of a session, until its end, `max_merges`, or `stop`.

    `events` yields `Waiting`, what the session yields, `Measuring` and a `Snapshot` after counting
    and then about once a second; it returns the last snapshot, or None if nothing was counted.
    """

    def __init__(self, session: Any, ready: threading.Event, max_merges: int | None) -> None:
        self.stop = threading.Event()
        self._session = session  # a TrainingSession, or a function that makes one
        self._ready = ready
        self._max_merges = max_merges

    def events(self) -> Generator[Any, None, Snapshot | None]:
        """The generator for the Job."""
        while not self._ready.wait(WAIT_SECONDS):
            if self.stop.is_set():
                return None
            yield Waiting()
        session = self._session() if callable(self._session) else self._session
        due = time.monotonic() + SNAPSHOT_SECONDS if session.words is not None else 0.0
        for event in session.run(max_merges=self._max_merges):
            yield event
            if self.stop.is_set():
                break
            now = time.monotonic()
            if session.words is not None and now >= due:
                yield from self._measure(session, until_stop=True)
                if self.stop.is_set():
                    break
                yield Snapshot(session.tokenizer(), session)
                took = time.monotonic() - now
                due = now + max(SNAPSHOT_SECONDS, SNAPSHOT_SHARE * took)
        if session.words is None:
            return None
        yield from self._measure(session, until_stop=False)
        return Snapshot(session.tokenizer(), session)

    def _measure(self, session: Any, *, until_stop: bool) -> Generator[Measuring, None, None]:
        """Look how it does on what is held out, in slices: the job may be cancelled meanwhile."""
        for _ in session.measure():
            yield Measuring()
            if until_stop and self.stop.is_set():
                return


def new_session(corpus: Corpus, settings: Mapping[str, Any]) -> TrainingSession:
    """A session with these settings; imported late, for the engine brings numba with it."""
    from bpe_studio import api

    return api.TrainingSession(corpus, api.settings_for(**settings))


def joined(batches: list[MergeBatch]) -> MergeBatch:
    """Several batches that follow each other, as one."""
    if len(batches) == 1:
        return batches[0]
    return replace(
        batches[0],
        merges=np.concatenate([batch.merges for batch in batches]),
        counts=np.concatenate([batch.counts for batch in batches]),
        applied=np.concatenate([batch.applied for batch in batches]),
        total=batches[-1].total,
    )
