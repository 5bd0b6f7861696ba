"""SentencePiece models that have no merges of ours: the `sentencepiece` package runs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_studio.formats.spm.protobuf import LENGTH, VARINT, fields

__all__ = ["SentencePieceModel"]

# The message that the package makes of a text.
_PIECE, _ID = 2 << 3 | LENGTH, 2 << 3 | VARINT
_BEGIN, _END = 4 << 3 | VARINT, 5 << 3 | VARINT


@dataclass(frozen=True, slots=True)
class SentencePieceModel:
    """A whole model file.

    Attributes
    ----------
    kind : str
        "Unigram", "Word", "Char", or "BPE" where ranks cannot say what the scores do.
    payload : bytes
        The file.
    """

    kind: str
    payload: bytes = field(repr=False)
    library: str = "sentencepiece"

    def ids(self, text: str) -> NDArray[np.int32]:
        """The ids of a text, nothing added."""
        return np.array(_processor(self.payload).Encode(text), dtype=np.int32)

    def encode(self, text: str) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The ids of a text and the span of each in characters."""
        try:
            message = _processor(self.payload).Encode(text, out_type="serialized_proto")
        except RuntimeError as error:
            raise ValueError(_refusal("cannot encode this text with the model", error)) from None
        return _read_pieces(message, text)

    def decode(self, ids: Sequence[int], skip_specials: bool) -> str:
        processor = _processor(self.payload)
        size = processor.GetPieceSize()
        for position, number in enumerate(ids):
            if not 0 <= number < size:
                raise ValueError(f"There is no token with the id {number} (position {position}).")
        kept = [i for i in ids if not (skip_specials and _is_special(processor, i))]
        return str(processor.Decode(kept)) if kept else ""


def _is_special(processor: Any, number: int) -> bool:
    return bool(processor.IsControl(number) or processor.IsUnknown(number))


@lru_cache(maxsize=4)
def _processor(payload: bytes) -> Any:
    try:
        from sentencepiece import SentencePieceProcessor
    except ImportError:
        raise ValueError(
            "A SentencePiece model of this kind needs the package sentencepiece; install it with "
            "pip install 'bpe-studio[sentencepiece]'."
        ) from None
    processor = SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(payload)
    except (RuntimeError, ValueError, OSError) as error:
        raise ValueError(_refusal("refuses the model", error)) from None
    return processor


def _refusal(what: str, error: Exception) -> str:
    reason = " ".join(str(error).split())
    return f"The sentencepiece package {what} ({reason[:200]})."


def _read_pieces(message: bytes, text: str) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    rows: list[tuple[int, int, int]] = []
    for tag, start, end in fields(message, most=len(message)):
        if tag == _PIECE:
            found = {t: value for t, value, _ in fields(message, start, end)}
            rows.append((found.get(_ID, 0), found.get(_BEGIN, 0), found.get(_END, 0)))
    array = np.array(rows, dtype=np.int64).reshape(len(rows), 3)
    # Places are told in bytes; a character's first byte is one that continues none.
    data = np.frombuffer(text.encode(), dtype=np.uint8)
    character = np.concatenate(([0], np.cumsum((data & 0xC0) != 0x80)))
    begins_inside = np.append((data & 0xC0) == 0x80, False)
    spans = character[array[:, 1:]] - begins_inside[array[:, 1:]]
    return array[:, 0].astype(np.int32), spans.astype(np.int64)
