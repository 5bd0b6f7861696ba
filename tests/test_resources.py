"""The tables and the text that come with the program are what the script makes."""

from __future__ import annotations

import importlib.util
import json
import unicodedata
from pathlib import Path
from types import ModuleType

import pytest

import bpe_studio as bs
from bpe_studio import formats
from bpe_studio.bpe.patterns import regex_version

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "bpe_studio" / "resources" / "sample.txt"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make", ROOT / "scripts" / "make_resources.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_names() -> None:
    assert formats.table_names() == ("sample-chars", "stdlib-8k", "worked-example")


@pytest.mark.parametrize("name", ["sample-chars", "worked-example"])
def test_made_again_they_are_the_same(script: ModuleType, tmp_path: Path, name: str) -> None:
    """But for the versions of `regex` and Unicode that are written into them."""
    corpus, settings = script.small_tables()[name]
    script.save(tmp_path / "t.json", corpus, settings)
    made, shipped = (
        json.loads(p.read_text()) for p in (tmp_path / "t.json", formats.find_table(name))
    )
    if made["unicode"] != shipped["unicode"]:
        pytest.skip("another Unicode version may cut the sample text in another way")
    assert made.pop("regex") == regex_version()
    shipped.pop("regex")
    assert made == shipped


@pytest.mark.parametrize("name", ["sample-chars", "stdlib-8k", "worked-example"])
def test_every_table_round_trips_the_sample_text(name: str) -> None:
    tokenizer = bs.load(formats.find_table(name))
    text = SAMPLE.read_bytes().decode()
    encoding = tokenizer.encode_with_offsets(text)
    assert tokenizer.decode(encoding.ids) == text
    assert encoding.offsets[0, 0] == 0
    assert encoding.offsets[-1, 1] == len(text.encode())
    assert (encoding.offsets[1:, 0] == encoding.offsets[:-1, 1]).all()


def test_worked_example() -> None:
    tokenizer = bs.load(formats.find_table("worked-example"))
    assert tokenizer.merges == [(114, 117, 262), (262, 125, 263), (38, 263, 264), (264, 107, 265)]
    assert tokenizer.encode("lowest", add_bos=True, add_eos=True) == [1, 263, 107, 121, 122, 2]


def test_tables_hold_no_path_of_the_machine_that_made_them() -> None:
    for name in formats.table_names():
        training = bs.load(formats.find_table(name)).training
        assert training is not None
        labels = [file["path"] for file in training.corpus["files"]]
        assert not any(label.startswith(("/", "..")) or ":" in label for label in labels)


def test_tables_are_small() -> None:
    assert all(formats.find_table(name).stat().st_size < 500_000 for name in formats.table_names())


def test_the_sample_text_shows_what_it_should() -> None:
    text = SAMPLE.read_bytes().decode()
    for needed in ("\u200d", "\u200c", "\u00a0", "\u2009", "\u3000", "\ufeff", "\t", "def ", "🇩🇪"):
        assert needed in text
    for script in ("CJK", "DEVANAGARI", "ARABIC", "HEBREW", "HANGUL", "THAI", "CYRILLIC"):
        assert any(script in unicodedata.name(char, "") for char in text)
    assert text.endswith("\n")
    assert "\r" not in text
    assert 50 <= text.count("\n") <= 70
