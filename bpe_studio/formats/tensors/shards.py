"""One safetensors file, or an index with its shards beside it: the tensors of a model by name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from bpe_studio.files import open_regular, reason_of
from bpe_studio.formats.strict.json import quoted
from bpe_studio.formats.tensors.header import MAX_HEADER_BYTES, Tensor, parse_strictly
from bpe_studio.formats.tensors.matrix import TensorFile

__all__ = ["INDEX_NAME", "ONE_NAME", "Weights", "find_weights"]

INDEX_NAME = "model.safetensors.index.json"
ONE_NAME = "model.safetensors"


def find_weights(path: str | os.PathLike[str]) -> Path:
    """The file itself; of a model's folder the file or index of its weights.

    Raises
    ------
    ValueError
        The folder has neither.
    """
    found = Path(path)
    if not found.is_dir():
        return found
    for name in (ONE_NAME, INDEX_NAME):
        if (found / name).exists():
            return found / name
    raise ValueError(
        f"{os.fspath(path)}: it is a folder without {ONE_NAME} and {INDEX_NAME}; open a "
        "safetensors file itself."
    )


class Weights:
    """The tensors of a model; a shard is opened when one of its tensors is asked for.

    Raises
    ------
    OSError, ValueError
        In one sentence that names the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = os.fspath(path)
        self._files: dict[str, TensorFile] = {}
        self._shard_of: dict[str, str] | None = None
        if _is_json(path, self.name):
            self._shard_of = _read_index(path, self.name)
        else:
            file = self._files[path.name] = TensorFile(path)
            self._shard_of = dict.fromkeys(file.tensors, path.name)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all tensors."""
        return tuple(self._shard_of or ())

    def find(self, name: str) -> tuple[TensorFile, Tensor]:
        """A tensor by its name, and the open file that holds it."""
        assert self._shard_of is not None
        shard = self._shard_of[name]
        file = self._open(shard)
        tensor = file.tensors.get(name)
        if tensor is None:
            raise ValueError(
                f"{self.name}: it says that {quoted(name)} is in {shard}, and that file has no "
                "such tensor; download the files of the model again."
            )
        return file, tensor

    def tensors(self) -> Iterator[Tensor]:
        """Every tensor; opens all shards."""
        for name in self.names:
            yield self.find(name)[1]

    def _open(self, shard: str) -> TensorFile:
        if shard not in self._files:
            path = self.path.with_name(shard)
            if not path.exists():
                raise ValueError(f"{self.name}: the shard {shard} is not in the same folder.")
            self._files[shard] = TensorFile(path)
        return self._files[shard]

    def close(self) -> None:
        for file in self._files.values():
            file.close()
        self._files.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_json(path: Path, name: str) -> bool:
    """Whether a file begins as JSON: the length of a header has zeros in its first eight bytes."""
    with open_regular(path, follow_links=True) as file:
        try:
            head = file.read(8)
        except OSError as error:
            raise OSError(f"{name} cannot be read: {reason_of(error)}.") from error
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{" and b"\x00" not in head


def _read_index(path: Path, name: str) -> dict[str, str]:
    """Tensor to shard, of an index."""
    with open_regular(path, follow_links=True) as file:
        try:
            data = file.read(MAX_HEADER_BYTES + 1)
        except OSError as error:
            raise OSError(f"{name} cannot be read: {reason_of(error)}.") from error
    if len(data) > MAX_HEADER_BYTES:
        raise ValueError(f"{name}: it is over 100 MB, which no index of weights is.")
    value: Any = parse_strictly(data.removeprefix(b"\xef\xbb\xbf"), f"{name}: it")
    shards = value.get("weight_map") if isinstance(value, dict) else None
    if not isinstance(shards, dict):
        raise ValueError(
            f"{name}: it has no weight_map, so it is no index of weights; give a safetensors file "
            f"or {INDEX_NAME}."
        )
    for tensor, shard in shards.items():
        if not isinstance(shard, str) or not _is_plain(shard):
            raise ValueError(
                f"{name}: weight_map[{quoted(tensor)}] must be the name of a file in the same "
                f"folder, not {quoted(shard)}."
            )
    return shards


def _is_plain(shard: str) -> bool:
    """A name without a folder: nothing outside the index's own is ever opened."""
    apart = any(sign in shard for sign in "/\\:")
    short = 0 < len(shard.encode(errors="replace")) <= 255
    return short and not apart and shard not in (".", "..") and shard.isprintable()
