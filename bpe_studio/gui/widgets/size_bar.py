"""The vocabulary size as a slider, a number and a way back to all merges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSpinBox, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import Button, IconButton, label
from bpe_studio.gui.widgets.merge_slider import MergeSlider
from bpe_studio.gui.widgets.words import number, plain_tip

SHORTEST = 96
USUAL = 220
WIDEST = 720
MOST = 99_999_999
HOW = "Drag, or use the arrow keys; with Ctrl it goes by one merge a pixel, or by 100 merges a key."


class SizeBar(QWidget):
    """Chooses how many first merges of a table are used; the number shown is the vocabulary size.

    Signals
    -------
    mergesChosen(object)
        The user wants this many first merges, or all of them (None).
    saveAsked()
        The user wants to save the table of this size.
    """

    mergesChosen = Signal(object)
    saveAsked = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sizes: NDArray[np.int64] = np.zeros(1, np.int64)
        self.slider = MergeSlider()
        self.slider.setAccessibleName("Vocabulary size")
        self.slider.setMinimumWidth(SHORTEST)
        self.slider.setMaximumWidth(WIDEST)
        self.spin = _SizeBox()
        self.all_button = Button("All", look="quiet", tip="Use all merges of the table")
        self.save_button = IconButton("save", "Save this size as a table of its own")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.GAP)
        self.name = label("Size", role="muted")
        self.name.setBuddy(self.slider)
        for part in (self.name, self.slider, self.spin, self.all_button, self.save_button):
            row.addWidget(part)
        row.setStretchFactor(self.slider, 1)
        self.slider.valueChanged.connect(self._choose)
        self.spin.stepAsked.connect(lambda steps: self._choose(self.slider.value() + steps))
        self.spin.sizeTyped.connect(self._choose_size)
        self.all_button.clicked.connect(lambda: self._choose(self.merges))
        self.save_button.clicked.connect(self.saveAsked)
        self.set_sizes(None)

    def focus(self) -> None:
        """Give the number the keyboard, ready to be typed over."""
        self.spin.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.spin.selectAll()

    @property
    def merges(self) -> int:
        """How many merges the table has."""
        return len(self._sizes) - 1

    def set_sizes(self, sizes: NDArray[np.int64] | None, *, why: str = "") -> None:
        """Run over the vocabulary sizes (merges + 1,) of a table; None: `why` there is no other."""
        known = sizes is not None and len(sizes) > 1
        self._sizes = sizes if known else np.zeros(1, np.int64)
        for part in (self.slider, self.spin):
            part.blockSignals(True)
        self.slider.set_merges(self.merges)
        for part in (self.slider, self.spin):
            part.blockSignals(False)
            part.setEnabled(known)
        self.name.setEnabled(known)
        self._why = why
        self.show_merges(None)

    def show_merges(self, merges: int | None) -> None:
        """Stand at this many merges; None is all."""
        merges = self.merges if merges is None else min(merges, self.merges)
        for part, value in ((self.slider, merges), (self.spin, int(self._sizes[merges]))):
            part.blockSignals(True)
            part.setValue(value)
            part.blockSignals(False)
        for button in (self.all_button, self.save_button):
            button.setEnabled(merges < self.merges)
        self._tell(merges)

    def size_of(self, merges: int | None) -> int:
        """The vocabulary size of so many merges."""
        return int(self._sizes[self.merges if merges is None else min(merges, self.merges)])

    def _tell(self, merges: int) -> None:
        of_all = f"the first {number(merges)} of {number(self.merges)} merges"
        if merges == self.merges:
            of_all = f"all {number(merges)} merges"
        tip = plain_tip(f"{of_all}. {HOW}" if self.merges else self._why)
        for part in (self, self.slider, self.spin):
            part.setToolTip(tip)
        self.slider.setAccessibleDescription(of_all if self.merges else self._why)

    def _choose(self, merges: int) -> None:
        merges = max(0, min(merges, self.merges))
        self.show_merges(merges)
        self.mergesChosen.emit(None if merges == self.merges else merges)

    def _choose_size(self, size: int) -> None:
        """Several merges may have one size: then the most of them."""
        if size != self.size_of(self.slider.value()):
            self._choose(int(np.searchsorted(self._sizes, size, side="right")) - 1)
        else:
            self.show_merges(self.slider.value())

    # Qt's questions: the same for every table, so that nothing jumps

    def minimumSizeHint(self) -> QSize:
        return QSize(self._width(SHORTEST), super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(self._width(USUAL), super().sizeHint().height())

    def _width(self, slider: int) -> int:
        parts = (self.name, self.spin, self.all_button, self.save_button)
        return slider + sum(part.sizeHint().width() + theme.GAP for part in parts)


class _SizeBox(QSpinBox):
    """A number that is taken when Enter is pressed or it is left; its arrows go by merges."""

    stepAsked = Signal(int)
    sizeTyped = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setGroupSeparatorShown(True)
        self.setKeyboardTracking(False)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setAccessibleName("Vocabulary size, as a number")
        self.setRange(0, MOST)  # what the table does not have goes to the nearest that it has
        self.valueChanged.connect(self.sizeTyped)

    def stepBy(self, steps: int) -> None:
        self.stepAsked.emit(steps)

    def stepEnabled(self) -> QSpinBox.StepEnabledFlag:
        flags = QSpinBox.StepEnabledFlag
        return flags.StepUpEnabled | flags.StepDownEnabled

    def _widest(self) -> int:
        digits = self.fontMetrics().horizontalAdvance("8,888,888")
        return digits + self.fontMetrics().horizontalAdvance("MM") + 3 * theme.GAP

    def sizeHint(self) -> QSize:
        return QSize(self._widest(), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()
