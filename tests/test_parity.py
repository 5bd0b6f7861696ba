"""The comparison with other programs: it finds nothing where nothing is, and what is there."""

from __future__ import annotations

import doctest
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bpe_studio import formats
from bpe_studio.formats import gpt2, tiktoken
from tests.bench import parity
from tests.bench.parity_engines import engine_of
from tests.bench.parity_texts import Texts, random_texts, texts_of
from tests.bpe.test_trainer import trained
from tests.formats.hf_files import added, byte_level, file
from tests.formats.test_tekken import small

SAMPLE = "low lower lowest, don't 12345\n\n  xé日本語日本 नमस्ते\n" + "ab" * 40
OURS = trained([SAMPLE * 3], vocab_size=400, pattern="gpt2")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for package in ("tokenizers", "tiktoken"):
        pytest.importorskip(package)
    formats.save(OURS, tmp_path / "own.json")
    formats.save(OURS, tmp_path / "vocab.json", "gpt2")
    (tmp_path / "t.tiktoken").write_bytes(tiktoken.write(OURS).files[""])
    (tmp_path / "tekken.json").write_text(json.dumps(small()), "utf-8")
    content = file(
        byte_level("l o", "lo w", "Ġ low"),
        added_tokens=[added("<s>", 259), added("low low", 260, lstrip=True)],
        pre_tokenizer={"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True},
        post_processor={"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True},
        normalizer={"type": "NFC"},
    )
    (tmp_path / "tokenizer.json").write_text(json.dumps(content), "utf-8")
    (tmp_path / "notes.txt").write_text("low lower\n" * 9, "utf-8")
    return tmp_path


def test_one_line_a_file(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.bench.parity_texts._RANDOM", 60)
    text = folder / "text.txt"
    text.write_text(SAMPLE + "\n\U00010940 is new\n", "utf-8")
    assert (
        parity.main([str(folder), "--text", str(text), "--mb", "0.001", "--pattern", "gpt2"]) == 0
    )
    lines = capsys.readouterr().out.splitlines()
    names = [line.split("/")[1].split(",")[0] for line in lines]
    assert names == ["t.tiktoken", "tekken.json", "tokenizer.json", "vocab.json"]
    assert all(": 0 differences (" in line and "1 lines left out" in line for line in lines)


def test_a_difference_is_shown(folder: Path) -> None:
    path = folder / "vocab.json"
    engine = engine_of(path, "gpt2", OURS)
    assert engine is not None
    other = replace(OURS, table=OURS.table.prefix(3))
    found = parity.compare(other, engine, Texts("t", ["ab", "x low lower"]))
    assert found.differences == 1 and "here 126=b" in found.shown[0]

    def wrong_spans(text: str) -> tuple[list[int], parity.Spans | None]:
        ids, spans = engine.encode(text)
        return ids, spans if spans is None else spans + 1

    shifted = replace(engine, encode=wrong_spans)
    assert "has the span [0, " in parity.compare(OURS, shifted, Texts("t", ["low"])).shown[0]
    loose = replace(shifted, unchanged=lambda _: False)
    assert parity.compare(OURS, loose, Texts("t", ["low"])).differences == 1


def test_texts(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text("a line\n" * 3000 + "\U00010940\nthe last", "utf-8")
    texts = texts_of(path, 10**6)
    assert "".join(texts.documents) == "a line\n" * 3000 + "the last"
    assert (len(texts.documents), texts.left_out) == (3, 1)
    assert random_texts(OURS, SAMPLE).documents == random_texts(OURS, SAMPLE).documents
    assert any("<bos>" in text for text in random_texts(OURS, SAMPLE).documents)


def test_parts_of_characters() -> None:
    offsets = np.array([[0, 1], [1, 2], [2, 3], [1, 3], [3, 3]])
    found = parity.parts_of_characters("aé", offsets)
    assert found.tolist() == [False, True, True, False, False]
    assert not doctest.testmod(parity).failed


def test_files_with_a_mark(folder: Path) -> None:
    found = {path.name: kind for path, kind in parity.tokenizer_files(folder)}
    assert "own.json" not in found and "notes.txt" not in found and "merges.txt" not in found
    assert found["vocab.json"] == gpt2.NAME
