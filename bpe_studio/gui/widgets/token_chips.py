"""Tokens as small cells in a row that wraps; each can be clicked, walked to and pointed at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from bpe_studio.gui.models.legible import legible
from bpe_studio.gui.models.token_details import TokenDetails, describe, tooltip
from bpe_studio.gui.theme import GRID, Colours, colours, mono_font, ui_font
from bpe_studio.gui.widgets import token_paint
from bpe_studio.gui.widgets.byte_text import draw_readable, readable_width
from bpe_studio.gui.widgets.pointed_cells import CHOOSING, PointedCells

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

PADDING = 5.0
GAP = float(GRID)
LINE_GAP = float(GRID)
NARROWEST = 40.0
MORE = "…"


@dataclass(frozen=True, slots=True)
class Chip:
    """A token, or with `token` None a few words or a sign between tokens.

    A `plain` chip has no hue, a `bare` one has no cell at all, only quiet text.
    """

    text: str
    token: int | None = None
    hue: int = 0
    special: bool = False
    partial: bool = False
    tip: TokenDetails | None = None  # told when it is pointed at
    muted: bool = True
    plain: bool = False
    bare: bool = False


def token_chip(tokenizer: Tokenizer, token_id: int, hue: int = 0) -> Chip:
    """Return the chip of a token."""
    details = describe(tokenizer, token_id)
    return Chip(
        text=details.short,
        token=token_id,
        hue=hue,
        special=details.special,
        partial=details.partial,
        tip=details,
    )


def token_chips(tokenizer: Tokenizer, ids: Sequence[int]) -> list[Chip]:
    """Return chips for tokens that follow each other, in alternating hues."""
    return [token_chip(tokenizer, token, place) for place, token in enumerate(ids)]


class TokenChips(PointedCells, QWidget):
    """A wrapping row of chips.

    Signals
    -------
    chosen(int)
        The id of the token whose chip was clicked, or on which Enter was pressed.
    """

    chosen = Signal(int)

    def __init__(
        self, *, most_lines: int = 0, hanging: bool = False, parent: QWidget | None = None
    ) -> None:
        """`hanging` lets every line but the first begin where the second chip does."""
        super().__init__(parent)
        self._hanging = hanging
        self._chips: tuple[Chip, ...] = ()
        self._cells: list[QRectF] = []
        self._natural: list[float] = []
        self._flows: dict[float, tuple[list[QRectF], int]] = {}  # layouts ask often
        self._most_lines = most_lines
        self._larger = 0.0
        self._focused = 0
        self._height = 0
        self.setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_chips(self, chips: Sequence[Chip]) -> None:
        """Show other chips."""
        self._chips = tuple(chips)
        self._focused = next((i for i, chip in enumerate(chips) if chip.token is not None), 0)
        self._hovered = -1
        has_tokens = any(chip.token is not None for chip in chips)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if has_tokens else Qt.FocusPolicy.NoFocus)
        self.setAccessibleDescription(" ".join(chip.text for chip in chips))
        self._arrange()

    @property
    def chips(self) -> tuple[Chip, ...]:
        """The chips shown."""
        return self._chips

    def set_larger(self, points: float) -> None:
        """Larger type than other tokens have."""
        if points != self._larger:
            self._larger = points
            self._arrange()

    def _face(self) -> QFont:
        font = mono_font()
        font.setPointSizeF(font.pointSizeF() + self._larger)
        return font

    def cell_at(self, point: QPoint) -> int:
        """Return the index of the token's chip at a point, -1 for none."""
        index = next((i for i, cell in enumerate(self._cells) if cell.contains(point)), -1)
        return (
            index if 0 <= index < len(self._chips) and self._chips[index].token is not None else -1
        )

    def tip_of(self, index: int) -> str:
        """Return what is known of the token of a chip."""
        details = self._chips[index].tip
        return "" if details is None else tooltip(details)

    def _arrange(self) -> None:
        self._natural = _natural_sizes(self._chips, QFontMetricsF(self._face()))
        self._flows.clear()
        self._cells, self._height = self._flow(self.width())
        self.updateGeometry()
        self.update()

    def _flow(self, width: float) -> tuple[list[QRectF], int]:
        """Place the chips in lines of this width."""
        if width not in self._flows:
            self._flows[width] = self._flow_anew(width)
        return self._flows[width]

    def _flow_anew(self, width: float) -> tuple[list[QRectF], int]:
        height = round(QFontMetricsF(self._face()).height()) + 4.0
        x = y = 0.0
        cells: list[QRectF] = []
        lines = 1
        sizes = self._sizes(width)
        begin = sizes[0] + GAP if self._hanging and sizes else 0.0
        for size in sizes:
            if x > begin and x + size > width:
                lines += 1
                if self._most_lines and lines > self._most_lines:
                    if width - x >= NARROWEST:
                        cells.append(QRectF(x, y, width - x, height))
                    break
                x, y = begin, y + height + LINE_GAP
            cells.append(QRectF(x, y, size, height))
            x += size + GAP
        return cells, int(y + height)

    def _sizes(self, width: float) -> list[float]:
        """The widths of the chips. In a single line the first leaves room for the second."""
        sizes = [min(size, width) if width > 0 else size for size in self._natural]
        if self._most_lines == 1 and len(sizes) > 1:
            sizes[0] = min(sizes[0], max(width - GAP - sizes[1], NARROWEST))
        if self._hanging and sizes and width > 0:
            room = max(width - GAP - sizes[0], NARROWEST)
            sizes[1:] = [min(size, room) for size in sizes[1:]]
        return sizes

    # Qt's questions

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._flow(width)[1]

    def sizeHint(self) -> QSize:
        return QSize(240, self._flow(self.width() or 240)[1])

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self._height if self.width() else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        before = self._height
        self._cells, self._height = self._flow(self.width())
        if self._height != before:
            QTimer.singleShot(0, self, self.updateGeometry)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, mono, words = colours(self), self._face(), ui_font()
        for index, (chip, cell) in enumerate(zip(self._chips, self._cells, strict=False)):
            if chip.token is None:
                painter.setFont(words)
                painter.setPen(QColor(theme.muted if chip.muted else theme.text))
                text = legible(chip.text)
                if painter.fontMetrics().horizontalAdvance(text) > cell.width() + 1:
                    text = painter.fontMetrics().elidedText(
                        text, Qt.TextElideMode.ElideRight, int(cell.width())
                    )
                painter.drawText(cell, Qt.AlignmentFlag.AlignVCenter, text)
                continue
            if not chip.bare:
                token_paint.draw_chip(
                    painter, theme, cell, hue=chip.hue, special=chip.special,
                    partial=chip.partial, plain=chip.plain,
                )  # fmt: skip
            self._draw_state(painter, index, chip, cell)
            ink = _ink(theme, chip)
            inner = cell.adjusted(PADDING, 0, -PADDING, 0)
            draw_readable(painter, inner, chip.text, mono, ink=ink, quiet=_quiet(theme, chip))
        if len(self._cells) < len(self._chips) and self._cells:
            self._draw_more(painter, self._cells[-1])

    def _draw_more(self, painter: QPainter, last: QRectF) -> None:
        """A sign that not all chips have room, over the end of the last one where it must be."""
        painter.setFont(ui_font())
        size = painter.fontMetrics().horizontalAdvance(MORE)
        x = min(last.right() + GAP, self.width() - size)
        cell = QRectF(x, last.y(), size, last.height())
        painter.fillRect(cell, self.palette().window())
        painter.setPen(QColor(colours(self).muted))
        painter.drawText(cell, Qt.AlignmentFlag.AlignVCenter, MORE)

    def _draw_state(self, painter: QPainter, index: int, chip: Chip, cell: QRectF) -> None:
        theme = colours(self)
        if chip.token == self._selected:
            token_paint.draw_outlines(painter, theme.accent, [cell], width=2.0)
        elif index == self._hovered:
            token_paint.draw_outlines(painter, theme.text, [cell], width=1.0)
        if self.hasFocus() and index == self._focused:
            token_paint.draw_outlines(painter, theme.accent, [cell], width=2.0)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        index = self.cell_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index >= 0:
            self._choose(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() in steps:
            self._walk(steps[event.key()])
        elif event.key() in CHOOSING:
            self._choose(self._focused)
        else:
            super().keyPressEvent(event)

    def _walk(self, step: int) -> None:
        index = self._focused + step
        while 0 <= index < len(self._cells):
            if self._chips[index].token is not None:
                self._focused = index
                self.update()
                return
            index += step

    def _choose(self, index: int) -> None:
        if index < len(self._chips) and (token := self._chips[index].token) is not None:
            self._focused = index
            self.chosen.emit(token)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._arrange()
        super().changeEvent(event)


def _natural_sizes(chips: Sequence[Chip], mono: QFontMetricsF) -> list[float]:
    """How wide each chip would be with all the room there is."""
    words = QFontMetricsF(ui_font())
    sizes = []
    for chip in chips:
        if chip.token is None:
            size = words.horizontalAdvance(legible(chip.text))
        else:
            size = readable_width(chip.text, mono) + 2 * PADDING
        sizes.append(float(-(-size // 1)))
    return sizes


def _quiet(theme: Colours, chip: Chip) -> str:
    """The ink of marks: paler than the text, and readable on every hue."""
    if chip.special or chip.plain or chip.bare:
        return theme.muted
    ink = QColor(theme.token_text)
    ink.setAlpha(255 if chip.partial else 180)
    return ink.name(QColor.NameFormat.HexArgb)


def _ink(theme: Colours, chip: Chip) -> str:
    if chip.bare:
        return theme.muted
    return theme.text if chip.special or chip.plain else theme.token_text
