"""What the pages of a lesson ask of a table, answered on a worker thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from bpe_studio.analysis.traps import find_trap
from bpe_studio.analysis.units import side_by_side
from bpe_studio.gui.job import call
from bpe_studio.gui.models.newest import Newest

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer


class LessonAnswers(QObject):
    """One question at a time; a new one ends the one before.

    Signals
    -------
    units(object)
        A `SideBySide`.
    trap(object)
        A `Trap`.
    failed(str)
        Why there is no answer.
    """

    units = Signal(object)
    trap = Signal(object)
    failed = Signal(str)

    def __init__(
        self, *, ready: threading.Event | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._kernels_ready = ready
        self._newest = Newest(ready=ready, parent=self)
        self._newest.answered.connect(self._on_answered)
        self._newest.failed.connect(self._on_failed)

    @property
    def busy(self) -> bool:
        """Whether an answer is on its way."""
        return self._newest.question is not None

    @property
    def waits_for_kernels(self) -> bool:
        """Whether no answer can come yet."""
        return self._kernels_ready is not None and not self._kernels_ready.is_set()

    def ask_units(self, tokenizer: Tokenizer, text: str, word: str) -> None:
        """Ask for units side by side; with no word, for one that the text lacks."""
        self._newest.ask("units", call(side_by_side, tokenizer, text, word.strip() or None))

    def ask_trap(self, tokenizer: Tokenizer, text: str, key: str) -> None:
        """Ask for a trap by its name."""
        self._newest.ask("trap", call(find_trap, key, tokenizer, text))

    def cancel(self) -> None:
        """End what runs; its answer is not told."""
        self._newest.forget()

    def _on_answered(self, question: str, answer: Any) -> None:
        (self.units if question == "units" else self.trap).emit(answer)

    def _on_failed(self, _: str, sentence: str) -> None:
        self.failed.emit(sentence)
