"""Which file of a model folder is opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpe_studio import formats
from bpe_studio.formats.model_folder import find_in_folder, note_on_others, tokenizers_in


def fill(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).touch()
    return folder


@pytest.mark.parametrize(
    ("names", "order"),
    [
        (["tokenizer.json", "vocab.json", "merges.txt"], ["tokenizer.json", "vocab.json"]),
        (["tekken.json", "tokenizer.json", "params.json"], ["tokenizer.json", "tekken.json"]),
        (["a.gguf", "tokenizer.model"], ["tokenizer.model", "a.gguf"]),
        (
            ["tokenizer.model.v1", "tokenizer.model.v3"],
            ["tokenizer.model.v3", "tokenizer.model.v1"],
        ),
        (["x.model.v7m1"], ["x.model.v7m1"]),
        (["tekken_240718.json"], ["tekken_240718.json"]),
        (["cl100k_base.tiktoken"], ["cl100k_base.tiktoken"]),
        (["encoder.json", "vocab.bpe"], ["encoder.json"]),
        (["vocab.json"], []),
        (["config.json", "README.md", "a.txt", "b.mod", "data.jsonl"], []),
        (["b.model", "a.gguf", "tokenizer.model.v1"], ["tokenizer.model.v1", "a.gguf", "b.model"]),
    ],
)
def test_the_order_of_preference(tmp_path: Path, names: list[str], order: list[str]) -> None:
    folder = fill(tmp_path, *names)
    assert [path.name for path in tokenizers_in(folder)] == order
    assert find_in_folder(folder) == (folder / order[0] if order else None)


def test_folders_are_no_files_and_no_folder_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").mkdir()
    assert find_in_folder(tmp_path) is None
    assert find_in_folder(tmp_path / "none") is None
    assert find_in_folder(fill(tmp_path, "a.gguf") / "a.gguf") is None


def test_the_others_are_named(tmp_path: Path) -> None:
    assert note_on_others(fill(tmp_path, "tokenizer.json")) == ()
    fill(tmp_path, "tekken.json", "tokenizer.model", *(f"{c}.gguf" for c in "abcdefg"))
    (note,) = note_on_others(tmp_path)
    assert note == (
        "Of the folder, tokenizer.json was opened; there are tekken.json, tokenizer.model, "
        "g.gguf, f.gguf, e.gguf, d.gguf, c.gguf, b.gguf and 1 more too."
    )


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("vocab.json", "merges.txt"),
        ("merges.txt", "vocab.json"),
        ("encoder.json", "vocab.bpe"),
        ("vocab.bpe", "encoder.json"),
    ],
)
def test_half_of_a_pair_is_told(tmp_path: Path, name: str, other: str) -> None:
    with pytest.raises(ValueError, match=rf"it holds {name} and no {other}, and the one is"):
        formats.load(fill(tmp_path, name))


def test_a_folder_is_loaded(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a folder without a tokenizer file"):
        formats.load(tmp_path)
    table = formats.find_table("worked-example").read_bytes()
    fill(tmp_path, "a.gguf")
    (tmp_path / "tokenizer.json").write_bytes(table)
    found = formats.load(tmp_path)
    assert len(found.merges) == 4 and "a.gguf" in found.notes[0]
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ValueError, match=r"tokenizer\.json: "):
        formats.load(tmp_path)


def test_what_is_opened_as_a_tokenizer(tmp_path: Path) -> None:
    table = formats.find_table("worked-example").read_bytes()
    for name, data, expected in (
        ("a.txt", table, True),
        ("noname", table, True),
        ("a.json", b"{}", True),
        ("a.txt", b"low lower", False),
        ("a.md", b"", False),
        ("a.txt", b"\x80\x04\x95", True),
        ("a.dat", b"PK\x03\x04", True),
    ):
        (tmp_path / name).write_bytes(data)
        assert formats.looks_like_tokenizer(tmp_path / name) is expected, (name, data[:9])
    assert formats.looks_like_tokenizer(tmp_path / "none.json")  # its reader tells what is wrong
    with pytest.raises(OSError, match="no such file"):
        formats.looks_like_tokenizer(tmp_path / "none")
