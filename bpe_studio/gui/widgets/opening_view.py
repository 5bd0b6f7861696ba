"""What is being opened, how far it is, and a way to stop it: in the status bar."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QWidget
from shiboken6 import isValid

from bpe_studio.gui import theme
from bpe_studio.gui.state.opening import Opening
from bpe_studio.gui.widgets.basics import Button
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.thin_bar import ThinBar

PATIENCE_MS = 400  # what is read within this time needs no words
BAR_WIDTH = 120
WORDS_WIDTH = 260


class OpeningView(QWidget):
    """One line that is there only while a file takes longer than a moment."""

    def __init__(self, opening: Opening) -> None:
        super().__init__()
        self._opening = opening
        self.words = ElidedLabel(role="muted")
        self.words.setFixedWidth(WORDS_WIDTH)
        self.words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.bar = ThinBar("How much of the file is read")
        self.bar.setFixedWidth(BAR_WIDTH)
        self.cancel_button = Button("Cancel", look="quiet", tip="Do not open it (Esc)")
        self.cancel_button.setProperty("compact", True)
        # A click leaves the keyboard where it is: the button goes, and Qt would give it to any.
        self.cancel_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.cancel_button.clicked.connect(opening.cancel)
        self._focus_before: QWidget | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.GAP, 0, 0, 0)
        row.setSpacing(theme.GAP)
        for part in (self.words, self.bar, self.cancel_button):
            row.addWidget(part)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PATIENCE_MS)
        self._timer.timeout.connect(self._appear)
        self.hide()
        opening.changed.connect(self._show)

    def _show(self) -> None:
        opening = self._opening
        if not opening.running:
            self._timer.stop()
            self.bar.set_share(0.0)
            self._go()
            return
        if self.isHidden() and not self._timer.isActive():
            self._timer.start()
        more = f", and {opening.waiting:,} more" if opening.waiting else ""
        self.words.setText(f"Opening {opening.name}{more} …")
        if opening.share:
            self.bar.set_share(opening.share)
        elif not self.bar.busy:
            self.bar.set_busy()

    def _appear(self) -> None:
        self._focus_before = QApplication.focusWidget()
        self.show()

    def _go(self) -> None:
        """Give the keyboard back before the button that may have it is gone."""
        before, self._focus_before = self._focus_before, None
        if self.cancel_button.hasFocus() and before is not None and isValid(before):
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()
