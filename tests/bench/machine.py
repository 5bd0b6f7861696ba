"""What the figures were measured on."""

from __future__ import annotations

import ast
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def available() -> set[int]:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return set(os.sched_getaffinity(0))
    return set(range(os.cpu_count() or 1))


def cores() -> int:
    return len(available())


def use_cores(wanted: set[int]) -> None:
    """From now on these processors run this process, where that can be asked."""
    if hasattr(os, "sched_setaffinity"):
        for thread in os.listdir("/proc/self/task") if os.path.isdir("/proc/self/task") else "0":
            os.sched_setaffinity(int(thread), wanted)


def machine() -> str:
    """Processor, cores, memory and system in one line."""
    parts = [_processor(), f"{cores()} cores", _memory(), platform.system()]
    return ", ".join([*filter(None, parts), f"Python {platform.python_version()}"])


def versions(packages: Sequence[str], python: str = sys.executable) -> dict[str, str]:
    """The packages that this interpreter has of these, with their versions."""
    ask = (
        "import sys, importlib.metadata as m;"
        "have = {d.name.lower(): d.version for d in m.distributions()};"
        "print([(p, have[p.lower()]) for p in sys.argv[1:] if p.lower() in have])"
    )
    done = subprocess.run([python, "-c", ask, *packages], capture_output=True, text=True)
    return dict(ast.literal_eval(done.stdout or "[]"))


def peak_mb() -> float:
    """The most memory that this process has held, in MB.

    Linux keeps in `ru_maxrss` what the parent held before this program began; VmHWM starts anew.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
    try:
        import resource
    except ImportError:
        return float("nan")

    unit = 1 if platform.system() == "Darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        family = [line for line in info.read_text().splitlines() if line.startswith("cpu family")]
        if names:
            name = names[0].partition(":")[2].strip()
            return f"{name} (family {family[0].partition(':')[2].strip()})" if family else name
    return platform.processor() or platform.machine()


def _memory() -> str:
    if not hasattr(os, "sysconf"):
        return ""
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"
