"""The head of a GGUF file: what is read, and what is refused where."""

from __future__ import annotations

import random
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bpe_studio.formats.ggml.metadata import read_metadata
from bpe_studio.formats.source import Source
from tests.formats.gguf_writer import gguf, packed, text


def read(data: bytes, *, whole: bool = True) -> dict[str, Any]:
    source = Source(data=data, name="x.gguf", whole=whole)
    return read_metadata(source, lambda name: name != "no")


def head(keys: int, body: bytes = b"", *, version: int = 3) -> bytes:
    return struct.pack("<4sIQQ", b"GGUF", version, 5, keys) + body


def test_values() -> None:
    values = {
        "a": "täxt",
        "no": ["x", "y"],
        "b": True,
        "c": 7,
        "d": -7,
        "e": 0.5,
        "f": ["x", "", "zz"],
        "g": [[1, 2], ["x"]],
    }
    for version in (2, 3):
        found = read(gguf(values, version=version) + b"tensors")
        assert found.pop("g")[1] == ["x"]
        assert found == {k: v for k, v in values.items() if k not in ("no", "g")}
    numbers = read(gguf({"a": [1, -2, 3], "b": [0.5, 1.5]}))
    assert numbers["a"].tolist() == [1, -2, 3] and numbers["b"].dtype == np.float32


def test_every_kind_of_number() -> None:
    kinds = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f"}
    kinds |= {10: "<Q", 11: "<q", 12: "<d"}
    body = b"".join(
        text(f"k{kind}") + struct.pack("<I", kind) + struct.pack(form, 3)
        for kind, form in kinds.items()
    )
    assert set(read(head(len(kinds), body)).values()) == {3}


def nested(depth: int) -> bytes:
    return text("a") + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * depth


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"GGUF", "the head goes on behind the end of the file; a part"),
        (head(1), "tells of 1 key, and the file is too small"),
        (head(1, bytes(20))[:-40], "the head goes on behind the end"),
        (head(2**63), "tells of 9,223,372,036,854,775,808 keys, and the file is too small"),
        (head(0, version=1), "tells version 1, and 2 and 3 are known"),
        (head(0, version=3 << 24), "the file is big-endian, and only little-endian"),
        (head(1, struct.pack("<Q", 2**62) + b"abc" * 9), "key 0 goes on behind the end"),
        (head(1, text(b"\xff") + bytes(9)), "key 0 is no UTF-8"),
        (head(1, text("a") + struct.pack("<I", 77) + bytes(9)), "a is of the kind 77"),
        (head(1, text("a") + struct.pack("<I", 8) + packed(b"\xff", 8)), "a is no UTF-8"),
        (
            head(1, text("a") + struct.pack("<IIQ", 9, 8, 2) + text("x") + text(b"\xff")),
            r"a\[1\] is no UTF-8",
        ),
        (
            head(1, text("a") + struct.pack("<IIQ", 9, 8, 2) + text("x") + struct.pack("<Q", 9)),
            r"a\[1\] goes on behind the end",
        ),
        (head(1, text("a") + struct.pack("<IIQ", 9, 8, 2**60) + bytes(16)), "a goes on behind"),
        (head(1, text("a") + struct.pack("<IIQ", 9, 4, 2**60) + bytes(16)), "a goes on behind"),
        (head(1, text("no") + struct.pack("<IIQ", 9, 8, 1) + bytes(4)), "no goes on behind"),
        (head(1, nested(80)), "a is nested deeper than 64 levels"),
        (gguf({"a": 1}) + b"", ""),
        (head(2, (text("a") + struct.pack("<II", 4, 1)) * 2), "key 1 is 'a', which is there twice"),
    ],
)
def test_refused(data: bytes, words: str) -> None:
    if not words:
        read(data)
        return
    with pytest.raises(ValueError, match=rf"^x\.gguf: .*{words}.*\(byte [\d,]+\)\.$"):
        read(data)


def test_cut_and_damaged() -> None:
    data = gguf({"a": "text", "b": ["x", "y"], "c": [1, 2], "d": [[1], [2]], "e": 5})
    for end in range(4, len(data)):
        with pytest.raises(ValueError, match=r"^x\.gguf: "):
            read(data[:end])
    chance = random.Random(3)
    for _ in range(2000):
        damaged = bytearray(data)
        damaged[chance.randrange(4, len(data))] ^= 1 << chance.randrange(8)
        try:
            read(bytes(damaged))
        except ValueError as error:
            assert str(error).startswith("x.gguf: ")


def test_only_the_head_of_a_large_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.gguf"
    path.write_bytes(gguf({"a": "text"}))
    with path.open("r+b") as file:
        file.truncate(300 << 20)  # sparse: it takes no room
    source = Source.of(path)
    assert len(source.data) == 64 << 20 and not source.whole
    assert read_metadata(source, lambda name: True) == {"a": "text"}
    path.write_bytes(gguf({"a": "text", "b": ""})[:-8] + struct.pack("<Q", 200 << 20))
    with path.open("r+b") as file:
        file.truncate(300 << 20)
    with pytest.raises(ValueError, match=r"b goes on behind the first 64 MiB of the file, and tha"):
        read_metadata(Source.of(path), lambda name: True)
