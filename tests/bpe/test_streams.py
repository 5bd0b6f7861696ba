"""Decompression to the last frame, in bounded memory, and what damage looks like."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from bpe_studio.bpe.streams import DAMAGE, open_stream, without_compression

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: zstandard.ZstdCompressor(write_checksum=True).compress(data),
}
packed = pytest.mark.parametrize("suffix", COMPRESS)


def read_all(path: Path, *, size: int = 1000) -> bytes:
    with open_stream(path) as stream:
        return b"".join(iter(lambda: stream.read(size), b""))


@packed
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_reads_every_frame(tmp_path: Path, suffix: str, size: int) -> None:
    path = tmp_path / f"a.txt{suffix}"
    frames = [b"one\n" * 3000, b"", b"two\n"]
    path.write_bytes(b"".join(map(COMPRESS[suffix], frames)))
    assert read_all(path, size=size) == b"".join(frames)


@packed
def test_empty_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(COMPRESS[suffix](b""))
    assert read_all(path) == b""


def noise(size: int) -> bytes:
    return random.Random(1).randbytes(size)


@pytest.mark.parametrize("suffix", [name for name in COMPRESS if name])
@pytest.mark.parametrize("size", [10, 100_000])
def test_a_cut_off_frame_gives_what_came_before(tmp_path: Path, suffix: str, size: int) -> None:
    data = noise(300_000)
    path = tmp_path / f"a{suffix}"
    path.write_bytes(COMPRESS[suffix](data) + COMPRESS[suffix](data)[:-20])
    got = bytearray()
    with open_stream(path) as stream, pytest.raises(DAMAGE):
        while chunk := stream.read(size):
            got += chunk
    assert len(got) >= len(data)
    assert (data + data).startswith(got)


@pytest.mark.parametrize("suffix", [name for name in COMPRESS if name])
def test_what_a_damaged_file_gives_does_not_depend_on_the_size(tmp_path: Path, suffix: str) -> None:
    data = bytearray(COMPRESS[suffix](noise(20_000) * 5))
    for place in range(len(data) // 2, len(data) // 2 + 40):
        data[place] ^= 0x55
    path = tmp_path / f"a{suffix}"
    path.write_bytes(data)

    def readable(size: int) -> bytearray:
        got = bytearray()
        with open_stream(path) as stream:
            try:
                while chunk := stream.read(size):
                    got += chunk
            except DAMAGE:
                return got
        pytest.fail("the damage was not noticed")

    assert readable(10) == readable(1000) == readable(1 << 20)


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_a_bomb_takes_no_memory(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(COMPRESS[suffix](bytes(100_000_000)))
    tracemalloc.start()
    with open_stream(path) as stream:
        total = sum(iter(lambda: len(stream.read(1 << 16)), 0))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert total == 100_000_000
    assert peak < 80_000_000


def test_position_counts_bytes_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"a" * 1_000_000))
    with open_stream(path) as stream:
        assert stream.size == path.stat().st_size
        while stream.read(1 << 16):
            pass
        assert stream.position == stream.size
        assert not stream.changed()


def test_a_growing_file_is_read_to_the_size_it_had(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(b"one\n")
    with open_stream(path) as stream:
        with path.open("ab") as log:
            log.write(b"two\n")
        assert stream.read(100) == b"one\n"
        assert stream.read(100) == b""
        assert stream.changed()


def test_names_without_compression() -> None:
    assert without_compression("a.jsonl.GZ") == "a.jsonl"
    assert without_compression("a.jsonl") == "a.jsonl"
    assert without_compression("a.zst.txt") == "a.zst.txt"
