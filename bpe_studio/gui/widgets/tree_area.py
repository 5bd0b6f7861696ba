"""A merge tree in a window of its own: as high as it needs to be, scrolled where it is larger."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.merge_tree import MergeTreeView

MOST_HEIGHT = 460


class TreeArea(QScrollArea):
    """Shows a part of a tree, and follows the keyboard in it."""

    def __init__(self, tree: MergeTreeView, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tree = tree
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the arrow keys are the tree's
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.setWidget(tree)
        tree.installEventFilter(self)
        tree.walked.connect(self._follow)
        self._begins = True  # nobody has scrolled: what was asked about is in sight
        tree.walked.connect(self._end_beginning)
        self.horizontalScrollBar().actionTriggered.connect(self._end_beginning)

    def _follow(self, box: QRectF) -> None:
        centre = box.center().toPoint()
        self.ensureVisible(
            centre.x(),
            centre.y(),
            int(box.width() / 2) + theme.MARGIN,
            int(box.height() / 2) + theme.MARGIN,
        )

    def _end_beginning(self, *_: object) -> None:
        self._begins = False

    def _show_first(self) -> None:
        """Bring the node that the keyboard is on to the middle, until somebody scrolls."""
        if self._begins and self.tree.focused >= 0:
            centre = self.tree.box(self.tree.focused).center().toPoint()
            area = self.viewport().size()
            self.ensureVisible(centre.x(), centre.y(), area.width() // 2, area.height() // 2)

    # Qt's questions

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._begins = False
        super().wheelEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()
        self._show_first()

    def sizeHint(self) -> QSize:
        tree = self.tree.sizeHint()
        wide = tree.width() > self.width()
        bar = self.horizontalScrollBar().sizeHint().height() if wide else 0
        return QSize(240, min(tree.height() + bar, MOST_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())
