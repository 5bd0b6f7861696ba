"""The process in which `tokenizers` trains, started as ``python -m bpe_studio.partners.child``.

The request comes as messages on standard input, which stays open: when it ends, nobody is there any
more to take an answer.
"""

from __future__ import annotations

import gc
import json
import os
import struct
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO, Final

from bpe_studio.formats.apart.confinement import confine, take_over_streams

__all__ = ["main"]

_LEAST_MEMORY: Final = 6 << 30  # of address space, of which much is only reserved


def main() -> int:
    """Answer one request; the exit status."""
    answers = take_over_streams()
    confine(memory=_memory())
    gc.disable()  # everything that is made here is kept
    from bpe_studio.formats.apart.frames import ERROR, read_frames, write_frame

    try:
        messages = list(read_frames(sys.stdin.buffer))
        threading.Thread(target=_end_with_parent, daemon=True).start()
        _answer(messages, answers)
    except BaseException as error:
        write_frame(answers, ERROR, json.dumps({"sentence": _sentence(error)}).encode())
    answers.flush()
    os._exit(0)


def _end_with_parent() -> None:
    os.read(0, 1)
    os._exit(1)


def _memory() -> int:
    """Three quarters of the machine's."""
    try:
        physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows, and odd systems
        return _LEAST_MEMORY
    return max(physical * 3 // 4, _LEAST_MEMORY)


def _answer(messages: list[tuple[bytes, bytearray]], answers: BinaryIO) -> None:
    from bpe_studio import formats
    from bpe_studio.formats.apart.frames import ARRAY, json_of, write_frame
    from bpe_studio.formats.apart.packing import messages_of
    from bpe_studio.partners.file import whole_file

    about = json_of(messages[0][1])
    arrays = [data for kind, data in messages if kind == ARRAY]
    model = _learn(about, arrays, _reporter(answers))
    data = whole_file(about["pre_tokenizer"], about["specials"], model)
    for kind, part in messages_of(formats.read(data, f"the trained {about['kind']} model")):
        write_frame(answers, kind, part)


def _learn(
    about: dict[str, Any], arrays: list[bytearray], report: Callable[[float], None]
) -> dict[str, Any]:
    import numpy as np

    from bpe_studio.partners.file import WORDPIECE_LONGEST
    from bpe_studio.partners.learning import learn_unigram, learn_wordpiece, texts_of

    wordpiece = about["kind"] == "wordpiece"
    texts = texts_of(
        np.frombuffer(arrays[0], dtype=np.uint8),
        np.frombuffer(arrays[1], dtype=np.int64),
        np.frombuffer(arrays[2], dtype=np.int64),
        longest=WORDPIECE_LONGEST if wordpiece else None,
        report=report,
    )
    size, specials = about["vocab_size"], about["specials"]
    if wordpiece:
        return learn_wordpiece(texts, size, specials, min_freq=about["min_freq"])
    return learn_unigram(texts, size, specials)


def _reporter(answers: BinaryIO) -> Callable[[float], None]:
    from bpe_studio.formats.apart.frames import SHARE, write_frame

    def report(share: float) -> None:
        write_frame(answers, SHARE, struct.pack("<d", share))
        answers.flush()

    return report


def _sentence(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "Training takes more memory than there is; use less text or another pattern."
    if isinstance(error, ValueError) and str(error):
        return str(error)
    return f"Training has failed ({type(error).__name__}: {' '.join(str(error).split())[:200]})."


if __name__ == "__main__":
    sys.exit(main())
