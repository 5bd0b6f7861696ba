"""The bar on a terminal, and the plain lines elsewhere."""

from __future__ import annotations

import os
import re
import sys
import time
from types import SimpleNamespace

import pytest

from bpe_studio.cli.progress import Progress, _Detail


def test_plain_lines(capfd: pytest.CaptureFixture[str]) -> None:
    with Progress() as progress:
        progress.phase("Counting", total=2000, unit="bytes")
        progress.update(2000)
        progress.phase("Counting", total=2000, unit="bytes")
        time.sleep(0.11)
        progress.phase("Merging", total=5, unit="merges")
        progress.update(5)
    first, second = capfd.readouterr().err.splitlines()
    assert first.startswith("Counting: 2.0 kB in 0.1 s (1")
    assert first.endswith(" kB/s)")
    assert second == "Merging: 5 merges in 0.0 s"


def test_where_only_time_is_known(capfd: pytest.CaptureFixture[str]) -> None:
    with Progress() as progress:
        progress.phase("Training", total=0, unit="seconds")
        progress.update(0)
    assert re.fullmatch(r"Training: \d+\.\d s\n", capfd.readouterr().err)
    task = SimpleNamespace(completed=75, total=None, speed=1.0, time_remaining=None)
    task.fields = {"unit": "seconds"}
    assert str(_Detail().render(task)) == "1 min 15 s"


def test_no_line_where_an_error_follows(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError), Progress() as progress:
        progress.phase("Counting", total=1, unit="bytes")
        raise ValueError
    assert capfd.readouterr().err == ""


def test_a_line_of_one(capfd: pytest.CaptureFixture[str]) -> None:
    with Progress() as progress:
        progress.phase("Merging", total=1, unit="merges")
        for _ in progress.follow([1], lambda step: step):
            pass
    assert capfd.readouterr().err == "Merging: 1 merge in 0.0 s\n"


@pytest.mark.parametrize("unit", ["bytes", "merges"])
def test_the_longest_detail_fits(unit: str) -> None:
    task = SimpleNamespace(
        fields={"unit": unit}, completed=99_999_999, total=99_999_999, speed=9_999_999,
        time_remaining=3599,
    )  # fmt: skip
    detail = _Detail().render(task)  # type: ignore[arg-type]
    assert len(detail) + len("  Merging ") + len(" ━━━━") <= 80


SCRIPT = """
import time
from bpe_studio.cli.progress import Progress
with Progress() as progress:
    progress.phase("Merging", total=400, unit="merges")
    for done in range(0, 40):
        progress.update(10 * done)
        time.sleep(0.02)
    time.sleep(1)  # a busy machine draws late
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a pseudo-terminal")
def test_a_bar_with_rate_and_time_left_on_a_terminal() -> None:
    import pty

    process, terminal = pty.fork()
    if process == 0:
        os.execvpe(
            sys.executable,
            [sys.executable, "-c", SCRIPT],
            {**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        )
    seen = b""
    try:
        while chunk := os.read(terminal, 4096):
            seen += chunk
    except OSError:  # how Linux tells that the other side is closed
        pass
    os.close(terminal)
    assert os.waitpid(process, 0)[1] == 0
    text = seen.decode()
    assert re.search(r"390 of 400 merges, [0-9]+/s, [0-9]+ s left", text)
    assert max(map(len, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).split("\r"))) <= 80
