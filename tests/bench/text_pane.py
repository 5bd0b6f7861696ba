"""How quick the text pane is at size: keys, scrolling, opening, hostile texts.

    python -m tests.bench.text_pane TABLE TEXT [--xcb] [--keys 60] [--only NAME…] [--processor]

TEXT is ordinary text of 10 MB or more; its first 100 KB, 1 MB and 10 MB are taken, and a line of
1 MB. Each is put into the program's real window. A key is a real QKeyEvent; it is timed until the
pane has painted it, and until it has painted the tokens of the text with it ("coloured"). A frame
is a move of the scroll bar until it is painted. The longest pause is that of the event loop while
the text is shown. `--xcb` uses the display instead of the offscreen platform. `--processor` counts
for letters and frames what the window's thread took of the processor, for a machine that is busy
with other things.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.gui_latency import Tick, wait

KEY_LIMIT_MS, FRAME_LIMIT_MS, OPEN_LIMIT_MS, PAUSE_LIMIT_MS = 50.0, 1000 / 30, 1000.0, 200.0
SIZE = (1280, 800)
LETTERS = "the lowest, new words "
STEPS = {"wheel": 3, "page": 40}


def texts(path: Path) -> dict[str, str]:
    """Ordinary texts by size, a long line, and what is made to hang an editor."""
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        long = file.read(10_000_000)
    return {
        "100 KB": long[:100_000],
        "1 MB": long[:1_000_000],
        "10 MB": long,
        "1 MB, one line": long[:1_200_000].replace("\n", " ").replace("\r", " ")[:1_000_000],
        "1 MB, one word": "lowest" * 166_000,
        "1 M newlines": "\n" * 1_000_000,
        "100 K marks": "e" + "\u0301" * 100_000,
        "Zalgo": ("Z" + "\u0335\u0321\u0334\u0312" * 12) * 4_000,
        "bidi controls": ("\u202e\u2066abc \u202d" * 9 + "\n") * 3_000,
        "NULs": "\0" * 200_000 + ("\0a " * 20 + "\n") * 5_000,
    }  # fmt: skip


class Watch:
    """Notes when the pane of the window has painted."""

    def __init__(self) -> None:
        from bpe_studio.gui.widgets.long_text_view import LongTextView
        from bpe_studio.gui.widgets.token_text import TokenText

        self.painted = self.busy = 0.0
        self.clock = time.perf_counter
        self._note(TokenText)
        self._note(LongTextView)

    def _note(self, view: Any) -> None:
        paint = view.paintEvent

        def noted(pane: Any, event: Any) -> None:
            paint(pane, event)
            self.painted, self.busy = time.perf_counter(), self.clock()

        view.paintEvent = noted


class Bench:
    """The program's window with a table and one text after another."""

    def __init__(self, folder: Path, table: str) -> None:
        from bpe_studio.gui import theme
        from bpe_studio.gui.app import make_application, make_window
        from bpe_studio.gui.collector import IdleCollection
        from bpe_studio.gui.state.settings_store import SettingsStore

        self.watch = Watch()
        self.app = make_application()
        theme.apply(self.app, "light")
        self.window = make_window(SettingsStore(folder))
        IdleCollection(self.window)  # as in the program
        self.window.resize(*SIZE)
        self.window.show()
        self.window.kernels.start()
        wait(self.app, self.window.kernels.ready.is_set)
        self.window.files.open_table(Path(table), asks=False)
        wait(self.app, lambda: self.window.tables.current is not None)
        self.panel = self.window.text_panel
        self.window.show_panel(self.panel)
        self.tick = Tick()

    @property
    def pane(self) -> Any:
        return self.panel.pane

    def show(self, name: str, text: str) -> tuple[float, float, float, float]:
        """Milliseconds until the tokens are painted, those of the processor without the encode,
        those of the encode, and the longest pause."""
        tokenizer = self.window.tables.current.tokenizer
        began, busy = time.perf_counter(), time.process_time()
        tokenizer.encode_with_offsets(text)
        encode = 1000 * (time.perf_counter() - began)
        busy_encode = time.process_time() - busy
        self.window.text.set_text("")
        wait(self.app, lambda: False, 0.3)
        self.tick.phase = f"open {name}"
        began, busy = time.perf_counter(), time.process_time()
        self.window.text.set_text(text)
        wait(self.app, self._coloured_since(began))
        total = 1000 * (self.watch.painted - began)
        busy = 1000 * (time.process_time() - busy - busy_encode)
        wait(self.app, lambda: False, 0.6)
        pause = max(self.tick.late.get(self.tick.phase, [0.0]))
        self.tick.phase = "rest"
        return total, busy, encode, pause

    def _coloured_since(self, began: float) -> Any:
        seen: list[float] = []

        def done() -> bool:
            if self.pane.layout_is_fresh and not seen:
                seen.append(time.perf_counter())
                self.pane.viewport().update()
            return bool(seen) and self.watch.painted > max(seen[0], began)

        return done

    def keys(self, count: int) -> tuple[list[float], list[float]]:
        """Milliseconds from a key to its letter on screen, and to its tokens."""
        from PySide6.QtCore import QEvent, Qt
        from PySide6.QtGui import QKeyEvent

        letters, colours = [], []
        cursor = self.pane.textCursor()
        cursor.setPosition(self.pane.length() // 2)
        self.pane.setTextCursor(cursor)
        self.pane.centerCursor()
        self.pane.setFocus()
        wait(self.app, lambda: False, 0.3)
        for number in range(count):
            letter = LETTERS[number % len(LETTERS)]
            press = QKeyEvent(QEvent.Type.KeyPress, 0, Qt.KeyboardModifier.NoModifier, letter)
            began, busy = time.perf_counter(), self.watch.clock()
            self.app.postEvent(self.pane, press)
            wait(self.app, lambda began=began: self.watch.painted > began)
            letters.append(1000 * (self.watch.busy - busy))
            wait(self.app, lambda: self.pane.layout_is_fresh, 5.0)
            fresh = time.perf_counter()
            wait(self.app, lambda fresh=fresh: self.watch.painted > fresh, 0.2)
            colours.append(1000 * (self.watch.painted - began))
        return letters, colours

    def frames(self, how: str, count: int) -> list[float]:
        """Milliseconds of each move of the scroll bar until it is painted."""
        bar = self.pane.verticalScrollBar()
        found, chance = [], random.Random(1)
        bar.setValue(0)
        for _ in range(count):
            place = (
                chance.randrange(bar.maximum() + 1)
                if how == "jump"
                else min(bar.value() + STEPS[how], bar.maximum())
            )
            if place == bar.value():
                continue
            self.app.processEvents()
            began, busy = time.perf_counter(), self.watch.clock()
            bar.setValue(place)
            while self.watch.painted < began and time.perf_counter() < began + 5:
                self.app.processEvents()
            found.append(1000 * max(0.0, self.watch.busy - busy))
        return found or [0.0]


def line(times: list[float]) -> str:
    """Median, 95th percentile and the longest."""
    times = sorted(times)
    middle, late = times[len(times) // 2], times[min(len(times) - 1, int(0.95 * len(times)))]
    return f"median {middle:7.1f}   95th {late:7.1f}   max {times[-1]:7.1f} ms"


def rows(bench: Bench, name: str, text: str, keys: int) -> Iterator[tuple[str, bool]]:
    """The lines about one text, and whether each is within the limits."""
    total, busy, encode, pause = bench.show(name, text)
    shown = max(0.0, total - encode)
    yield (
        f"{name:15} open   {total:7.1f} ms, an encode alone {encode:7.1f}; processor without it "
        f"{busy:7.1f}; longest pause {pause:6.1f} ms",
        shown <= OPEN_LIMIT_MS and pause <= PAUSE_LIMIT_MS,
    )
    if not bench.pane.isReadOnly():
        letters, colours = bench.keys(keys)
        good = sorted(letters)[int(0.95 * len(letters))] <= KEY_LIMIT_MS
        yield f"{'':15} letter {line(letters)}", good
        yield f"{'':15} colour {line(colours)}", True
    for how in ("wheel", "page", "jump"):
        frames = bench.frames(how, 40)
        yield f"{'':15} {how:6} {line(frames)}", sorted(frames)[-1] <= FRAME_LIMIT_MS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table")
    parser.add_argument("text", type=Path)
    parser.add_argument("--xcb", action="store_true", help="on the display, not offscreen")
    parser.add_argument("--keys", type=int, default=60)
    parser.add_argument("--processor", action="store_true", help="the window's thread alone")
    parser.add_argument("--only", nargs="+", help="names of texts")
    given = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "xcb" if given.xcb else "offscreen"
    all_good = True
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), given.table)
        bench.watch.clock = time.thread_time if given.processor else time.perf_counter
        for name, text in texts(given.text).items():
            if given.only and name not in given.only:
                continue
            for words, good in rows(bench, name, text, given.keys):
                print(words + ("" if good else "   BEYOND THE LIMIT"), flush=True)
                all_good = all_good and good
        window = bench.window
        window.closing.end_all(window, window.training, window.corpus, window.kernels)
    print("Within the limits." if all_good else "Beyond the limits.")
    return 0 if all_good else 1


if __name__ == "__main__":
    sys.exit(main())
