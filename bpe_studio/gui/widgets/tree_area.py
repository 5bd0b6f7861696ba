"""A merge tree in a window of its own: as high as it needs to be, scrolled where it is larger."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QResizeEvent
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

    def _follow(self, box: QRectF) -> None:
        centre = box.center().toPoint()
        self.ensureVisible(
            centre.x(),
            centre.y(),
            int(box.width() / 2) + theme.MARGIN,
            int(box.height() / 2) + theme.MARGIN,
        )

    # Qt's questions

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        tree = self.tree.sizeHint()
        wide = tree.width() > self.width()
        bar = self.horizontalScrollBar().sizeHint().height() if wide else 0
        return QSize(240, min(tree.height() + bar, MOST_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())
