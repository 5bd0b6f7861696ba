"""The work behind Explain: one question at a time, and what is found out after its answer."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from bpe_studio.analysis.earned import EarnedProgress, iter_earned
from bpe_studio.analysis.explain import PieceStory
from bpe_studio.analysis.history import History
from bpe_studio.analysis.proof import Proof, iter_proof
from bpe_studio.gui.job import Job
from bpe_studio.gui.models.telling import Told, tell_window

if TYPE_CHECKING:
    from bpe_studio.bpe.corpus import Corpus

Work = Generator[object, None, object]


class Explaining(QObject):
    """Holds what is told, and the jobs that find it out.

    Signals
    -------
    answered(object)
        A `Told`, the answer to another question.
    grown(object)
        The same `Told` with more in it: the proof, another window of a piece, or the pieces of
        the corpus that earned the token.
    failed(str)
        There is no answer; why, in a sentence.
    earning(object)
        An `EarnedProgress` of the corpus that is looked through, or None at its beginning.
    earningEnded(str)
        It is looked through no longer, without a result; why, where there is more to say.
    """

    answered = Signal(object)
    grown = Signal(object)
    failed = Signal(str)
    earning = Signal(object)
    earningEnded = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.told: Told | None = None
        self._jobs: dict[str, Job] = {}
        self._place = 0

    def ask(self, telling: Generator[object, None, Told]) -> None:
        """Find out something else; what was going on for the last question is given up."""
        self._drop_all()
        self._run("tell", telling, self._on_told, self._on_failed)

    def forget(self) -> None:
        """Tell nothing."""
        self._drop_all()
        self.told = None

    def show_window(self, place: int, character: int) -> None:
        """Tell another window of a long piece, the one around a character of the text."""
        if self.told is not None:
            self._place = place
            work = tell_window(self.told.tokenizer, self.told.text, character)
            self._run("window", work, self._on_window, self._on_no_window)

    def find_earned(self, corpus: Corpus) -> None:
        """Look through a corpus for the pieces that earned the token its place."""
        if self.told is not None and self.told.history is not None:
            work = iter_earned(self.told.tokenizer, self.told.history.token, corpus)
            job = self._run("earned", work, self._on_earned, self._on_earning_failed)
            job.yielded.connect(self._on_earning)
            self.earning.emit(None)

    def cancel_earned(self) -> None:
        """Stop looking through the corpus."""
        if self._drop("earned"):
            self.earningEnded.emit("")

    # Jobs

    def _run(
        self,
        name: str,
        work: Work,
        done: Callable[[object], None],
        failed: Callable[[str], None],
    ) -> Job:
        self._drop(name)
        job = self._jobs[name] = Job(work, self)
        job.finished.connect(done)
        job.failed.connect(failed)
        job.ended.connect(job.deleteLater)
        return job

    def _drop(self, name: str) -> bool:
        """Give up a job, if it is still going on."""
        job = self._jobs.pop(name, None)
        if job is None:
            return False
        for signal in (job.finished, job.failed):
            signal.disconnect()
        job.cancel()
        return True

    def _drop_all(self) -> None:
        earning = "earned" in self._jobs
        for name in tuple(self._jobs):
            self._drop(name)
        if earning:
            self.earningEnded.emit("")

    def _on_told(self, told: Told) -> None:
        del self._jobs["tell"]
        self.told = told
        self.answered.emit(told)
        if told.reason is not None and told.reason.kind != "one-token":
            work = iter_proof(told.tokenizer, told.text, told.reason)
            self._run("proof", work, self._on_proof, self._on_no_proof)

    def _on_failed(self, sentence: str) -> None:
        del self._jobs["tell"]
        self.told = None
        self.failed.emit(sentence)

    def _on_proof(self, proof: Proof | None) -> None:
        del self._jobs["proof"]
        if proof is not None:
            self._grow(proof=proof)

    def _on_no_proof(self, sentence: str) -> None:
        del self._jobs["proof"]  # the answer stands without it

    def _on_window(self, story: PieceStory) -> None:
        del self._jobs["window"]
        if self.told is not None and self._place < len(self.told.pieces):
            self.told = self.told.with_piece(self._place, story)
            self.grown.emit(self.told)

    def _on_no_window(self, sentence: str) -> None:
        del self._jobs["window"]
        self.failed.emit(sentence)

    def _on_earning(self, steps: list[EarnedProgress]) -> None:
        self.earning.emit(steps[-1])

    def _on_earned(self, history: History) -> None:
        del self._jobs["earned"]
        self._grow(history=history)

    def _on_earning_failed(self, sentence: str) -> None:
        del self._jobs["earned"]
        self.earningEnded.emit(sentence)

    def _grow(self, **more: object) -> None:
        if self.told is not None:
            self.told = replace(self.told, **more)
            self.grown.emit(self.told)
