"""The real program on a real X server, with real keys: train, save, compare with the command line.

It starts an Xvfb of its own, so that no key ever reaches the desktop of whoever runs the tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import bpe_studio

NEEDED = ("Xvfb", "xdotool")
MISSING = [name for name in NEEDED if shutil.which(name) is None]
VOCAB_SIZE = 700
PATIENCE = 120.0
FIRST_START = 400.0  # it compiles the kernels, on a machine that may be busy
SETTLED = 1.0  # keys that come while the focus moves from a dialog to its window are lost

pytestmark = [
    pytest.mark.xvfb,
    pytest.mark.skipif(
        bool(MISSING),
        reason=f"NOT RUN: the end-to-end test needs {' and '.join(MISSING)}, which are not here",
    ),
]


def wait(what: str, done: Callable[[], object], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            pytest.fail(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.1)


@pytest.fixture
def display() -> Iterator[str]:
    """The name of a display that nobody else uses."""
    reading, writing = os.pipe()
    command = [
        "Xvfb",
        "-displayfd",
        str(writing),
        "-screen",
        "0",
        "1280x800x24",
        "-nolisten",
        "tcp",
    ]
    server = subprocess.Popen(
        command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()
    if not number:
        pytest.fail("Xvfb did not start.")
    yield f":{number}"
    server.terminate()
    server.wait(10)


class Robot:
    """Looks for windows and presses keys."""

    def __init__(self, display: str) -> None:
        self._environ = {**os.environ, "DISPLAY": display}

    def ask(self, *words: str) -> str:
        ended = subprocess.run(
            ["xdotool", *words], env=self._environ, capture_output=True, text=True, timeout=30
        )
        return ended.stdout.strip()

    def window(self, name: str) -> str:
        """The id of the visible window whose title matches; nothing if there is none."""
        return self.ask("search", "--onlyvisible", "--name", name).split("\n")[-1]

    def focus(self, name: str) -> None:
        wait(f"a window {name!r}", lambda: self.window(name))
        self.ask("windowfocus", "--sync", self.window(name))
        time.sleep(0.3)

    def press(self, *keys: str) -> None:
        self.ask("key", "--clearmodifiers", "--delay", "60", *keys)
        time.sleep(0.2)

    def write(self, text: str) -> None:
        self.ask("type", "--delay", "8", text)
        time.sleep(0.2)


@pytest.fixture
def program(display: str, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    environ = {
        **os.environ,
        "DISPLAY": display,
        "QT_QPA_PLATFORM": "xcb",
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    environ.pop("WAYLAND_DISPLAY", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "bpe_studio"], env=environ, stderr=subprocess.PIPE, text=True
    )
    yield process
    if process.poll() is None:
        process.kill()
        process.wait(10)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for module in ("argparse", "ast", "enum", "json/decoder", "random"):
        source = Path(os.__file__).parent / f"{module}.py"
        shutil.copy(source, folder / source.name)
    return folder


def test_train_and_save_by_keyboard(
    display: str, program: subprocess.Popen[str], corpus: Path, tmp_path: Path
) -> None:
    robot, saved = Robot(display), tmp_path / "window.json"
    robot.focus("BPE Studio")
    robot.press("alt+t", "o")  # Tokenizer, Add folder
    robot.focus("Add a folder")
    robot.write(str(corpus))
    robot.press("Return")
    wait("the dialog to close", lambda: not robot.window("Add a folder"))
    time.sleep(SETTLED)
    robot.focus("BPE Studio")
    robot.press("alt+s", "ctrl+a")  # Vocabulary size
    robot.write(str(VOCAB_SIZE))
    robot.press("F5")
    name = f"corpus-{VOCAB_SIZE}"
    wait("the end of the training", lambda: robot.window(f"^{name}"), FIRST_START)
    robot.press("ctrl+s")
    robot.focus(f"^Save {name}")
    robot.press("ctrl+a")
    robot.write(str(saved))
    robot.press("Return")
    wait("the saved file", saved.exists)
    robot.focus("^window")  # the title has the name of the file now
    robot.press("ctrl+q")
    wait("the program to end", lambda: program.poll() is not None)
    assert program.returncode == 0
    assert program.stderr is not None and "QThread" not in program.stderr.read()

    by_command = tmp_path / "command.json"
    command = [sys.executable, "-m", "bpe_studio", "train", str(corpus)]
    options = ["-o", str(by_command), "--vocab-size", str(VOCAB_SIZE)]
    subprocess.run([*command, *options], check=True, capture_output=True, timeout=PATIENCE)
    assert saved.read_bytes() == by_command.read_bytes()
    assert bpe_studio.load(saved).vocab_size == VOCAB_SIZE
