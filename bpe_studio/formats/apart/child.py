"""The process that reads tokenizer files for the window.

It is started as ``python -m bpe_studio.formats.apart.child``.

A file can freeze, bloat or kill it, and the window lives on. The request comes as JSON on standard
input; the answer goes as messages to standard output.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from bpe_studio.formats.apart.confinement import confine, take_over_streams

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["main"]

MEMORY_LIMIT: Final = 6 << 30
"""Bytes of address space; a file of 256 MB takes less, and numpy alone reserves some."""

_SECONDS_AT_MOST: Final = 600  # should the window be gone, which would have ended it
_SECONDS_BETWEEN_SHARES: Final = 0.05
_SLOWEST_PATTERN: Final = 1.0


def main() -> int:
    """Answer one request; the exit status."""
    answers = take_over_streams()
    confine(memory=MEMORY_LIMIT, seconds=_SECONDS_AT_MOST)
    gc.disable()  # everything that is made here is kept
    from bpe_studio.formats.apart.frames import ERROR, write_frame

    request = json.loads(sys.stdin.buffer.read())
    try:
        _answer(request, answers)
    except BaseException as error:
        write_frame(answers, ERROR, json.dumps(_told(error, request["name"])).encode())
    answers.flush()
    # Nothing is left to do, and taking millions of objects apart takes time.
    os._exit(0)


def _answer(request: dict[str, Any], answers: BinaryIO) -> None:
    from bpe_studio.formats import load
    from bpe_studio.formats.apart.frames import write_frame
    from bpe_studio.formats.apart.packing import messages_of

    tokenizer = load(
        request["path"],
        pattern=request["pattern"],
        report=_reporter(answers),
        name=request["name"],
    )
    _check_expressions(tokenizer, request["name"])
    for kind, data in messages_of(tokenizer):
        write_frame(answers, kind, data)


def _reporter(answers: BinaryIO) -> Callable[[float], None]:
    import struct

    from bpe_studio.formats.apart.frames import SHARE, write_frame

    last = 0.0

    def report(share: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _SECONDS_BETWEEN_SHARES:
            last = now
            write_frame(answers, SHARE, struct.pack("<d", share))
            answers.flush()

    return report


def _check_expressions(tokenizer: Tokenizer, name: str) -> None:
    """The window compiles them too, so it must not take long."""
    import regex

    steps = (*tokenizer.rules.normalizer, *tokenizer.rules.pre_tokenizer)
    every = [tokenizer.pattern.expression, *(getattr(step, "expression", "") for step in steps)]
    regex.purge()
    began = time.perf_counter()
    for expression in every:
        regex.compile(expression)
    if time.perf_counter() - began > _SLOWEST_PATTERN:
        raise ValueError(f"{name}: its expressions take too long to compile; it is not opened.")


def _told(error: BaseException, name: str) -> dict[str, str]:
    from bpe_studio.formats.source import PatternNeededError

    sentence = str(error).strip()
    if isinstance(error, PatternNeededError):
        return {"kind": "pattern", "sentence": sentence}
    if isinstance(error, MemoryError):
        return {"kind": "value", "sentence": f"{name}: reading it takes too much memory."}
    if isinstance(error, OSError):
        return {"kind": "os", "sentence": _os_sentence(error, name)}
    if isinstance(error, ValueError) and sentence:
        return {"kind": "value", "sentence": sentence}
    if isinstance(error, ImportError):
        return {
            "kind": "value",
            "sentence": f"{name}: a library that reads it is missing: {error}.",
        }
    kind = type(error).__name__
    return {"kind": "value", "sentence": f"{name}: it cannot be read ({kind})."}


def _os_sentence(error: OSError, name: str) -> str:
    from bpe_studio.files import reason_of

    if error.strerror and error.errno is not None and not str(error).endswith("."):
        return f"{name} cannot be read: {reason_of(error)}."
    return str(error)


if __name__ == "__main__":
    sys.exit(main())
