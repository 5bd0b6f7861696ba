"""Where the docks of the main window are: at first, as they were left, and put back."""

from __future__ import annotations

from base64 import b64decode, b64encode

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from bpe_studio.gui.state.settings_store import SettingsStore

VERSION = 1
TRAINING_WIDTH = 288
RIGHT_SHARE, RIGHT_LEAST, RIGHT_MOST = 0.3, 420, 600
MERGES_SHARE, CURVE_SHARE = 0.58, 0.27


class WindowLayout:
    """Arranges four docks, in the order training, merges, explain, curve."""

    def __init__(self, window: QMainWindow, docks: list[QDockWidget], store: SettingsStore) -> None:
        self._window = window
        self._docks = docks
        self._store = store
        self.remembered = False
        areas = Qt.DockWidgetArea
        for corner in (Qt.Corner.TopLeftCorner, Qt.Corner.BottomLeftCorner):
            window.setCorner(corner, areas.LeftDockWidgetArea)
        for corner in (Qt.Corner.TopRightCorner, Qt.Corner.BottomRightCorner):
            window.setCorner(corner, areas.RightDockWidgetArea)

    def arrange(self) -> None:
        """Put every dock where a first start has it, in the size that the window has now."""
        window, areas = self._window, Qt.DockWidgetArea
        for dock in self._docks:
            dock.setFloating(False)
        training, merges, explain, curve = self._docks
        window.addDockWidget(areas.LeftDockWidgetArea, training)
        window.addDockWidget(areas.RightDockWidgetArea, merges)
        window.splitDockWidget(merges, explain, Qt.Orientation.Vertical)
        window.addDockWidget(areas.BottomDockWidgetArea, curve)
        for dock in self._docks:
            dock.show()
        width, height = window.width(), window.height()
        right = min(max(RIGHT_LEAST, int(RIGHT_SHARE * width)), RIGHT_MOST)
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        window.resizeDocks([training, merges], [TRAINING_WIDTH, right], across)
        shares = [int(MERGES_SHARE * height), int((1 - MERGES_SHARE) * height)]
        window.resizeDocks([merges, explain], shares, down)
        window.resizeDocks([curve], [int(CURVE_SHARE * height)], down)

    def restore(self) -> None:
        """Put the window where it was left, if that is known."""
        window, store = self._window, self._store
        window.restoreGeometry(unpacked(store.get("geometry", "")))
        self.remembered = window.restoreState(unpacked(store.get("layout", "")), VERSION)

    def remember(self) -> None:
        """Note where everything is."""
        self._store.set("geometry", packed(self._window.saveGeometry()))
        self._store.set("layout", packed(self._window.saveState(VERSION)))


def packed(data: QByteArray) -> str:
    """Bytes as JSON can hold them."""
    return b64encode(data.data()).decode("ascii")


def unpacked(text: str) -> QByteArray:
    """What `packed` gave; nothing for what it did not give."""
    try:
        return QByteArray(b64decode(text, validate=True))
    except ValueError:
        return QByteArray()
