"""Steps or tree: two views of the same merges."""

from __future__ import annotations

from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QWidget

from bpe_studio.gui.state.explain_view import ExplainView
from bpe_studio.gui.widgets.basics import Button


class MergesSwitch(QWidget):
    """Two small buttons of which one is down."""

    def __init__(self, view: ExplainView) -> None:
        super().__init__()
        self._view = view
        self.steps = Button("Steps", look="quiet", tip="The merges in the order they fired")
        self.tree = Button("Tree", look="quiet", tip="The merges as a tree over the symbols")
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for button in (self.steps, self.tree):
            button.setCheckable(True)
            button.setProperty("switch", True)
            self._group.addButton(button)
            row.addWidget(button)
        self._follow(view.merges)
        self.steps.clicked.connect(lambda: view.set_merges("steps"))
        self.tree.clicked.connect(lambda: view.set_merges("tree"))
        view.mergesChanged.connect(self._follow)

    def _follow(self, merges: str) -> None:
        (self.tree if merges == "tree" else self.steps).setChecked(True)
