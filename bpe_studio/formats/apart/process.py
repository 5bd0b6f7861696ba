"""A process of our own that answers one request with messages; whoever asks can end it at once."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from bpe_studio.formats.apart.frames import read_frames

__all__ = ["Answers", "asking"]

Answers = queue.SimpleQueue[tuple[bytes, bytearray] | Exception | None]
"""The messages; an error of reading them, where there was one; then None."""

_PATIENCE_SECONDS: Final = 2.0
_ROOT: Final = Path(__file__).resolve().parents[3]
_NO_WINDOW: Final = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # only on Windows


@contextlib.contextmanager
def asking(
    module: str,
    flag: str,
    request: Callable[[BinaryIO], object],
    *,
    lifeline: bool = False,
) -> Iterator[Answers]:
    """Run a module as a child process; leaving the context ends it.

    Parameters
    ----------
    module : str
        What `python -m` runs.
    flag : str
        What says the same to a program without `-m`; `__main__` knows it.
    request : callable
        Writes the request; on a thread, because the child may be slow to read it.
    lifeline : bool
        Whether the pipe of the request stays open: its end tells the child that we are gone.
    """
    child = _start(module, flag)
    answers: Answers = queue.SimpleQueue()
    assert child.stdin is not None and child.stdout is not None
    talk = threading.Thread(
        target=_talk,
        args=(child.stdin, child.stdout, request, lifeline, answers),
        name="bpe-studio asking",
        daemon=True,
    )
    try:
        talk.start()
        yield answers
    finally:
        child.kill()
        # It ends now, unless the child has left somebody behind who keeps the pipe open. A
        # thread that outlives this context might meet the garbage collector, which no thread
        # of a window may that its owner does not know of.
        talk.join(_PATIENCE_SECONDS)
        with contextlib.suppress(OSError):
            child.stdin.close()
        child.wait()


def _command(module: str, flag: str) -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, flag]
    return [sys.executable, "-m", module]


def _start(module: str, flag: str) -> subprocess.Popen[bytes]:
    # The first place where `-m` looks for modules is the folder that it is started in: ours, and
    # not that of the file, which may hold a `json.py`.
    one_thread = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    return subprocess.Popen(
        _command(module, flag),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=_ROOT if _ROOT.is_dir() else None,
        env={**os.environ, **one_thread},
        creationflags=_NO_WINDOW,
    )


def _talk(
    stdin: BinaryIO,
    stdout: BinaryIO,
    request: Callable[[BinaryIO], object],
    lifeline: bool,
    answers: Answers,
) -> None:
    """Everything that may wait for the child."""
    with contextlib.suppress(OSError):  # it may have ended without listening
        request(stdin)
        stdin.flush()
        if not lifeline:
            stdin.close()
    with stdout:
        try:
            for message in read_frames(stdout):
                answers.put(message)
        except (OSError, ValueError) as error:
            answers.put(error)
        answers.put(None)
