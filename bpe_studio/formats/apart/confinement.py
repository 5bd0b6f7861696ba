"""What a child process does first: it says nothing but answers, and takes no more than it may."""

from __future__ import annotations

import os
import signal
from typing import BinaryIO

__all__ = ["confine", "take_over_streams"]


def take_over_streams() -> BinaryIO:
    """Where answers go; whatever a library prints goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb", buffering=1 << 16)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    return answers


def confine(*, memory: int, seconds: int | None = None) -> None:
    """Limit address space and processor time, and leave Ctrl-C in a terminal to the parent.

    Where the system cannot do it, only what readers and trainers look at themselves holds.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        import resource
    except ImportError:  # Windows
        return
    limits = [(resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)]
    if seconds is not None:
        limits.append((resource.RLIMIT_CPU, seconds))
    for kind, most in limits:
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        try:
            resource.setrlimit(kind, (most, hard))
        except (ValueError, OSError):
            continue  # a system that does not have this limit
