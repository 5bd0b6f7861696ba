"""Files of weights that are no safetensors files, told by their first bytes, and the way out."""

from __future__ import annotations

from typing import Final

from bpe_studio.formats.strict.compressed import look_inside
from bpe_studio.formats.strict.refusals import is_unsafe

__all__ = ["HEAD_BYTES", "refuse_others"]

HEAD_BYTES: Final = 1 << 16
_SAFE_WAY: Final = (
    "which can run any program when it is read, so it is never opened; give the model.safetensors "
    "of the same model, or in a program that you trust load it (torch.load with "
    "weights_only=True) and save it with safetensors"
)
_OTHERS: Final = (
    (
        b"GGUF",
        "it is a GGUF file, whose weights are mostly quantised; give the safetensors file of the "
        "model that it was made from",
    ),
    (b"\x93NUMPY", "it is a NumPy file; save the matrix as a safetensors file"),
    (b"\x89HDF", "it is an HDF5 file; save the model as a safetensors file"),
)


def refuse_others(head: bytes, source: str) -> None:
    """Raise a ValueError for a pickle, an archive, or a file of another kind, by its content."""
    if head[4:9] == b"\0\0\0\0{":
        return  # a length below 4 GB, whose first bytes may be those of any other kind, and JSON
    if head.startswith(b"PK\x03\x04"):
        raise ValueError(
            f"{source}: it is a zip archive; those that torch.save writes hold a Python pickle, "
            f"{_SAFE_WAY}."
        )
    if is_unsafe(head) or _is_old_pickle(head):
        raise ValueError(f"{source}: it is a Python pickle, {_SAFE_WAY}.")
    if head[257:262] == b"ustar":
        raise ValueError(f"{source}: it is a tar archive; unpack it and open what it holds.")
    for mark, reason in _OTHERS:
        if head.startswith(mark):
            raise ValueError(f"{source}: {reason}.")
    if (found := look_inside(head)) is not None:
        raise ValueError(f"{source}: it is a {found[0]} file; unpack it and open what it holds.")


def _is_old_pickle(head: bytes) -> bool:
    """Pickles of protocol 0 and 1 have no mark; those of objects name a module first."""
    body = head.lstrip(b"(dlp0123456789\n")
    return b"\0" not in head[:8] and body[:1] == b"c" and b"\n" in body[:200]
