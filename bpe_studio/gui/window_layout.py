"""Where the docks of the main window are: at first, as they were left, and put back."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QByteArray, QMargins, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDockWidget,
    QMainWindow,
    QTabWidget,
    QWidget,
)

from bpe_studio.gui.state.settings_store import SettingsStore

VERSION = 1
FIRST_SIZE = QSize(1440, 900)
# What a window manager puts around a window; the real frame is known only when it is shown.
FRAME = QMargins(8, 36, 8, 8)
TRAINING_WIDTH = 288
RIGHT_SHARE, RIGHT_LEAST, RIGHT_MOST = 0.3, 452, 600
MERGES_SHARE, CURVE_SHARE = 0.58, 0.27


class WindowLayout:
    """Arranges four docks, in the order training, merges, explain, curve."""

    def __init__(
        self,
        window: QMainWindow,
        docks: list[QDockWidget],
        store: SettingsStore,
        *,
        middle: Sequence[QWidget] = (),
    ) -> None:
        self._window = window
        self._docks = docks
        self._middle = middle  # the parts of the centre, in the order of Tab
        self._store = store
        self.remembered = False
        self._put_away: list[QDockWidget] = []
        areas = Qt.DockWidgetArea
        for corner in (Qt.Corner.TopLeftCorner, Qt.Corner.BottomLeftCorner):
            window.setCorner(corner, areas.LeftDockWidgetArea)
        for corner in (Qt.Corner.TopRightCorner, Qt.Corner.BottomRightCorner):
            window.setCorner(corner, areas.RightDockWidgetArea)

    def open_first(self) -> None:
        """The size and the places of a first start."""
        first = QGuiApplication.primaryScreen().availableGeometry()
        self._window.resize(fitted(QRect(first.topLeft(), FIRST_SIZE), [first]).size())
        self.arrange()

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
        self._order_focus()

    def show_only_middle(self, alone: bool) -> None:
        """Put the docks away, so that a room can read what is in the middle; or bring them back."""
        if alone:
            self._put_away = [dock for dock in self._docks if dock.isVisible()]
        for dock in self._put_away:
            dock.setVisible(not alone)
        if not alone:
            self._put_away = []

    def restore(self) -> None:
        """Put the window where it was left, if that is known, and inside the screens there are."""
        window, store = self._window, self._store
        known = window.restoreGeometry(unpacked(store.get("geometry", "")))
        if not (window.isMaximized() or window.isFullScreen()):
            screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
            place = fitted(window.geometry(), screens)
            if known:
                window.setGeometry(place)
            else:  # where it stands is for the window manager to say
                window.resize(place.size())
        self.remembered = window.restoreState(unpacked(store.get("layout", "")), VERSION)
        self._order_focus()

    def _order_focus(self) -> None:
        """Whatever adds a dock puts it last; Tab goes on from left to right."""
        training, *others = self._docks
        order_focus([training, *self._middle, *others])

    def remember(self) -> None:
        """Note where everything is; docks that are put away for a while come back next time."""
        self.show_only_middle(False)
        self._store.set("geometry", packed(self._window.saveGeometry()))
        self._store.set("layout", packed(self._window.saveState(VERSION)))


def order_focus(parts: Sequence[QWidget]) -> None:
    """Let Tab walk through parts of a window one after another, in each as it was built."""
    stops = [stop for part in parts for stop in _stops_in(part)]
    for one, other in pairwise(stops):
        if one.window() is other.window():  # a dock may float
            QWidget.setTabOrder(one, other)


def _stops_in(part: QWidget) -> list[QWidget]:
    if isinstance(part, QTabWidget):  # only the tabs; what is behind them are parts of their own
        return [part.tabBar()]  # to move the whole would tear apart what is last behind them
    inside = (QAbstractSpinBox, QComboBox)  # their own parts are none of ours
    own = [part] if part.focusPolicy() & Qt.FocusPolicy.TabFocus else []
    return own + [
        stop
        for stop in part.findChildren(QWidget)
        if stop.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not isinstance(stop.parentWidget(), inside)
        and stop.focusProxy() is None
        and stop.window() is part.window()  # no menus and lists that pop up
    ]


def fitted(place: QRect, screens: Sequence[QRect]) -> QRect:
    """A window's place, shrunk and moved until it is, with its frame, on one of the screens.

    That is the one that shows the most of it, or the first.

    >>> fitted(QRect(0, 0, 1440, 900), [QRect(0, 0, 1280, 800)])
    PySide6.QtCore.QRect(8, 36, 1264, 756)
    """

    def seen(screen: QRect) -> int:
        part = screen.intersected(place)
        return part.width() * part.height()

    if not screens:
        return place
    room = max(screens, key=seen).marginsRemoved(FRAME)
    size = place.size().boundedTo(room.size())
    left = min(max(place.left(), room.left()), room.right() + 1 - size.width())
    top = min(max(place.top(), room.top()), room.bottom() + 1 - size.height())
    return QRect(left, top, size.width(), size.height())


def packed(data: QByteArray) -> str:
    """Bytes as JSON can hold them."""
    return b64encode(data.data()).decode("ascii")


def unpacked(text: str) -> QByteArray:
    """What `packed` gave; nothing for what it did not give."""
    try:
        return QByteArray(b64decode(text, validate=True))
    except ValueError:
        return QByteArray()
