"""Small tables with quiet titles, one below the other."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.array_table import ArrayTable
from bpe_studio.gui.models.listing import Listing
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import SectionHeader, label, lines, row_height

MOST_ROWS = 8


class ListingView(QWidget):
    """A title over a table that is as high as its rows, or over a sentence."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.title = SectionHeader(name)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.none = label(role="muted", wrap=True)
        self.model = ArrayTable(mono_font=theme.table_font(), parent=self)
        self.view = ArrayView(self.model, name=name)
        self.view.setAlternatingRowColors(False)
        self.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setLayout(lines(self.title, self.none, self.view, margin=0, gap=theme.GRID))

    def show_listing(self, listing: Listing) -> None:
        """Show other rows."""
        self.title.setText(listing.title)
        self.view.setAccessibleName(listing.title)
        self.none.setText(listing.none)
        self.none.setVisible(not listing.rows)
        self.view.setVisible(listing.rows > 0)
        self.model.set_data(listing.columns, listing.rows)
        rows = min(listing.rows, MOST_ROWS)
        head = self.view.horizontalHeader().sizeHint().height()
        self.view.setFixedHeight(head + rows * row_height(self.view) + theme.GAP)


def scrolled(name: str, *parts: QWidget) -> QScrollArea:
    """Parts one below the other, that scroll together where they are too high."""
    content = QWidget()
    column = lines(*parts, margin=0, gap=theme.MARGIN)
    column.addStretch(1)
    content.setLayout(column)
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setFrameShape(QScrollArea.Shape.NoFrame)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setAccessibleName(name)
    scroll.setWidget(content)
    return scroll
