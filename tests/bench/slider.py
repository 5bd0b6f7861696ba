"""How well the vocabulary slider follows the mouse.

    python -m tests.bench.slider TABLE TEXT [--frames 120] [--size 1280x800] [--xcb]
        [--processor] [--profile]

The program's real window with TABLE and the first 100 KB and 1 MB of TEXT. The slider is dragged
over its whole range, from left to right, back, and to random places; a frame is from the moment at
which it is told another number until the pane has painted its tokens, the figures, and what other
panels tell of the size (and then all of the window by `grab`, timed apart). "Worked" is the time
that the thread of the window had a processor, for machines that do other things meanwhile. Then
the pane is scrolled to its middle, and all is done again. With --processor it is this time that has
to be within the limit; with --profile it is told where it goes.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tests.bench.gui_latency import wait
from tests.bench.text_pane import Watch

LIMIT_MS = 33.0
TEXTS = {"100 KB": 100_000, "1 MB": 1_000_000}


class Bench:
    """The window, a table, and one text after another."""

    def __init__(self, folder: Path, table: str, size: tuple[int, int]) -> None:
        from bpe_studio.gui import theme
        from bpe_studio.gui.app import make_application, make_window, prepare_plot
        from bpe_studio.gui.collector import IdleCollection
        from bpe_studio.gui.state.settings_store import SettingsStore

        self.watch = Watch()
        self.app = make_application()
        theme.apply(self.app, "light")
        self.window = make_window(SettingsStore(folder))
        self.window.resize(*size)
        self.window.show()
        IdleCollection(self.window)
        self.window.kernels.start()
        prepare_plot(self.window)
        wait(self.app, self.window.kernels.ready.is_set)
        self.window.files.open_table(Path(table), pattern="cl100k", asks=False)
        wait(self.app, lambda: self.window.tables.current is not None)
        self.window.show_panel(self.window.text_panel)

    @property
    def slide(self) -> Any:
        return self.window.text_panel.slide

    @property
    def pane(self) -> Any:
        return self.window.text_panel.pane

    def show(self, text: str) -> float:
        """Milliseconds from the first move of the slider until it is live."""
        self.window.size_state.set_merges(None)
        self.window.text.set_text(text)
        wait(self.app, lambda: self.pane.layout_is_fresh)
        began = time.perf_counter()
        self.slide.bar.slider.setValue(self.slide.bar.merges // 2)
        known = self.window.tables.current.tokenizer
        wait(self.app, lambda: self.slide.tracer.answer(known, text) is not None)
        return 1000 * (time.perf_counter() - began)

    def frame(self, merges: int) -> tuple[float, float]:
        """Milliseconds until another size is painted, and those that the processor worked."""
        if merges == self.slide.bar.slider.value():
            merges += 1
        seen: list[float] = []
        note = self.slide.moved.connect(lambda _: seen.append(time.perf_counter()))
        began, worked = time.perf_counter(), time.thread_time()
        self.slide.bar.slider.setValue(merges)
        while not (seen and self.watch.painted > seen[0]) and time.perf_counter() < began + 10:
            self.app.processEvents()
        took = 1000 * (time.perf_counter() - began), 1000 * (time.thread_time() - worked)
        self.slide.moved.disconnect(note)
        return took

    def grab(self) -> float:
        """Milliseconds to paint the whole window."""
        began = time.perf_counter()
        self.window.grab()
        return 1000 * (time.perf_counter() - began)

    def drag(self, frames: int) -> dict[str, list[tuple[float, float]]]:
        """Frame times by way of dragging."""
        last = self.slide.bar.merges
        steps = [last * i // frames for i in range(frames)]
        chance = random.Random(7)
        ways = {
            "to the right": steps,
            "to the left": steps[::-1],
            "to and fro": [chance.randrange(last) for _ in range(frames)],
        }
        return {way: [self.frame(merges) for merges in line] for way, line in ways.items()}


def told(times: Sequence[float]) -> str:
    ordered = sorted(times)
    high = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"median {statistics.median(ordered):6.1f}   95th {high:6.1f}   max {ordered[-1]:6.1f}"


def measure(bench: Bench, text: Path, frames: int, *, processor: bool) -> Iterable[bool]:
    whole = text.read_text(encoding="utf-8", errors="replace")
    for name, length in TEXTS.items():
        live = bench.show(whole[:length])
        print(f"{name}: live {live:.0f} ms after the first move", flush=True)
        bar = bench.pane.verticalScrollBar()
        for place, value in (("its begin", 0), ("its middle", bar.maximum() // 2)):
            bar.setValue(value)
            bench.frame(1)
            for way, times in bench.drag(frames).items():
                took, worked = zip(*times, strict=True)
                late = sum(one > LIMIT_MS for one in (worked if processor else took))
                print(f"  {place:10}  {way:13}{told(took)} ms   {late} of {len(took)} late")
                print(f"  {'':10}  {'of it worked':13}{told(worked)} ms", flush=True)
                yield late <= len(times) // 20
        print(f"  painting the window {told([bench.grab() for _ in range(10)])} ms", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("table")
    parser.add_argument("text", type=Path)
    parser.add_argument("--frames", type=int, default=120, help="for each way of dragging")
    parser.add_argument("--size", default="1280x800")
    parser.add_argument("--xcb", action="store_true", help="on the display, not offscreen")
    parser.add_argument("--processor", action="store_true", help="judge by processor time")
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "xcb" if given.xcb else "offscreen"
    width, height = map(int, given.size.split("x"))
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), given.table, (width, height))
        print(f"{given.table}: {bench.slide.bar.merges:,} merges, window {given.size}")
        profile = cProfile.Profile() if given.profile else None
        if profile is not None:
            profile.enable()
        good = all(list(measure(bench, given.text, given.frames, processor=given.processor)))
        if profile is not None:
            profile.disable()
            pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        window = bench.window
        window.closing.end_all(window, *window.states)
        window.kernels.close(0)
    print("95 of 100 frames within 33 ms." if good else "Beyond 33 ms.")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
