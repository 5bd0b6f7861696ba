"""Ids of all documents in one array on disk: `.npy`, or `.bin` without a header."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.files import open_regular, write_atomic

__all__ = ["load_ids", "save_ids"]


def save_ids(documents: Iterable[NDArray[np.int32]], out: Path, tokenizer: Tokenizer) -> None:
    """Save the ids of documents, one after another, as uint16 or uint32."""
    dtype = _dtype(tokenizer)
    if out.suffix == ".bin":
        write_atomic(out, (ids.astype(dtype).tobytes() for ids in documents))
        return
    arrays = [ids.astype(dtype) for ids in documents]
    header = io.BytesIO()
    about = {"descr": dtype, "fortran_order": False, "shape": (sum(map(len, arrays)),)}
    np.lib.format.write_array_header_1_0(header, about)
    write_atomic(out, (part for part in [header.getvalue(), *(a.tobytes() for a in arrays)]))


def load_ids(file: str, tokenizer: Tokenizer) -> NDArray[np.integer]:
    """The ids in a file that `save_ids` or numpy has written.

    Raises
    ------
    ValueError
        It is no such array, or holds an id that the tokenizer lacks, with its position.
    """
    with open_regular(file, follow_links=True) as stream:
        data = stream.read()
    ids = _of_bin(data, file, tokenizer) if file.endswith(".bin") else _of_npy(data, file)
    known = np.append(tokenizer.table.ids, list(tokenizer.special_ids.values()))
    unknown = np.flatnonzero(~np.isin(ids, known))
    if len(unknown):
        place = unknown[0]
        raise ValueError(
            f"{file}: there is no token with the id {ids[place]} (position {place:,})."
        )
    return ids


def _dtype(tokenizer: Tokenizer) -> str:
    """Two bytes an id while every id fits in them."""
    return "<u2" if tokenizer.id_bound <= 1 << 16 else "<u4"


def _of_bin(data: bytes, file: str, tokenizer: Tokenizer) -> NDArray[np.integer]:
    dtype = np.dtype(_dtype(tokenizer))
    if len(data) % dtype.itemsize:
        raise ValueError(
            f"{file}: it has {len(data):,} bytes, which is no multiple of {dtype.itemsize}."
        )
    return np.frombuffer(data, dtype=dtype)


def _of_npy(data: bytes, file: str) -> NDArray[np.integer]:
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise ValueError(f"{file}: it is no array of ids ({str(error).rstrip('.')}).") from None
    if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"{file}: it must hold one row of whole numbers.")
    return array
