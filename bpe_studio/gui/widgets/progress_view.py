"""What a training is doing: what, how much, how fast, how long still."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.state.training import Progress, TrainingState
from bpe_studio.gui.widgets.basics import label, lines
from bpe_studio.gui.widgets.thin_bar import ThinBar
from bpe_studio.gui.widgets.words import counted, duration, number, percent, size

TITLES = {
    "idle": "Ready",
    "compiling": "Compiling the kernels, once",
    "counting": "Counting pieces",
    "preparing": "Preparing",
    "merging": "Learning merges",
    "stopping": "Stopping",
    "stopped": "Stopped",
    "done": "Done",
}
COMPILING = (
    "It takes half a minute to a minute, on a busy machine longer; the next start finds them on "
    "disk."
)
REASONS = {
    "vocab_size": "the vocabulary has its size",
    "min_freq": "no pair is frequent enough",
    "no_pairs": "no pair is left",
    "rules": "the rules allow no other pair",
}


class ProgressView(QWidget):
    """Two lines and a bar that keep their place once something has run."""

    def __init__(self, training: TrainingState) -> None:
        super().__init__()
        self._training = training
        self.title = label()
        self.share = label(role="muted")
        self.bar = ThinBar("Progress of the training")
        self.detail = label(role="muted", wrap=True)
        self.pieces = label(role="muted")
        top = QHBoxLayout()
        top.addWidget(self.title, 1)
        top.addWidget(self.share)
        self.setLayout(lines(top, self.bar, self.detail, self.pieces, margin=0, gap=theme.GRID))
        training.phaseChanged.connect(self._show_phase)
        training.progressed.connect(self._show)
        self._show_phase(training.phase)

    def _show_phase(self, phase: str) -> None:
        self.title.setText(TITLES.get(phase, phase))
        for words in (self.detail, self.pieces):
            words.setVisible(phase != "idle")
        if phase == "compiling":
            self.bar.set_busy()
            self._say("", COMPILING, "")
        elif phase == "preparing":
            self.bar.set_busy()
            self._say("", "The counted pieces are laid out.", self.pieces.text())
        elif phase == "idle":
            self.bar.set_share(0.0)
            self._say("", "", "")
        elif phase in ("stopped", "done"):
            self._show_end(phase)

    def _show(self, progress: Progress) -> None:
        if progress.phase == "compiling":
            so_far = f"{duration(progress.seconds)} so far. " if progress.seconds else ""
            self.detail.setText(so_far + COMPILING)
            return
        if progress.phase == "preparing":
            self.pieces.setText(_pieces(progress))
            return
        self.bar.set_share(progress.done / progress.total if progress.total else 0.0)
        left = progress.seconds_left
        still = f" · {duration(left)} left" if left is not None and left > 0.5 else ""
        if progress.phase == "counting":
            pace = f" · {size(progress.rate)}/s" if progress.rate else ""
            amount = f"{size(progress.done)} of {size(progress.total)}"
            pieces = _pieces(progress)
        else:
            pace = f" · {number(progress.rate)}/s" if progress.rate else ""
            amount = f"{number(progress.done)} of {number(progress.total)}"
            pieces = self.pieces.text()
        self._say(percent(progress.done, progress.total), amount + pace + still, pieces)

    def _show_end(self, phase: str) -> None:
        session, table = self._training.session, self._training.table
        if session is None or table is None:
            self._say("", "Nothing was learned.", "")
            return
        merges = counted(len(table.tokenizer.table.merges), "merge")
        reason = REASONS.get(session.stop_reason or "", "")
        if phase == "done":
            self.bar.set_share(1.0)
            self._say("", f"{merges}: {reason}" if reason else merges, self.pieces.text())
        else:
            kept = f"{merges} learned and kept"
            self._say(self.share.text(), kept, self.pieces.text())

    def _say(self, share: str, detail: str, pieces: str) -> None:
        self.share.setText(share)
        self.detail.setText(detail)
        self.pieces.setText(pieces)


def _pieces(progress: Progress) -> str:
    """Those that are learned from, and below what is not."""
    pieces = f"{number(progress.pieces)} pieces, {number(progress.distinct)} distinct"
    if not progress.held_documents:
        return pieces
    documents = counted(progress.held_documents, "document")
    return f"{pieces}\n{documents}, {size(progress.held_bytes)}, held out of it"
