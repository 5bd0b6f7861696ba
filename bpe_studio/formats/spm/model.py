"""The message in a SentencePiece file: its pieces, and what it says about texts."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NoReturn

from bpe_studio.formats.spm.protobuf import FIXED32, LENGTH, VARINT, fields
from bpe_studio.formats.strict.token_bytes import MAX_TOKEN_BYTES, MAX_TOKENS

__all__ = ["ModelType", "PieceType", "Pieces", "SentencePieceFile", "looks_like_model", "parse"]

_REPORT_EVERY: Final = 1 << 14  # pieces

# Tags of the messages: number of the field and kind of value.
_PIECE, _TRAINER, _NORMALIZER, _DENORMALIZER = (n << 3 | LENGTH for n in (1, 2, 3, 5))
_TEXT, _SCORE, _TYPE = 1 << 3 | LENGTH, 2 << 3 | FIXED32, 3 << 3 | VARINT
_MODEL_TYPE, _SPACE_AS_SUFFIX, _BYTE_FALLBACK = (n << 3 | VARINT for n in (3, 24, 35))
_NAMES: Final = {45 << 3 | LENGTH: "unk", 46 << 3 | LENGTH: "bos", 47 << 3 | LENGTH: "eos"}
_PAD_NAME: Final = 48 << 3 | LENGTH
_MAP, _DUMMY_PREFIX, _EXTRA_SPACES, _ESCAPE = (
    2 << 3 | LENGTH,
    *(n << 3 | VARINT for n in (3, 4, 5)),
)


class PieceType(IntEnum):
    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


_TYPES: Final = {int(kind): kind for kind in PieceType}
_FLOAT: Final = struct.Struct("<f")


class ModelType(IntEnum):
    UNIGRAM = 1
    BPE = 2
    WORD = 3
    CHAR = 4


@dataclass(slots=True)
class Pieces:
    """By id: the text (▁ for a space), the score and the type of every piece."""

    texts: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    types: list[PieceType] = field(default_factory=list)

    def ids_of(self, *types: PieceType) -> list[int]:
        return [i for i, kind in enumerate(self.types) if kind in types]


@dataclass(slots=True)
class SentencePieceFile:
    """What the file says; where it says nothing, what SentencePiece takes for it.

    Attributes
    ----------
    role_names : dict
        The pieces that are meant to be "unk", "bos", "eos" and "pad".
    chars_map : bytes
        The map of characters of the normalizer; empty where there is none.
    """

    pieces: Pieces = field(default_factory=Pieces)
    model_type: ModelType = ModelType.UNIGRAM
    byte_fallback: bool = False
    space_as_suffix: bool = False
    role_names: dict[str, str] = field(
        default_factory=lambda: {"unk": "<unk>", "bos": "<s>", "eos": "</s>", "pad": "<pad>"}
    )
    chars_map: bytes = b""
    dummy_prefix: bool = True
    remove_extra_spaces: bool = True
    escape_spaces: bool = True
    denormalizes: bool = False


def looks_like_model(data: bytes) -> bool:
    """Whether a file begins with a few pieces: each a text, and then a score or a type."""
    place = 0
    for _ in range(3):
        head = data[place : place + 24]
        # A field 1 of under 128 bytes, in which a field 1 of a few less comes first.
        if len(head) < 6 or head[0] != _PIECE or head[2] != _TEXT:
            return False
        size, text = head[1], head[3]
        if size >= 128 or text < 1 or size - text not in (2, 4, 5, 7, 9):
            return False
        place += 2 + size
        if place > len(data) or data[place - size + 2 + text] not in (_SCORE, _TYPE):
            return False
    return True


def parse(data: bytes, source: str, report: Callable[[float], None]) -> SentencePieceFile:
    """Read the message.

    Raises
    ------
    ValueError
        With the byte or the piece.
    """
    model = SentencePieceFile()
    for tag, start, end in fields(data, source=source, most=MAX_TOKENS + 1000):
        if tag == _PIECE:
            _add_piece(model.pieces, data, start, end, source)
            if len(model.pieces.texts) % _REPORT_EVERY == 0:
                report(end / len(data))
        elif tag == _TRAINER:
            _read_trainer(model, data, start, end, source)
        elif tag == _NORMALIZER:
            _read_normalizer(model, data, start, end, source)
        elif tag == _DENORMALIZER:
            inner = fields(data, start, end, source=source)
            model.denormalizes = any(t == _MAP and b > a for t, a, b in inner)
    if not model.pieces.texts:
        raise ValueError(f"{source}: it has no pieces; it is no SentencePiece model.")
    return model


def _add_piece(pieces: Pieces, data: bytes, start: int, end: int, source: str) -> None:
    number = len(pieces.texts)
    text, score, kind = _usual_piece(data, start, end) or _any_piece(data, start, end, source)
    if not text or len(text) > MAX_TOKEN_BYTES or b"\0" in text:
        fault = "is empty" if not text else "holds a zero" if len(text) < 99 else "is too long"
        _fail_piece(source, number, fault)
    if score != score:
        _fail_piece(source, number, "has a score that is no number")
    if kind not in _TYPES:
        _fail_piece(source, number, f"has the type {kind}, which there is not")
    try:
        pieces.texts.append(text.decode())
    except UnicodeDecodeError:
        _fail_piece(source, number, "is no UTF-8")
    pieces.types.append(_TYPES[kind])
    pieces.scores.append(score)
    if number >= MAX_TOKENS:
        _fail_piece(source, number, f"is one more than {MAX_TOKENS:,}, which is the limit")


def _usual_piece(data: bytes, start: int, end: int) -> tuple[bytes, float, int] | None:
    """Text, score and type of a piece in the usual form: of under 128 bytes, in order, and the type
    only where it is not that of most. Quicker than going from field to field."""
    if end - start < 7 or data[start] != _TEXT or data[start + 1] >= 0x80:
        return None
    last = start + 2 + data[start + 1]
    rest = end - last
    if rest not in (5, 7) or data[last] != _SCORE:
        return None
    kind = 1
    if rest == 7:
        kind = data[last + 6]
        if data[last + 5] != _TYPE or kind >= 0x80:
            return None
    return data[start + 2 : last], _FLOAT.unpack_from(data, last + 1)[0], kind


def _any_piece(data: bytes, start: int, end: int, source: str) -> tuple[bytes, float, int]:
    text, score, kind = b"", 0.0, 1
    for tag, first, last in fields(data, start, end, source=source, most=1000):
        if tag == _TEXT:
            text = data[first:last]
        elif tag == _SCORE:
            (score,) = _FLOAT.unpack_from(data, first)
        elif tag == _TYPE:
            kind = first
    return text, score, kind


def _fail_piece(source: str, number: int, fault: str) -> NoReturn:
    raise ValueError(f"{source}: piece {number} {fault}.")


def _read_trainer(model: SentencePieceFile, data: bytes, start: int, end: int, source: str) -> None:
    names = {**_NAMES, _PAD_NAME: "pad"}
    for tag, first, last in fields(data, start, end, source=source):
        if tag == _MODEL_TYPE:
            if first not in set(ModelType):
                raise ValueError(f"{source}: the model is of the type {first}, which there is not.")
            model.model_type = ModelType(first)
        elif tag == _BYTE_FALLBACK:
            model.byte_fallback = first != 0
        elif tag == _SPACE_AS_SUFFIX:
            model.space_as_suffix = first != 0
        elif tag in names and last > first:
            model.role_names[names[tag]] = data[first:last].decode("utf-8", "replace")


def _read_normalizer(
    model: SentencePieceFile, data: bytes, start: int, end: int, source: str
) -> None:
    for tag, first, last in fields(data, start, end, source=source):
        if tag == _MAP:
            model.chars_map = data[first:last]
        elif tag == _DUMMY_PREFIX:
            model.dummy_prefix = first != 0
        elif tag == _EXTRA_SPACES:
            model.remove_extra_spaces = first != 0
        elif tag == _ESCAPE:
            model.escape_spaces = first != 0
