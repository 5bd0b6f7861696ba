"""Rows of a matrix in a safetensors file, by memory map: the model is never loaded."""

from __future__ import annotations

import mmap
import os
from pathlib import Path
from typing import BinaryIO, Final, Self

import numpy as np
from numpy.typing import NDArray

from bpe_studio.files import open_regular, reason_of
from bpe_studio.formats.tensors.header import Tensor, read_header
from bpe_studio.formats.tensors.refusals import HEAD_BYTES, refuse_others

__all__ = ["FLOATS", "Matrix", "TensorFile"]

FLOATS: Final = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
"""The types that are read, and how they lie in a file; BF16 is the upper half of an F32."""


class TensorFile:
    """An open safetensors file: its tensors by name, and a map of its bytes.

    Raises
    ------
    OSError, ValueError
        In one sentence that names the file.
    """

    def __init__(self, path: Path, *, name: str | None = None) -> None:
        self.path = path
        self.name = os.fspath(path) if name is None else name
        # What a person names, and the shards in a download cache, may be links.
        self._file: BinaryIO = open_regular(path, follow_links=True)
        self._map: mmap.mmap | None = None
        try:
            self.size = os.fstat(self._file.fileno()).st_size
            refuse_others(self._file.read(HEAD_BYTES), self.name)
            self._file.seek(0)
            self.tensors = read_header(self._file, self.size, self.name)
        except OSError as error:
            self.close()
            raise OSError(f"{self.name} cannot be read: {reason_of(error)}.") from error
        except BaseException:
            self.close()
            raise

    def bytes_of(self, begin: int, end: int) -> memoryview:
        """Bytes of the file; to be let go before it is closed."""
        # Touching a page of a map beyond the end of its file ends the process.
        if os.fstat(self._file.fileno()).st_size < self.size:
            raise ValueError(f"{self.name}: it became shorter while it was read; open it again.")
        if self._map is None:
            self._map = mmap.mmap(self._file.fileno(), self.size, access=mmap.ACCESS_READ)
        return memoryview(self._map)[begin:end]

    def close(self) -> None:
        if self._map is not None:
            self._map.close()
            self._map = None
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Matrix:
    """A tensor of two dimensions and of floating-point numbers.

    Attributes
    ----------
    name, dtype : str
    rows, columns : int
    """

    def __init__(self, file: TensorFile, tensor: Tensor) -> None:
        self._file, self._tensor = file, tensor
        self.name, self.dtype = tensor.name, tensor.dtype
        self.rows, self.columns = tensor.shape

    def read(self, first: int, last: int) -> NDArray[np.float32] | NDArray[np.float64]:
        """Rows from `first` up to `last`, an array (last - first, columns) of its own; of F64
        in double precision, else in single.
        """
        wide = (self._tensor.end - self._tensor.begin) // max(self.rows, 1)
        begin = self._tensor.begin + first * wide
        with self._file.bytes_of(begin, begin + (last - first) * wide) as data:
            stored = np.frombuffer(data, dtype=FLOATS[self.dtype])
            if self.dtype == "BF16":
                made = stored.astype(np.uint32)
                made <<= 16
                found = made.view(np.float32)
            else:
                found = stored.astype(np.float64 if self.dtype == "F64" else np.float32)
            del stored
        return found.reshape(last - first, self.columns)
