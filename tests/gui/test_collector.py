"""When garbage is collected."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject

from bpe_studio.gui import collector as module
from bpe_studio.gui.collector import FREEZES, QUIET_LOOKS, Collector, IdleCollection


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is asked of the collector of Python, which stays as it was."""
    made: list[str] = []
    before, on = gc.get_threshold(), gc.isenabled()
    with monkeypatch.context() as patch:
        patch.setattr(module.gc, "collect", lambda *given: made.append(f"collect{given}"))
        patch.setattr(module.gc, "freeze", lambda: made.append("freeze"))
        yield made
    gc.set_threshold(*before)
    (gc.enable if on else gc.disable)()


def test_it_is_off_while_threads_run(calls: list[str]) -> None:
    watched, ended = Collector(), threading.Event()
    watched.enter(ended)
    assert watched.busy and not gc.isenabled()
    watched.tick()
    ended.set()
    watched.tick()
    assert not watched.busy and gc.isenabled()
    assert "collect()" not in calls and "collect(2,)" not in calls


def test_full_collections_wait_until_nothing_runs(
    calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    watched, owner = Collector(), QObject()
    idle = IdleCollection(owner, watched=watched)
    assert gc.get_threshold()[2] == module.NEVER

    def look(times: int = QUIET_LOOKS) -> list[str]:
        calls.clear()
        for _ in range(times):
            idle.look()
        return list(calls)

    assert look(1) == [] and look(1) == ["collect()", "freeze"]  # what start-up made
    monkeypatch.setattr(module.gc, "get_count", lambda: (0, 0, 0))
    assert look() == []
    ended = threading.Event()
    watched.enter(ended)
    assert look(5) == []
    ended.set()
    assert look() == ["collect()", "freeze"] and FREEZES == 2
    monkeypatch.setattr(module.gc, "get_count", lambda: (0, 0, 99))
    assert look(1) == ["collect()"]  # and never frozen again
