"""Reading a tokenizer file in a process of its own, which no file can make harm the window."""

from __future__ import annotations

import json
import os
import queue
import struct
from collections.abc import Generator
from typing import Any, Final, NoReturn

from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.apart.frames import ERROR, SHARE, BadMessageError, json_of
from bpe_studio.formats.apart.process import Answers, asking
from bpe_studio.formats.apart.unpacking import Parcel
from bpe_studio.formats.source import PatternNeededError

__all__ = ["read_apart"]

_LOOK_SECONDS: Final = 0.02


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
    with asking(
        "bpe_studio.formats.apart.child",
        "--read-a-tokenizer",
        lambda stdin: stdin.write(json.dumps(request).encode()),
    ) as answers:
        return (yield from _put_together(answers, name))


def _put_together(answers: Answers, name: str) -> Generator[float, None, Tokenizer]:
    share, parcel = 0.0, Parcel()
    while True:
        yield share
        try:
            message = answers.get(timeout=_LOOK_SECONDS)
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
