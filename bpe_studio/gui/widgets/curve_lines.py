"""How each line of the curve looks: its colour in a theme, and its pattern."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtGui import QColor, QPen

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.curve_key import dashed


@dataclass(frozen=True, slots=True)
class Line:
    """A colour of the theme by its name, and a pattern of `curve_key.DASHES`; None is solid."""

    colour: str
    pattern: int | None = None

    def ink(self, colours: theme.Colours) -> str:
        """Its colour in a theme."""
        return str(getattr(colours, self.colour))

    def pen(self, colours: theme.Colours, width: float = 1.0, ratio: float = 1.0) -> QPen:
        """Its cosmetic pen; `ratio` device pixels are one of the width."""
        if self.pattern is not None:
            return dashed(self.ink(colours), self.pattern, width, ratio)
        pen = QPen(QColor(self.ink(colours)), width * ratio)
        pen.setCosmetic(True)
        return pen


LINES: Final = {
    "trained": Line("accent"),
    "held": Line("third", 2),
    "text": Line("fourth", 1),
    "bytes": Line("second", 0),
}
