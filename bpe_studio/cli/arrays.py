"""Ids of all documents in one array on disk: `.npy`, or `.bin` without a header."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.files import open_named, reason_of, write_atomic

__all__ = ["dtype_of", "load_ids", "save_ids"]

_AT_ONCE = 1 << 20


def dtype_of(tokenizer: Tokenizer) -> np.dtype[np.unsignedinteger]:
    """Two bytes an id while every id fits in them."""
    return np.dtype("<u2" if tokenizer.id_bound <= 1 << 16 else "<u4")


def save_ids(runs: Iterable[NDArray[np.int32]], out: Path, tokenizer: Tokenizer) -> int:
    """Save ids, one array after another, as uint16 or uint32; how many they are.

    What is held in memory is one of the arrays.
    """
    dtype = dtype_of(tokenizer)
    sizes: list[int] = []

    def parts() -> Iterator[bytes]:
        for ids in runs:
            sizes.append(len(ids))
            yield ids.astype(dtype).tobytes()

    if out.suffix == ".bin":
        write_atomic(out, parts())
        return sum(sizes)
    # The header comes first and tells how many ids there are, so these wait beside it.
    with _waiting_room(out) as room:
        for part in parts():
            _write(room, part, out)
        room.seek(0)
        write_atomic(out, _with_header(room, sum(sizes), dtype))
    return sum(sizes)


def load_ids(file: str, tokenizer: Tokenizer) -> NDArray[np.integer]:
    """The ids in a file that `save_ids` or numpy has written.

    Raises
    ------
    ValueError
        It is no such array, or holds an id that the tokenizer lacks, with its position.
    """
    with open_named(file) as stream:
        data = stream.read()
    ids = _of_bin(data, file, tokenizer) if file.endswith(".bin") else _of_npy(data, file)
    known = np.append(tokenizer.table.ids, list(tokenizer.special_ids.values()))
    for start in range(0, len(ids), _AT_ONCE):
        unknown = np.flatnonzero(~np.isin(ids[start : start + _AT_ONCE], known))
        if len(unknown):
            place = start + int(unknown[0])
            raise ValueError(
                f"{file}: there is no token with the id {ids[place]} (position {place:,})."
            )
    return ids


def _waiting_room(out: Path) -> BinaryIO:
    try:
        return tempfile.TemporaryFile(dir=out.absolute().parent)
    except OSError as error:
        raise OSError(f"{out} was not saved: {reason_of(error)}.") from error


def _write(room: BinaryIO, part: bytes, out: Path) -> None:
    try:
        room.write(part)
    except OSError as error:
        raise OSError(f"{out} was not saved: {reason_of(error)}.") from error


def _with_header(
    room: BinaryIO, count: int, dtype: np.dtype[np.unsignedinteger]
) -> Iterator[bytes]:
    header = io.BytesIO()
    about = {"descr": dtype.str, "fortran_order": False, "shape": (count,)}
    np.lib.format.write_array_header_1_0(header, about)
    yield header.getvalue()
    while part := room.read(_AT_ONCE):
        yield part


def _of_bin(data: bytes, file: str, tokenizer: Tokenizer) -> NDArray[np.integer]:
    dtype = dtype_of(tokenizer)
    if len(data) % dtype.itemsize:
        raise ValueError(
            f"{file}: it has {len(data):,} bytes, which is no multiple of {dtype.itemsize}."
        )
    return np.frombuffer(data, dtype=dtype)


def _of_npy(data: bytes, file: str) -> NDArray[np.integer]:
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except (ValueError, EOFError, OSError):
        raise ValueError(f"{file}: it is no array of ids as numpy saves them.") from None
    if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"{file}: it must hold one row of whole numbers.")
    return array
