"""The application: what is checked before a window opens, and the states that it is made of."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

import PySide6
from PySide6.QtCore import QLocale, QLoggingCategory, QObject, QTimer
from PySide6.QtWidgets import QApplication

from bpe_studio.gui import icons, theme
from bpe_studio.gui.collector import IdleCollection, collector
from bpe_studio.gui.main_window import MainWindow
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.findings import FindingsState
from bpe_studio.gui.state.kernels import KernelState
from bpe_studio.gui.state.open_tables import OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.state.size import SizeState
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.state.training import TrainingState

FAULTY_PYSIDE = "6.12.0"
NO_DISPLAY = (
    "bpe-studio: there is no display for a window; `bpe-studio train` and `bpe-studio screenshot` "
    "work without one, and `xvfb-run bpe-studio` opens the window in memory."
)


def refusal(
    *, pyside: str = PySide6.__version__, python: tuple[int, ...] = sys.version_info[:2]
) -> str:
    """Why this Qt cannot be used, with the fix; nothing if it can.

    PySide6 6.12.0 drops references to True and None on Python before 3.12, and after some hundred
    signals the process is aborted.
    """
    if pyside != FAULTY_PYSIDE or python >= (3, 12):
        return ""
    return (
        f"bpe-studio: PySide6 {pyside} aborts on Python {python[0]}.{python[1]}; run "
        '`pip install "PySide6-Essentials<6.12"` or use Python 3.12.'
    )


def has_display(environ: dict[str, str] | None = None, platform: str = sys.platform) -> bool:
    """Whether Qt would find a display; it aborts the process where it does not."""
    found = os.environ if environ is None else environ
    if platform in ("win32", "darwin", "cygwin"):
        return True
    chosen = found.get("QT_QPA_PLATFORM", "").split(":")[0].split(";")[0]
    if chosen not in ("", "xcb", "wayland", "wayland-egl"):
        return True  # offscreen, vnc, a framebuffer …
    if found.get("WAYLAND_DISPLAY") and chosen != "xcb":
        return True
    return bool(found.get("DISPLAY")) and _answers(found["DISPLAY"])


def _answers(display: str) -> bool:
    """Whether an X server listens there. Qt aborts when it does not; asking costs nothing."""
    import socket

    host, _, rest = display.rpartition(":")
    number = rest.split(".")[0]
    if host not in ("", "unix") or not number.isdecimal() or not hasattr(socket, "AF_UNIX"):
        return True
    for address in (f"/tmp/.X11-unix/X{number}", f"\0/tmp/.X11-unix/X{number}"):
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(address)
                return True
            except OSError:
                continue
    return False


def make_application(arguments: list[str] | None = None) -> QApplication:
    """The one QApplication, named and dressed."""
    # Fonts that lack a script are no news: another font has it.
    QLoggingCategory.setFilterRules("qt.text.font.db=false")
    app = QApplication.instance() or QApplication([sys.argv[0], *(arguments or [])])
    app.setApplicationName("bpe-studio")
    app.setApplicationDisplayName("BPE Studio")
    app.setDesktopFileName("bpe-studio")
    if QLocale().language() == QLocale.Language.C:  # it would write 12345678
        QLocale.setDefault(QLocale(QLocale.Language.English))
    app.setWindowIcon(icons.program_icon())
    # Before there are widgets: those that vary their font keep the family that they began with.
    app.setFont(theme.ui_font())
    return app


def make_window(store: SettingsStore, *, owner: QObject | None = None) -> MainWindow:
    """A window with states of its own."""
    corpus, tables, kernels = CorpusState(owner), OpenTables(owner), KernelState(owner)
    training = TrainingState(corpus=corpus, tables=tables, kernels=kernels, parent=owner)
    return MainWindow(
        corpus=corpus,
        training=training,
        tables=tables,
        selection=Selection(owner),
        text=TextState(owner),
        size=SizeState(tables, owner),
        findings=FindingsState(owner),
        kernels=kernels,
        store=store,
    )


def run_window(files: Iterable[str | os.PathLike[str]] = ()) -> int:
    """Open the window with these tokenizers and texts; the exit status."""
    trouble = refusal() or ("" if has_display() else NO_DISPLAY)
    if trouble:
        print(trouble, file=sys.stderr)
        return 1
    app = make_application()
    store = SettingsStore()
    window = make_window(store)
    # A stylesheet goes through all widgets at once in half the time that it takes one by one.
    theme.apply(app, store.get("theme", "system"))
    window.show()
    window.open([Path(name) for name in files])
    QTimer.singleShot(0, window.kernels.start)
    QTimer.singleShot(0, lambda: prepare_plot(window))
    IdleCollection(window)
    _let_interrupts_through(app, window)
    return app.exec()


def prepare_plot(window: MainWindow) -> None:
    """Import and make what the first curve needs, while the window is alive and nothing is shown,
    and import the formats, which the first file needs.

    The import is a third of a second long: on a thread, it lets the window through.
    """

    def load() -> None:
        try:
            import bpe_studio.formats.apart.reading
            import bpe_studio.formats.registry
            import bpe_studio.gui.widgets.curve_plot  # noqa: F401
        finally:
            loaded.set()

    def make() -> None:
        if not loading.is_alive():
            look.stop()
            window.curve.make_plot()

    loaded = threading.Event()
    collector.enter(loaded)  # it makes many objects, and must not collect those of Qt
    loading = threading.Thread(target=load, name="load plotting")
    look = QTimer(window)
    look.setInterval(50)
    look.timeout.connect(make)
    loading.start()
    look.start()


def _let_interrupts_through(app: QApplication, window: MainWindow) -> None:
    """Ctrl-C in the terminal closes the window; Python needs to run now and then to see it."""
    signal.signal(signal.SIGINT, lambda *_: app.exit(130))
    tick = QTimer(window)
    tick.timeout.connect(lambda: None)
    tick.start(250)
    app.aboutToQuit.connect(lambda: window.closing.end_all(window, *window.states))
