"""Safetensors files as a plain program writes them: a length, JSON, numbers."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FORMATS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "U8": "u1", "I8": "i1", "U32": "<u4"}


def stored(values: NDArray[Any], dtype: str) -> bytes:
    """The bytes of an array; BF16 is the upper half of each F32, without rounding."""
    if dtype == "BF16":
        return (values.astype("<f4").view("<u4") >> 16).astype("<u2").tobytes()
    return values.astype(_FORMATS[dtype]).tobytes()


def as_stored(values: NDArray[Any], dtype: str) -> NDArray[np.float64]:
    """What is left of an array in a type, number by number through `struct`."""
    if dtype == "BF16":
        cut = [
            struct.unpack("<f", struct.pack("<I", struct.unpack("<I", struct.pack("<f", v))[0]
                                            & 0xFFFF0000))[0]
            for v in values.ravel().tolist()
        ]  # fmt: skip
    else:
        code = {"F64": "<d", "F32": "<f", "F16": "<e"}[dtype]
        cut = [struct.unpack(code, struct.pack(code, v))[0] for v in values.ravel().tolist()]
    return np.array(cut, dtype=np.float64).reshape(values.shape)


def packed(header: bytes, numbers: bytes = b"") -> bytes:
    return struct.pack("<Q", len(header)) + header + numbers


def file_of(tensors: Mapping[str, tuple[NDArray[Any], str]], **metadata: str) -> bytes:
    """A whole file of named arrays, each with the type that it is stored in."""
    entries: dict[str, Any] = {"__metadata__": metadata} if metadata else {}
    numbers = b""
    for name, (values, dtype) in tensors.items():
        data = stored(values, dtype)
        entries[name] = {
            "dtype": dtype,
            "shape": list(values.shape),
            "data_offsets": [len(numbers), len(numbers) + len(data)],
        }
        numbers += data
    return packed(json.dumps(entries).encode(), numbers)


def write_shards(
    folder: Path, shards: Mapping[str, Mapping[str, tuple[NDArray[Any], str]]]
) -> Path:
    """Files of some names, and the index over them."""
    places = {name: shard for shard, tensors in shards.items() for name in tensors}
    for shard, tensors in shards.items():
        (folder / shard).write_bytes(file_of(tensors))
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"metadata": {"total_size": 0}, "weight_map": places}))
    return index
