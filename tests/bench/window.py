"""A window, and the moment at which it is painted.

    python -m tests.bench.window ours|bare OUT

`bare` is what any program with PySide6 and pyqtgraph pays: a main window with one plot. The moment
is written to OUT, on the clock that all processes of the machine share.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def bare() -> Any:
    from pyqtgraph import PlotWidget
    from PySide6.QtWidgets import QApplication, QMainWindow

    app = QApplication([])
    window = QMainWindow()
    window.setCentralWidget(PlotWidget())
    window.resize(1440, 900)
    return app, window


def ours() -> Any:
    """As `bpe_studio.gui.app.run_window` does it, with settings that nobody else uses."""
    from bpe_studio.gui import theme
    from bpe_studio.gui.app import make_application, make_window
    from bpe_studio.gui.state.settings_store import SettingsStore

    app = make_application()
    store = SettingsStore(Path(tempfile.mkdtemp(dir=os.environ.get("BENCH_FOLDER"))))
    window = make_window(store)
    theme.apply(app, store.get("theme", "system"))
    return app, window


def main() -> int:
    make: Callable[[], Any] = {"ours": ours, "bare": bare}[sys.argv[1]]
    app, window = make()
    window.show()
    while not window.isVisible() or not window.windowHandle().isExposed():
        app.processEvents()
    window.grab()  # painted, whatever the platform thinks of painting
    Path(sys.argv[2]).write_text(str(time.monotonic()))
    os._exit(0)  # closing is not measured


if __name__ == "__main__":
    sys.exit(main())
