"""What is checked before a window opens."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from bpe_studio.gui import theme
from bpe_studio.gui.app import has_display, make_application, refusal


@pytest.mark.parametrize(
    ("pyside", "python", "refused"),
    [
        ("6.12.0", (3, 11), True),
        ("6.12.0", (3, 12), False),
        ("6.12.1", (3, 11), False),
        ("6.11.3", (3, 11), False),
    ],
)
def test_the_faulty_qt_is_refused(pyside: str, python: tuple[int, int], refused: bool) -> None:
    sentence = refusal(pyside=pyside, python=python)
    assert bool(sentence) is refused
    assert "\n" not in sentence and ("pip install" in sentence or not refused)


def test_where_a_display_is(tmp_path: Path) -> None:
    assert not has_display({}, "linux")
    assert not has_display({"DISPLAY": ":987"}, "linux")
    assert has_display({}, "win32") and has_display({}, "darwin")
    assert has_display({"QT_QPA_PLATFORM": "offscreen"}, "linux")
    assert has_display({"QT_QPA_PLATFORM": "vnc:size=800x600"}, "linux")
    assert has_display({"WAYLAND_DISPLAY": "wayland-0"}, "linux")
    assert not has_display({"WAYLAND_DISPLAY": "wayland-0", "QT_QPA_PLATFORM": "xcb"}, "linux")
    assert has_display({"DISPLAY": "elsewhere:10.0"}, "linux")  # Qt will tell


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no sockets of this kind here")
def test_a_listening_server_is_a_display() -> None:
    with socket.socket(socket.AF_UNIX) as server:
        try:
            server.bind("\0/tmp/.X11-unix/X876")
        except OSError:
            pytest.skip("abstract sockets are not to be had")
        server.listen()
        assert has_display({"DISPLAY": ":876"}, "linux")


@pytest.mark.parametrize("display", [None, ":987"])
def test_without_a_display_one_line_says_what_works(display: str | None) -> None:
    environ = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environ.pop("QT_QPA_PLATFORM", None)
    if display is not None:
        environ["DISPLAY"] = display
    ended = subprocess.run(
        [sys.executable, "-m", "bpe_studio"],
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode == 1 and ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    for word in ("train", "screenshot", "xvfb-run"):
        assert word in ended.stderr


def test_opening_the_window_imports_no_numba() -> None:
    code = (
        "import sys, tempfile, pathlib\n"
        "from bpe_studio.gui import app, theme\n"
        "from bpe_studio.gui.state.settings_store import SettingsStore\n"
        "made = app.make_application()\n"
        "theme.apply(made, 'light')\n"
        "window = app.make_window(SettingsStore(pathlib.Path(tempfile.mkdtemp())))\n"
        "window.show()\n"
        "made.processEvents()\n"
        "raise SystemExit('numba' in sys.modules)\n"
    )
    environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    ended = subprocess.run([sys.executable, "-c", code], env=environ, timeout=60, check=False)
    assert ended.returncode == 0


def test_the_font_is_there_before_the_widgets(qapp: QApplication) -> None:
    before = qapp.font()
    qapp.setFont(QFont("serif"))
    try:
        assert make_application().font().family() == theme.ui_font().family()
    finally:
        qapp.setFont(before)
