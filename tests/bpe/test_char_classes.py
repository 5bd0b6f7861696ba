from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import regex

from bpe_studio.bpe import char_classes
from bpe_studio.bpe.char_classes import CODE_POINTS, build_tables, cache_file, class_table
from bpe_studio.kernels import pieces as scan

CHARS = [*range(0xD800), *range(0xE000, CODE_POINTS)]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setattr(char_classes.platformdirs, "user_cache_dir", lambda *_: str(folder))
    class_table.cache_clear()
    yield folder
    class_table.cache_clear()


@pytest.mark.parametrize(
    ("family", "bit", "expression"),
    [
        ("unicode", scan.SPACE, r"\s"),
        ("unicode", scan.LINE_END, r"[\r\n]"),
        ("unicode", scan.LETTER, r"\p{L}"),
        ("unicode", scan.NUMBER, r"\p{N}"),
        ("unicode", scan.UPPER, r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"),
        ("unicode", scan.LOWER, r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"),
        ("unicode", scan.LONG_S, r"(?i:s)(?<![sS])"),
        ("classic", scan.SPACE, r"\s"),
        ("classic", scan.LETTER, r"[^\W\d]"),
        ("classic", scan.NUMBER, r"\d"),
        ("classic", scan.SPACE | scan.LETTER | scan.NUMBER, r"[\s\w]"),
        ("unicode", scan.SPACE | scan.LETTER | scan.NUMBER, r"[\s\p{L}\p{N}]"),
    ],
)
def test_every_character_is_what_regex_says(family: str, bit: int, expression: str) -> None:
    # Removing what matches is another way through `regex` than looking for it.
    text = "".join(map(chr, CHARS))
    absent = np.zeros(CODE_POINTS, dtype=bool)
    absent[[ord(char) for char in regex.sub(expression, "", text)]] = True
    assert np.array_equal(class_table(family)[CHARS] & bit == 0, absent[CHARS])


def test_a_character_is_of_one_kind() -> None:
    for family in ("unicode", "classic"):
        table = class_table(family)
        kinds = [(table & bit != 0).astype(int) for bit in (scan.SPACE, scan.LETTER, scan.NUMBER)]
        assert sum(kinds).max() == 1


def test_only_the_long_s_equals_a_letter_of_a_contraction() -> None:
    text = "".join(map(chr, CHARS[128:]))
    assert regex.findall("(?i:[stremvld])", text) == ["ſ"]


def test_tables_are_kept_and_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = class_table("unicode").copy()
    assert cache_file().stat().st_size < 100_000
    class_table.cache_clear()
    monkeypatch.setattr(char_classes, "build_tables", lambda: pytest.fail("made again"))
    assert np.array_equal(class_table("unicode"), first)
    assert not class_table("classic").flags.writeable


@pytest.mark.parametrize("damage", ["cut", "empty", "changed", "longer", "text", "folder"])
def test_a_damaged_file_is_made_again(damage: str) -> None:
    path = cache_file()
    expected = class_table("unicode").copy()
    class_table.cache_clear()
    data = bytearray(path.read_bytes())
    path.unlink()
    if damage == "folder":
        path.mkdir()
    elif damage == "changed":
        data[len(data) // 2] ^= 0x55
        path.write_bytes(data)
    else:
        path.write_bytes({
            "cut": data[:-100], "empty": b"", "longer": char_classes.zlib.compress(bytes(9)),
            "text": b"not a table",
        }[damage])  # fmt: skip
    assert np.array_equal(class_table("unicode"), expected)
    class_table.cache_clear()
    assert np.array_equal(class_table("unicode"), expected)


def test_a_folder_that_cannot_be_written_is_no_error(own_folder: Path) -> None:
    own_folder.write_text("a file stands where the folder would go")
    assert np.array_equal(class_table("unicode"), build_tables()[0])
    own_folder.unlink()
    own_folder.mkdir(mode=0o500)
    class_table.cache_clear()
    assert np.array_equal(class_table("classic"), build_tables()[1])
    assert os.listdir(own_folder) == [] or os.access(own_folder, os.W_OK)


def test_the_name_tells_the_version_of_regex() -> None:
    from importlib.metadata import version

    assert version("regex") in cache_file().name
