"""Starting: the command line beside `import typer`, the window beside a bare one.

Each pair runs in turn. What the second start compiles is counted in a cache of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.bench.figures import Row, cases, ratio
from tests.bench.processes import Outcome, run_command
from tests.bench.rounds import Round, in_rounds
from tests.bench.table import markdown, number, spread, times

Run = Callable[[Round], Outcome]
# How many times the yardstick's time each may take.
ALLOWED = {"command line": 1.5, "window, offscreen": 1.3, "window, X server": 1.3}
PAIRS_A_ROUND = 3


def measure(*, rounds: int, limit: float) -> Iterator[Row]:
    pairs = rounds * PAIRS_A_ROUND
    yield from in_rounds("command line", _command_line(limit), rounds=pairs)
    with tempfile.TemporaryDirectory() as folder:
        offscreen = {"QT_QPA_PLATFORM": "offscreen", "BENCH_FOLDER": folder}
        windows = _windows(Path(folder), limit, offscreen)
        yield from in_rounds("window, offscreen", windows, rounds=pairs)
        with x_server() as display:
            if display:
                shown = {**offscreen, "QT_QPA_PLATFORM": "xcb", "DISPLAY": display}
                windows = _windows(Path(folder), limit, shown)
                yield from in_rounds("window, X server", windows, rounds=pairs)
    yield from _compiling(limit)


def _command_line(limit: float) -> dict[str, Run]:
    python = sys.executable
    return {
        "import typer": lambda _: run_command([python, "-c", "import typer"], limit),
        "bpe-studio --help": lambda _: run_command([python, "-m", "bpe_studio", "--help"], limit),
    }


def _windows(folder: Path, limit: float, more: Mapping[str, str]) -> dict[str, Run]:
    def run(which: str) -> Outcome:
        moment = folder / "moment"
        moment.unlink(missing_ok=True)
        began = time.monotonic()
        words = [sys.executable, "-m", "tests.bench.window", which, str(moment)]
        outcome = run_command(words, limit, **more)
        if not outcome.error:
            outcome.figures["seconds"] = float(moment.read_text()) - began
        return outcome

    return {
        "bare PySide6 + pyqtgraph": lambda _: run("bare"),
        "bpe-studio": lambda _: run("ours"),
    }


@contextmanager
def x_server() -> Iterator[str]:
    """A display in memory, or nothing where there is no Xvfb."""
    program = shutil.which("Xvfb")
    if program is None:
        yield ""
        return
    reading, writing = os.pipe()
    words = [
        program,
        "-displayfd",
        str(writing),
        "-screen",
        "0",
        "1600x1000x24",
        "-nolisten",
        "tcp",
    ]
    server = subprocess.Popen(words, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        yield f":{number}" if number else ""
    finally:
        server.terminate()
        server.wait()


def _compiling(limit: float) -> Iterator[Row]:
    """The first start compiles; the second one finds everything, and a training too."""
    with tempfile.TemporaryDirectory() as name:
        folder, text = Path(name), Path(name) / "text.txt"
        text.write_text("low low lower lowest\n" * 99)
        cache = {"NUMBA_CACHE_DIR": str(folder / "kernels")}
        warm = [sys.executable, "-m", "bpe_studio.warm"]
        train = [sys.executable, "-m", "bpe_studio", "train", str(text)]
        train += ["-o", str(folder / "table.json"), "--vocab-size", "300"]
        for title, words in (
            ("first start, nothing compiled", warm),
            ("second start", warm),
            ("a training after that", train),
        ):
            before = _files(folder)
            outcome = run_command(words, limit, **cache)
            new = len(_files(folder) - before)
            check = f"{new} files compiled"
            yield Row("compiling", title, [outcome.figures], check=check, error=outcome.error)


def _files(folder: Path) -> set[tuple[str, int]]:
    return {(path.name, path.stat().st_mtime_ns) for path in folder.rglob("*.nb?")}


def tables(rows: Sequence[Row], short: bool) -> str:
    """Seconds, and the ratio to the yardstick, which is each pair's first."""
    lines = []
    for case, members in cases(rows).items():
        for row in members:
            paired = case in ALLOWED and row is not members[0]
            factor = ratio(row, members[0], "seconds") if paired else None
            allowed = f"≤ {ALLOWED[case]}×" if factor is not None else ""
            seconds = number(row.median("seconds")) if short else spread(row, "seconds")
            told = times(factor) if factor is not None else ""
            lines.append([f"{case}: {row.who}", seconds, told, allowed, row.error or row.check])
    return markdown(["", "s", "median ratio", "aim", ""], lines)
