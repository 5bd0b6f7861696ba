"""Pickles are told by content, under any name and inside a zip."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import pickle
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from bpe_studio import formats
from bpe_studio.formats.strict.refusals import refuse_unsafe


class Harmful:
    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("touch harm-was-done",)


def zipped(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("value", [Harmful(), {"a": 1}, [1, 2], "text", 1, None])
def test_pickles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, protocol: int, value: object
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "tokenizer.json"
    path.write_bytes(pickle.dumps(value, protocol))
    with pytest.raises(ValueError, match=r"tokenizer\.json: it is a Python pickle.*save the tok"):
        formats.load(path)
    assert os.listdir(tmp_path) == ["tokenizer.json"]


@pytest.mark.parametrize("name", ["archive/data.pkl", "x.pt", "innocent.json"])
def test_zips_that_hold_a_pickle(name: str) -> None:
    data = zipped(**{"readme.txt": b"hello", name: pickle.dumps([1])})
    with pytest.raises(ValueError, match="t: it is a zip archive that holds a Python pickle"):
        refuse_unsafe(data, "t")


def test_other_zips() -> None:
    for data in (zipped(**{"tokenizer.json": b"{}"}), b"PK\x03\x04 and nothing more"):
        with pytest.raises(ValueError, match="t: it is a zip archive; unpack it"):
            refuse_unsafe(data, "t")


@pytest.mark.parametrize("data", [b"{}", b"", b".", b"[1, 2].", b"A sentence, no pickle."])
def test_what_is_no_pickle(data: bytes) -> None:
    refuse_unsafe(data, "t")


def lz4_frame(data: bytes, *, stored: bool = False, size: bool = False) -> bytes:
    """A frame of one block that is one run of literals, as lz4 makes it of a short text."""
    more = len(data) - 15
    run = bytes([255] * (more // 255) + [more % 255]) if more >= 0 else b""
    block = data if stored else bytes([min(len(data), 15) << 4]) + run + data
    head = bytes([0x68 if size else 0x60, 0x40]) + (
        len(data).to_bytes(8, "little") if size else b""
    )
    length = (len(block) | (0x80000000 if stored else 0)).to_bytes(4, "little")
    return b"\x04\x22\x4d\x18" + head + b"\0" + length + block + bytes(4)


def old_joblib(data: bytes) -> bytes:
    return b"ZF" + hex(len(data)).ljust(19).encode() + zlib.compress(data)


def fastest(data: bytes) -> bytes:
    return zlib.compress(data, 1)


PACKED: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("gzip", gzip.compress),
    ("zlib", zlib.compress),
    ("zlib", fastest),
    ("zlib", old_joblib),
    ("bz2", bz2.compress),
    ("xz", lzma.compress),
    ("lzma", lambda data: lzma.compress(data, lzma.FORMAT_ALONE)),
    ("lz4", lz4_frame),
    ("lz4", lambda data: lz4_frame(data, stored=True)),
    ("lz4", lambda data: lz4_frame(data, size=True)),
]


@pytest.mark.parametrize(("kind", "pack"), PACKED)
def test_compressed_pickles(kind: str, pack: Callable[[bytes], bytes]) -> None:
    for value in ({"a": 1}, list(range(1000)), Harmful()):
        with pytest.raises(ValueError, match=rf"^t: it is a {kind} file that holds a Python pick"):
            refuse_unsafe(pack(pickle.dumps(value)), "t")
    with pytest.raises(ValueError, match=rf"^t: it is a {kind} file; unpack it"):
        refuse_unsafe(pack(b'{"model": {}}' * 9), "t")
    if kind != "zlib":
        packed = pack(pickle.dumps([1]))
        for end in (*range(6, 12), len(packed) - 3):
            with pytest.raises(ValueError, match=rf"^t: it is a {kind} file"):
                refuse_unsafe(packed[:end], "t")


def test_a_pickle_of_nanochat() -> None:
    data = pickle.dumps({"tiktoken.core": "Encoding"})
    with pytest.raises(ValueError, match=r"pickle of a tiktoken encoding.*every item of its _merg"):
        refuse_unsafe(data, "tokenizer.pkl")


def test_an_old_file_of_torch() -> None:
    data = pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2) + pickle.dumps({}, 2)
    with pytest.raises(ValueError, match=r"it is a Python pickle.*dump its ranks to a .tiktoken"):
        refuse_unsafe(data, "old.pt")


def test_a_tar_archive() -> None:
    with pytest.raises(ValueError, match="t: it is a tar archive; unpack it"):
        refuse_unsafe(bytes(257) + b"ustar\x0000" + bytes(400), "t")


def test_a_small_file_does_not_become_large() -> None:
    bomb = bz2.compress(bytes(100 << 20)), gzip.compress(bytes(100 << 20)), lzma.compress(bytes(9))
    for data in bomb:
        with pytest.raises(ValueError, match="unpack it and open what it holds"):
            refuse_unsafe(data, "t")


def test_a_text_that_begins_as_zlib_does() -> None:
    refuse_unsafe(b"x^2 + y^2", "t")
