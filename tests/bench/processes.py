"""Every measurement in a fresh process, with a time limit; a crash is an outcome, not an end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.bench.figures import OURS

ROOT: Final = Path(__file__).resolve().parents[2]
# Names the interpreter of the peers; without it they run in ours.
PEERS_PYTHON: Final = "BENCH_PEERS_PYTHON"


@dataclass
class Outcome:
    """What a process has told, or why it has told nothing."""

    figures: dict[str, float] = field(default_factory=dict)
    text: str = ""
    error: str = ""


def environment(**more: str) -> dict[str, str]:
    """Ours, with this checkout in front of whatever is installed.

    Byte code is kept as it is for every user: packages have theirs from their installation.
    """
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": path, **more}


def python_of(who: str) -> str:
    """The interpreter that a competitor runs in.

    Peers may bring what every program in their environment pays for: awkward, which gigatoken
    needs, is loaded wherever numba is.
    """
    return sys.executable if who == OURS else os.environ.get(PEERS_PYTHON, sys.executable)


def run_job(subject: str, job: dict[str, Any], limit: float) -> Outcome:
    """Runs `tests.bench.child` on one job.

    The child writes its answer to a file: what competitors print goes nowhere, or into the
    reason of a failure.
    """
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        python = python_of(job.get("who", OURS))
        words = [python, "-m", "tests.bench.child", subject, json.dumps(job), str(answer)]
        try:
            done = subprocess.run(
                words, cwd=ROOT, env=environment(), capture_output=True, timeout=limit
            )
        except subprocess.TimeoutExpired:
            return Outcome(error=f"over {limit:.0f} s")
        if done.returncode or not answer.exists():
            return Outcome(error=_reason(done.returncode, done.stderr))
        told = json.loads(answer.read_text("utf-8"))
        return Outcome(told["figures"], told.get("text", ""))


def run_command(words: list[str], limit: float, **more: str) -> Outcome:
    """Wall and processor seconds of a whole command, and its peak memory where that is told."""
    with tempfile.TemporaryFile() as errors:
        began = time.perf_counter()
        process = subprocess.Popen(
            words, cwd=ROOT, env=environment(**more), stdout=subprocess.DEVNULL, stderr=errors
        )
        figures, status = _wait(process, limit)
        figures["seconds"] = time.perf_counter() - began
        errors.seek(0)
        if status is None:
            return Outcome(error=f"over {limit:.0f} s")
        return Outcome(figures) if status == 0 else Outcome(error=_reason(status, errors.read()))


def _wait(process: subprocess.Popen[bytes], limit: float) -> tuple[dict[str, float], int | None]:
    """The figures of a process that has ended, and its status; None where it took too long."""
    if not hasattr(os, "wait4"):
        try:
            return {}, process.wait(limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return {}, None
    end = time.monotonic() + limit
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            unit = 1 if sys.platform == "darwin" else 1024
            figures = {
                "cpu": usage.ru_utime + usage.ru_stime,
                "peak_mb": usage.ru_maxrss * unit / 1e6,
            }
            return figures, process.returncode
        if time.monotonic() > end:
            process.kill()
            process.wait()
            return {}, None
        time.sleep(0.001)


def _reason(status: int, errors: bytes) -> str:
    """The last line that the process has written, or how it ended."""
    if status < 0:
        return f"killed by signal {-status}"
    lines = errors.decode(errors="replace").strip().splitlines()
    return lines[-1][:120] if lines else f"exit status {status}"
