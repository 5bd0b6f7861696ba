"""A part of a panel under a quiet title that folds it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.state.explain_view import ExplainView
from bpe_studio.gui.widgets.basics import Button, lines


class Section(QWidget):
    """A title that is pressed to fold what is below it, which is made when it is first opened.

    `view` remembers under `name` whether it is folded. `beside` stands at the right end of the
    title's line.
    """

    def __init__(
        self,
        title: str,
        make: Callable[[], QWidget],
        *,
        name: str,
        view: ExplainView,
        open_at_first: bool = True,
        beside: QWidget | None = None,
    ) -> None:
        super().__init__()
        self.name = name
        self.content: QWidget | None = None
        self._make = make
        self._view = view
        self.button = Button(title, icon="chevron-right", look="quiet")
        self.button.setFont(theme.title_font())
        self.button.setCheckable(True)
        self.button.setProperty("fold", True)
        self.button.setProperty("section", True)
        self.button.setCursor(Qt.CursorShape.PointingHandCursor)
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(self.button)
        if beside is None:
            row.addStretch(1)
        else:
            beside.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            row.addWidget(beside, 1)
        self._column = lines(row, margin=0, gap=theme.GRID)
        self.setLayout(self._column)
        self.button.setChecked(view.is_open(name, at_first=open_at_first))
        self._show(self.button.isChecked())
        self.button.toggled.connect(self._toggle)

    @property
    def is_open(self) -> bool:
        """Whether its content is shown."""
        return self.button.isChecked()

    def set_open(self, opened: bool) -> None:
        """Fold or open it."""
        self.button.setChecked(opened)

    def _toggle(self, opened: bool) -> None:
        self._view.set_open(self.name, opened)
        self._show(opened)

    def _show(self, opened: bool) -> None:
        self.button.set_icon("chevron-down" if opened else "chevron-right")
        if opened and self.content is None:
            self.content = self._make()
            self._column.addWidget(self.content)
        if self.content is not None:
            self.content.setVisible(opened)
