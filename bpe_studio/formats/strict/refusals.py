"""Files that are never read as a tokenizer, told by their content whatever their name is."""

from __future__ import annotations

import io
import pickletools
import zipfile
import zlib

from bpe_studio.formats.strict.compressed import look_inside

__all__ = ["is_unsafe", "refuse_unsafe"]

_PICKLE_NAMES = (".pkl", ".pickle", ".pt", ".pth")
_SAFE_WAY = (
    "a Python pickle, which can run any program when it is read, so it is never opened; in the "
    "program that made it save the tokenizer as JSON, or dump its ranks to a .tiktoken file, and "
    "open that"
)
# What nanochat and others keep as tokenizer.pkl.
_TIKTOKEN_WAY = (
    "a Python pickle of a tiktoken encoding, which can run any program when it is read, so it is "
    "never opened; in the program that made it write every item of its _mergeable_ranks to a "
    ".tiktoken file (the token in base64, a space, the rank) and open that"
)


def refuse_unsafe(data: bytes, source: str) -> None:
    """Raise a ValueError for a pickle, or for a zip or a compressed file, with one in it or not.

    Pickles are what nanochat, joblib and torch save; joblib compresses them too.
    """
    if _is_pickle(data):
        is_encoding = b"tiktoken" in data[:4096]
        raise ValueError(f"{source}: it is {_TIKTOKEN_WAY if is_encoding else _SAFE_WAY}.")
    if (found := look_inside(data)) is not None:
        kind, start = found
        if _is_pickle(start):
            raise ValueError(f"{source}: it is a {kind} file that holds {_SAFE_WAY}.")
        raise ValueError(f"{source}: it is a {kind} file; unpack it and open what it holds.")
    if data[257:262] == b"ustar":
        raise ValueError(f"{source}: it is a tar archive; unpack it and open the tokenizer file.")
    if data.startswith(b"PK\x03\x04"):
        if _holds_pickle(data):
            raise ValueError(f"{source}: it is a zip archive that holds {_SAFE_WAY}.")
        raise ValueError(f"{source}: it is a zip archive; unpack it and open the tokenizer file.")


def is_unsafe(head: bytes) -> bool:
    """Whether a file that begins so is a pickle or an archive, which `refuse_unsafe` refuses.

    Pickles of the old protocols are told only by the whole file.
    """
    return head.startswith(b"PK\x03\x04") or (head[:1] == b"\x80" and head[1:2] <= b"\x05")


def _is_pickle(data: bytes) -> bool:
    if len(data) > 1 and data[0] == 0x80 and data[1] <= 5:
        return True
    # The old protocols are text with no mark in front; a full stop ends them. JSON never does.
    body = data.rstrip(b"\r\n")
    return body.endswith(b".") and not data.lstrip().startswith(b"{") and _reads_as_pickle(body)


def _reads_as_pickle(data: bytes) -> bool:
    """Whether every opcode is one of a pickle. Nothing is built or run."""
    try:
        for opcode, _argument, position in pickletools.genops(data):
            if opcode.name == "STOP":
                return position == len(data) - 1 and position > 0
    except Exception:  # whatever the disassembler stumbles on: it is no pickle then
        return False
    return False


def _holds_pickle(data: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()[:1000]
            if any(member.filename.lower().endswith(_PICKLE_NAMES) for member in members):
                return True
            return any(_starts_as_pickle(archive, member) for member in members)
    except (zipfile.BadZipFile, ValueError, OSError):
        return False


def _starts_as_pickle(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bool:
    try:
        with archive.open(member) as file:
            return _is_pickle(file.read(2))
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError):
        return False  # damaged or encrypted (RuntimeError): the archive is refused anyway
