"""The first ids of a text in one line, and a button that copies all of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.job import Job, call
from bpe_studio.gui.widgets.basics import IconButton, label
from bpe_studio.gui.widgets.elided_label import SteadyLabel
from bpe_studio.gui.widgets.words import counted

MOST_SHOWN = 400
QUICK = 20_000  # that are copied at once


class IdsLine(QWidget):
    """Ids as they stand in a text, and what else can be done with all its tokens.

    Signals
    -------
    copyAsked()
        The user wants all ids; `copy` puts them on the clipboard.
    told(str)
        They are there.
    """

    copyAsked = Signal()
    told = Signal(str)

    def __init__(self, *, others: Iterable[QWidget] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ids = SteadyLabel(role="muted")
        self.ids.setFont(theme.mono_font())
        self.ids.setAccessibleName("Token ids")
        self.copy_button = IconButton("copy", "Copy all ids")
        self.copy_button.clicked.connect(self.copyAsked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.GAP)
        row.addWidget(label("ids", role="muted"))
        row.addWidget(self.ids, 1)
        for button in (*others, self.copy_button):
            row.addWidget(button)

    def show_ids(self, ids: NDArray[np.int32] | None, *, all_known: bool = True) -> None:
        """Show the first of some ids; only where all are known can they be copied."""
        shown = [] if ids is None else ids[:MOST_SHOWN].tolist()
        self.ids.setText(" ".join(map(str, shown)))
        self.copy_button.setEnabled(bool(shown) and all_known)

    def copy(self, ids: NDArray[np.int32]) -> None:
        """Put ids on the clipboard; many are put together on a thread."""
        if len(ids) < QUICK:
            self._put(_joined(ids), len(ids))
            return
        job = Job(call(_joined, ids), self)
        job.then(self._put, len(ids))
        job.ended.connect(job.deleteLater)

    def _put(self, joined: str, count: int) -> None:
        QGuiApplication.clipboard().setText(joined)
        self.told.emit(f"{counted(count, 'id')} copied.")


def _joined(ids: NDArray[np.int32]) -> str:
    return " ".join(map(str, ids.tolist()))
