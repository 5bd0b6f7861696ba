"""The merges of a piece, painted as a tree: base symbols below, each merge over its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLineF, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from bpe_studio.analysis.tree import MergeTree
from bpe_studio.gui import theme
from bpe_studio.gui.models.tree_labels import NodeLabel, TreeLabels
from bpe_studio.gui.models.tree_layout import ROW_GAP, TreeLayout, lay_out_tree
from bpe_studio.gui.widgets import token_paint
from bpe_studio.gui.widgets.byte_text import draw_readable, readable_width
from bpe_studio.gui.widgets.pointed_cells import CHOOSING, PointedCells

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

PADDING = 5.0
EDGE = 4.0  # around the tree
UNDER = 3.0  # between a token and its captions
NARROWEST = 20.0
ARROWS = {
    Qt.Key.Key_Up: "up",
    Qt.Key.Key_Down: "down",
    Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right",
}


class MergeTreeView(PointedCells, QWidget):
    """A tree of merges; its nodes can be clicked, pointed at and walked through with the arrows.

    Signals
    -------
    chosen(int)
        The id of the token whose node was clicked, or on which Enter was pressed.
    walked(QRectF)
        The node that the keyboard is on now lies here.
    """

    chosen = Signal(int)
    walked = Signal(QRectF)

    def __init__(
        self,
        *,
        tokenizer: Tokenizer,
        tree: MergeTree,
        begin: int = -1,
        parent: QWidget | None = None,
    ) -> None:
        """`begin` is a byte of the piece: the keyboard begins on the token that holds it."""
        super().__init__(parent)
        self._tree = tree
        self._labels = TreeLabels(tokenizer, tree)
        self._shown = [self._labels.of(node) for node in range(len(tree.nodes))]
        held = (root for root in tree.roots if tree.nodes[root].end > begin)
        self._focused = next(held, tree.roots[-1] if tree.roots else -1)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Merge tree")
        self._arrange()
        self._tell_focused()

    @property
    def placed(self) -> TreeLayout:
        """Where the nodes stand, without the edge around the tree."""
        return self._layout

    @property
    def focused(self) -> int:
        """The node that the keyboard is on."""
        return self._focused

    def box(self, node: int) -> QRectF:
        """Where a node is painted."""
        left, top, right, bottom = self._layout.boxes[node].tolist()
        return QRectF(left + EDGE, top + EDGE, right - left, bottom - top)

    def cell_at(self, point: QPoint) -> int:
        """The node at a point, -1 for none."""
        return self._layout.at(point.x() - EDGE, point.y() - EDGE)

    def tip_of(self, node: int) -> str:
        """Return what is known of a node's token."""
        return self._labels.tip(node)

    def draw(self, painter: QPainter, area: QRectF | None = None) -> None:
        """Paint what shows in an area, or all of it."""
        area = QRectF(0, 0, *self.sizeHint().toTuple()) if area is None else area
        shown = self._layout.visible(
            area.left() - EDGE, area.top() - EDGE, area.right() - EDGE, area.bottom() - EDGE
        )
        colours = theme.colours(self)
        painter.setPen(QPen(QColor(colours.token_border), 1.0))
        painter.drawLines([line for node in shown for line in self._lines(node)])
        mono, small = theme.mono_font(), theme.small_font()
        for node in shown:
            self._draw_chip(painter, colours, node)
            label, cell = self._shown[node], self._cell(node)
            inner = cell.adjusted(PADDING, 0, -PADDING, 0)
            ink = colours.text if self._is_plain(node) else colours.token_text
            draw_readable(painter, inner, label.text, mono, ink=ink, quiet=ink)
        painter.setFont(small)
        painter.setPen(QColor(colours.muted))
        line = painter.fontMetrics().height()
        for node in shown:
            box = self.box(node)
            at = box.top() + self._chip_height + UNDER
            for caption in self._shown[node].captions:
                place = QRectF(box.left() - PADDING, at, box.width() + 2 * PADDING, line)
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, caption)
                at += line

    def _arrange(self) -> None:
        mono, small = QFontMetricsF(theme.mono_font()), QFontMetricsF(theme.small_font())
        self._chip_height = float(round(mono.height()) + 4)
        widths = [_width(label, mono, small) for label in self._shown]
        self._layout = lay_out_tree(
            self._tree,
            widths,
            node_height=self._chip_height + UNDER + 2 * round(small.height()),
            leaf_height=self._chip_height,
        )
        self.resize(self.sizeHint())
        self.updateGeometry()
        self.update()

    def _cell(self, node: int) -> QRectF:
        """Where the token of a node is painted, over its captions."""
        box, label = self.box(node), self._shown[node]
        if not label.captions:
            return box
        width = min(box.width(), max(self._chip_width(label), NARROWEST))
        return QRectF(box.center().x() - width / 2, box.top(), width, self._chip_height)

    def _chip_width(self, label: NodeLabel) -> float:
        return readable_width(label.text, QFontMetricsF(theme.mono_font())) + 2 * PADDING

    def _draw_chip(self, painter: QPainter, colours: theme.Colours, node: int) -> None:
        label, cell = self._shown[node], self._cell(node)
        token_paint.draw_chip(
            painter, colours, cell, hue=int(self._layout.roots[node]),
            partial=label.partial, plain=self._is_plain(node),
        )  # fmt: skip
        focused = self.hasFocus() and node == self._focused
        if focused or self._tree.nodes[node].id == self._selected:
            token_paint.draw_outlines(painter, colours.accent, [cell], width=2.0)
        if focused:
            ring = cell.adjusted(-3, -3, 3, 3)
            token_paint.draw_outlines(painter, colours.accent, [ring], width=1.0)
        elif node == self._hovered:
            token_paint.draw_outlines(painter, colours.text, [cell], width=1.0)

    def _is_plain(self, node: int) -> bool:
        """A base symbol that went into a merge; one that remained is a token like others."""
        return self._tree.nodes[node].rank < 0 and int(self._layout.parents[node]) >= 0

    def _lines(self, node: int) -> list[QLineF]:
        """From under a node down to its parts, with one corner."""
        told = self._tree.nodes[node]
        if told.left < 0:
            return []
        box, parts = self.box(node), [self.box(part) for part in (told.left, told.right)]
        middle = box.center().x()
        turn = box.bottom() + ROW_GAP / 2
        xs = [part.center().x() for part in parts]
        return [
            QLineF(middle, box.bottom() + 2, middle, turn),
            QLineF(xs[0], turn, xs[1], turn),
            *(
                QLineF(x, turn, x, self._cell(i).top())
                for x, i in zip(xs, (told.left, told.right), strict=True)
            ),
        ]

    def _walk(self, node: int) -> None:
        if node != self._focused:
            self._focused = node
            self._tell_focused()
            self.update()
        self.walked.emit(self.box(node))

    def _tell_focused(self) -> None:
        words = self._labels.words(self._focused) if self._focused >= 0 else "Nothing was merged."
        self.tell_focused(words)

    def _choose(self, node: int) -> None:
        if node >= 0:
            self.chosen.emit(self._tree.nodes[node].id)

    # Qt's questions

    def sizeHint(self) -> QSize:
        layout = self._layout
        return QSize(int(layout.width + 2 * EDGE) + 1, int(layout.height + 2 * EDGE) + 1)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setClipRect(event.rect())
        self.draw(painter, QRectF(event.rect()))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._arrange()
        super().changeEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        node = self.cell_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and node >= 0:
            self._walk(node)
            self._choose(node)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._focused >= 0 and event.key() in ARROWS:
            self._walk(self._layout.neighbour(self._focused, ARROWS[event.key()]))
        elif event.key() in CHOOSING:
            self._choose(self._focused)
        else:
            super().keyPressEvent(event)


def _width(label: NodeLabel, mono: QFontMetricsF, small: QFontMetricsF) -> float:
    chip = readable_width(label.text, mono) + 2 * PADDING
    captions = (small.horizontalAdvance(caption) for caption in label.captions)
    return float(-(-max(chip, NARROWEST, *captions) // 1))
