"""How late the window is while it trains.

A timer of 10 ms in the GUI thread notes how late it is; then Stop is pressed in a second training.

    python -m tests.bench.gui_latency CORPUS… [--vocab-size 16000] [--empty-cache] [--xcb]

With `--empty-cache` the kernels are compiled first, by the window's own warm-up, and that time is
measured too.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

TICK_MS = 10
LATEST_MS, P99_MS, STOP_MS = 100.0, 30.0, 100.0


class Tick:
    """A timer that notes its own lateness, phase by phase, in milliseconds."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.late: dict[str, list[float]] = {}
        self.phase = "opening"
        self._last = time.perf_counter()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._note)
        self._timer.start(TICK_MS)

    def _note(self) -> None:
        now = time.perf_counter()
        self.late.setdefault(self.phase, []).append(1000 * (now - self._last) - TICK_MS)
        self._last = now

    def line(self, phase: str) -> str:
        late = sorted(self.late.get(phase, [0.0]))
        p99 = late[min(len(late) - 1, int(0.99 * len(late)))]
        return f"{phase:12} {len(late):7,} ticks   max {late[-1]:6.1f} ms   p99 {p99:5.1f} ms"


def wait(app: object, done: Callable[[], bool], seconds: float = 1800.0) -> None:
    """Let the real event loop run until something is true."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop, timer = QEventLoop(), QTimer()
    end = time.monotonic() + seconds
    timer.timeout.connect(lambda: loop.quit() if done() or time.monotonic() > end else None)
    timer.start(2)
    loop.exec()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="+", type=Path)
    parser.add_argument("--vocab-size", type=int, default=16_000)
    parser.add_argument("--empty-cache", action="store_true")
    parser.add_argument("--xcb", action="store_true", help="on the display, not offscreen")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["QT_QPA_PLATFORM"] = "xcb" if given.xcb else "offscreen"
        if given.empty_cache:
            os.environ["NUMBA_CACHE_DIR"] = str(Path(folder) / "kernels")
        return measure(given, Path(folder))


def measure(given: argparse.Namespace, folder: Path) -> int:
    from bpe_studio.gui import theme
    from bpe_studio.gui.app import make_application, make_window, prepare_plot
    from bpe_studio.gui.state.settings_store import SettingsStore

    app = make_application()
    theme.apply(app, "light")
    window = make_window(SettingsStore(folder))
    window.resize(1280, 800)
    window.show()
    tick = Tick()
    training, panel = window.training, window.training_panel
    training.phaseChanged.connect(lambda phase: setattr(tick, "phase", phase))
    window.kernels.start()
    prepare_plot(window)
    window.text_panel.show_sample()
    panel.form.vocab_size.setValue(given.vocab_size)
    # The first painting is the opening; from then on it is all waiting for the user.
    wait(app, lambda: bool(tick.late))
    tick.phase = "loading"
    wait(app, lambda: window.curve.plot_is_made)
    tick.phase = "looking"
    window.corpus.add(given.corpus)
    wait(app, lambda: window.corpus.corpus is not None)
    panel.start()
    began = time.perf_counter()
    wait(app, lambda: not training.running)
    print(f"{window.corpus.corpus.total_bytes / 1e6:.1f} MB to {given.vocab_size:,} tokens in "
          f"{time.perf_counter() - began:.1f} s: {training.phase}")  # fmt: skip
    every = [late for phase, part in tick.late.items() if phase != "opening" for late in part]
    tick.late["all"] = every
    for phase in tick.late:
        print(tick.line(phase))
    stops = [stop_latency(app, window, phase) for phase in ("counting", "merging")]
    print(f"Stop answered in {stops[0]:.1f} ms while counting, {stops[1]:.1f} ms while merging")
    window.closing.end_all(window, training, window.corpus, window.kernels)
    late = sorted(every)
    good = late[-1] < LATEST_MS and late[int(0.99 * len(late))] < P99_MS and max(stops) < STOP_MS
    print("Within the limits." if good else "Beyond the limits.")
    return 0 if good else 1


def stop_latency(app: object, window: object, phase: str) -> float:
    """Milliseconds from Stop to the end of a new training, pressed in the middle of a phase."""
    training = window.training
    window.training_panel.start()
    wait(app, lambda: training.phase == phase or not training.running)
    wait(app, lambda: not training.running, seconds=0.2)
    began = time.perf_counter()
    training.stop()
    wait(app, lambda: not training.running)
    return 1000 * (time.perf_counter() - began)


if __name__ == "__main__":
    sys.exit(main())
