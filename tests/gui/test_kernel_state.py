"""The warm-up process and the event that work waits for."""

from __future__ import annotations

import sys
import time

import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.gui.state.kernels import KernelState


@pytest.fixture(autouse=True)
def _nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_studio.kernels.are_compiled", lambda: False)


@pytest.mark.parametrize("status", [0, 1])
def test_ready_after_the_process_however_it_ended(qtbot: QtBot, status: int) -> None:
    state = KernelState()
    told = []
    state.changed.connect(lambda: told.append(state.compiling))
    state.start((sys.executable, "-c", f"raise SystemExit({status})"))
    assert state.compiling and not state.ready.is_set()
    qtbot.waitUntil(state.ready.is_set, timeout=10_000)
    assert told == [True, False]


def test_it_tells_how_long_it_has_taken(qtbot: QtBot) -> None:
    state = KernelState()
    with qtbot.waitSignal(state.ticked, timeout=30_000):
        state.start((sys.executable, "-c", "import time; time.sleep(60)"))
    assert state.seconds >= 1
    state.close(5000)


def test_a_command_that_is_not_there_is_no_obstacle(qtbot: QtBot) -> None:
    state = KernelState()
    state.start(("there-is-no-such-command",))
    qtbot.waitUntil(state.ready.is_set, timeout=10_000)


def test_close_kills_the_process(qtbot: QtBot) -> None:
    state = KernelState()
    state.start((sys.executable, "-c", "import time; time.sleep(60)"))
    qtbot.wait(200)
    began = time.monotonic()
    state.close(5000)
    assert time.monotonic() - began < 3 and not state.compiling and state.ready.is_set()


def test_compiled_kernels_need_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_studio.kernels.are_compiled", lambda: True)
    state = KernelState()
    state.start(("never run",))
    assert state.ready.is_set() and not state.compiling
