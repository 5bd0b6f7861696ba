"""The header of a safetensors file: eight bytes of length, then JSON, then the numbers.

Nothing is believed: the length, every type, shape and place is checked against the size of the
file before a number is read.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Any, BinaryIO, Final, NoReturn

from bpe_studio.formats.strict.json import quoted

__all__ = ["MAX_HEADER_BYTES", "Tensor", "parse_strictly", "read_header"]

MAX_HEADER_BYTES: Final = 100_000_000
_MAX_LENGTH: Final = 1 << 48
_MAX_DIMENSIONS: Final = 64
_BITS: Final = {
    "F64": 64, "F32": 32, "F16": 16, "BF16": 16, "I64": 64, "U64": 64, "I32": 32, "U32": 32,
    "I16": 16, "U16": 16, "I8": 8, "U8": 8, "BOOL": 8, "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8,
    "C64": 64,
}  # fmt: skip
_METADATA: Final = "__metadata__"


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor by its header: where its numbers are in the file, from `begin` up to `end`."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int

    def __str__(self) -> str:
        """``model.embed_tokens.weight (128,256 × 4,096, BF16)``"""
        sizes = " × ".join(f"{size:,}" for size in self.shape)
        return f"{self.shown_name} ({sizes}, {self.dtype})"

    @property
    def shown_name(self) -> str:
        """Its name for a sentence: a strange one is quoted, and cut."""
        plain = self.name.isprintable() and 0 < len(self.name) <= 120
        return self.name if plain else quoted(self.name)


def read_header(file: BinaryIO, size: int, source: str) -> dict[str, Tensor]:
    """The tensors of an open file of `size` bytes by name.

    Raises
    ------
    ValueError
        In one sentence that names the file and the tensor.
    """
    first = file.read(8)
    length = int.from_bytes(first, "little")
    if len(first) < 8 or length < 2 or length > MAX_HEADER_BYTES:
        raise ValueError(
            f"{source}: it is no safetensors file: its first eight bytes are no length of a "
            "header (2 bytes to 100 MB)."
        )
    if 8 + length > size:
        raise ValueError(
            f"{source}: its header of {length:,} bytes goes beyond its end ({size:,} bytes), so a "
            "part of the file is missing; download or save it again."
        )
    value = parse_strictly(file.read(length), f"{source}: the header")
    if not isinstance(value, dict):
        raise ValueError(f"{source}: the header must be a JSON object, not {quoted(value)}.")
    room = size - 8 - length
    tensors = [
        _tensor(name, entry, source, 8 + length, room)
        for name, entry in value.items()
        if name != _METADATA
    ]
    _check_apart(tensors, source)
    return {tensor.name: tensor for tensor in tensors}


def parse_strictly(data: bytes, where: str) -> Any:
    """JSON without duplicate keys and without NaN; ValueError in one sentence that begins so."""
    try:
        return json.loads(data.decode(), object_pairs_hook=_object, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise ValueError(f"{where} is no UTF-8 text (byte {error.start:,}).") from None
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{where} is not valid JSON (line {error.lineno:,}, column {error.colno:,})."
        ) from None
    except RecursionError:
        raise ValueError(f"{where} is nested too deeply.") from None
    except _RefusedError as error:
        raise ValueError(f"{where} {error}.") from None
    except ValueError:  # Python's own limit on the digits of a number
        raise ValueError(f"{where} holds a number of over 4,000 digits.") from None


class _RefusedError(ValueError):
    """Something that `json` itself would take."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise _RefusedError(f"has the key {quoted(name)} twice in one object")
        made[name] = value
    return made


def _no_constant(name: str) -> NoReturn:
    raise _RefusedError(f"holds {name}, which is not a number in JSON")


def _tensor(name: str, entry: Any, source: str, start: int, room: int) -> Tensor:
    def fail(reason: str) -> NoReturn:
        raise ValueError(f"{source}: the tensor {quoted(name)} {reason}.")

    if not isinstance(entry, dict):
        fail(f"must be a JSON object, not {quoted(entry)}")
    for key in ("dtype", "shape", "data_offsets"):
        if key not in entry:
            fail(f"has no {key}")
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or not dtype.isidentifier() or len(dtype) > 20:
        fail(f"has no valid dtype: {quoted(dtype)}")
    if not _are_lengths(shape) or len(shape) > _MAX_DIMENSIONS:
        fail(f"has no valid shape: {quoted(shape)}")
    if not _are_lengths(offsets) or len(offsets) != 2 or offsets[0] > offsets[1]:
        fail(f"has no valid data_offsets: {quoted(offsets)}")
    begin, end = offsets
    if end > room:
        fail(
            f"ends at byte {end:,} of the numbers, and the file has {room:,} of them, so a part "
            "of the file is missing; download or save it again"
        )
    bits = _BITS.get(dtype)
    # A type that is not known here cannot be checked, and is refused where it is asked for.
    if bits is not None and prod(shape) * bits != 8 * (end - begin):
        sizes = " × ".join(f"{length:,}" for length in shape) or "one number"
        fail(f"has {end - begin:,} bytes, and {sizes} of {dtype} are {prod(shape) * bits // 8:,}")
    return Tensor(name, dtype, tuple(shape), start + begin, start + end)


def _are_lengths(value: Any) -> bool:
    return isinstance(value, list) and all(
        type(length) is int and 0 <= length <= _MAX_LENGTH for length in value
    )


def _check_apart(tensors: list[Tensor], source: str) -> None:
    """Every number belongs to one tensor."""
    filled = sorted((t for t in tensors if t.end > t.begin), key=lambda tensor: tensor.begin)
    for before, after in pairwise(filled):
        if after.begin < before.end:
            raise ValueError(
                f"{source}: the tensors {quoted(before.name)} and {quoted(after.name)} overlap."
            )
