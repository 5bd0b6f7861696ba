"""Pickles are told by content, under any name and inside a zip."""

from __future__ import annotations

import io
import os
import pickle
import zipfile
from pathlib import Path

import pytest

from bpe_studio import formats
from bpe_studio.formats.refusals import refuse_unsafe


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
