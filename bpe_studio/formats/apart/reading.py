"""Reading a tokenizer file in a process of its own, which no file can make harm the window."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import struct
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn

from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.apart.frames import ERROR, SHARE, BadMessageError, json_of, read_frames
from bpe_studio.formats.apart.unpacking import Parcel
from bpe_studio.formats.source import PatternNeededError

__all__ = ["read_apart"]

_LOOK_SECONDS: Final = 0.02
_PATIENCE_SECONDS: Final = 2.0
_ROOT: Final = Path(__file__).resolve().parents[3]
_NO_WINDOW: Final = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # only on Windows


def read_apart(
    path: str | os.PathLike[str], *, pattern: str | None = None
) -> Generator[float, None, Tokenizer]:
    """As `formats.load`, in a child process; closing the generator ends the child.

    Yields
    ------
    float
        How much is done, from 0 to 1, about 50 times a second; 0 as long as nobody knows.

    Raises
    ------
    PatternNeededError, ValueError, OSError
        What the reader raised; and a ValueError where the child died.
    """
    name = os.fspath(path)
    request = {"path": os.path.abspath(name), "name": name, "pattern": pattern}
    child = _start()
    try:
        messages: queue.SimpleQueue[tuple[bytes, bytearray] | Exception | None]
        messages = queue.SimpleQueue()
        assert child.stdin is not None and child.stdout is not None
        talk = threading.Thread(
            target=_talk,
            args=(child.stdin, child.stdout, json.dumps(request).encode(), messages),
            name="bpe-studio reading",
            daemon=True,
        )
        talk.start()
        try:
            return (yield from _put_together(messages, name))
        finally:
            child.kill()
            # It ends now, unless the child has left somebody behind who keeps the pipe open. A
            # thread that outlives this generator might meet the garbage collector, which no thread
            # of a window may that its owner does not know of.
            talk.join(_PATIENCE_SECONDS)
    finally:
        child.kill()
        child.wait()


def _command() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, "--read-a-tokenizer"]  # which `__main__` knows
    return [sys.executable, "-m", "bpe_studio.formats.apart.child"]


def _start() -> subprocess.Popen[bytes]:
    # The first place where `-m` looks for modules is the folder that it is started in: ours, and
    # not that of the file, which may hold a `json.py`.
    one_thread = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    return subprocess.Popen(
        _command(),
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
    request: bytes,
    messages: queue.SimpleQueue[tuple[bytes, bytearray] | Exception | None],
) -> None:
    """Everything that may wait for the child."""
    with contextlib.suppress(OSError), stdin:  # it may have ended without listening
        stdin.write(request)
    with stdout:
        try:
            for message in read_frames(stdout):
                messages.put(message)
        except (OSError, ValueError) as error:
            messages.put(error)
        messages.put(None)


def _put_together(
    messages: queue.SimpleQueue[tuple[bytes, bytearray] | Exception | None], name: str
) -> Generator[float, None, Tokenizer]:
    share, parcel = 0.0, Parcel()
    while True:
        yield share
        try:
            message = messages.get(timeout=_LOOK_SECONDS)
        except queue.Empty:
            continue
        if message is None or isinstance(message, OSError):
            raise ValueError(
                f"{name}: the process that reads it has ended in the middle, for lack of memory "
                "or because of the file; nothing was opened."
            )
        try:
            if isinstance(message, Exception):
                raise message
            kind, data = message
            if kind == SHARE:
                share = min(max(share, *struct.unpack("<d", data)), 1.0)
            elif kind == ERROR:
                _raise(json_of(data))
            elif parcel.add(kind, data):
                return parcel.tokenizer()
        except (BadMessageError, struct.error) as error:
            raise ValueError(
                f"{name}: the process that reads it has sent what makes no sense ({error}); "
                "nothing was opened."
            ) from None


def _raise(told: Any) -> NoReturn:
    if not isinstance(told, dict) or not isinstance(sentence := told.get("sentence"), str):
        raise BadMessageError("an error without a sentence")
    kinds = {"pattern": PatternNeededError, "os": OSError}
    raise kinds.get(told.get("kind", ""), ValueError)(sentence)
