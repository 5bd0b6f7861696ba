"""The pass over a corpus: files, rows, scripts, control tokens, examples."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bpe_studio.analysis.usage import corpus_use
from bpe_studio.bpe import token_counting
from bpe_studio.bpe.corpus import find_files
from bpe_studio.bpe.edits import Lowercase
from bpe_studio.bpe.text_rules import TextRules
from tests.analysis.tables import make_pair


def test_a_corpus_in_one_pass(tmp_path: Path) -> None:
    """Files, rows, scripts, control tokens and examples; the counting itself has its own test."""
    (tmp_path / "a.txt").write_text("aab ab <|im_start|>")
    (tmp_path / "b.jsonl").write_text('{"text": "aab"}\n{"text": "ab ab aab"}\n')
    pair = make_pair([(97, 98, 256), (97, 256, 257)])
    found = corpus_use(pair.tokenizer, find_files([tmp_path]))
    place = found.index(256)
    assert place is not None
    assert found.of(256) == (3, 6)
    assert [int(array[place]) for array in (found.documents, found.largest)] == [2, 2]
    assert str(found.place(int(found.largest_document[place]))).endswith("b.jsonl, row 2")
    assert found.offsets[place] == 0
    assert (found.document_count, found.characters, found.bytes) == (3, 31, 31)
    assert [(s.name, s.id, s.count, s.documents) for s in found.specials] == [
        ("<|im_start|>", None, 1, 1)
    ]
    assert [name for name, _ in found.specials[0].files] == [found.files[0]]
    assert [script.script for script in found.scripts] == ["Latin", "Common"]
    assert found.failure_count == 0


def test_a_corpus_without_text(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    with pytest.raises(ValueError, match="The corpus holds no text"):
        corpus_use(make_pair([]).tokenizer, find_files([tmp_path]))


def test_a_document_that_is_too_large_to_be_seen_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of rows each counts for itself; a tokenizer that may cut does not mind."""
    (tmp_path / "rows.jsonl").write_text('{"text": "ab ab"}\n' * 9)
    (tmp_path / "large.txt").write_text("ab " * 9)
    plain = make_pair([(97, 98, 256)]).tokenizer
    edits = replace(plain, rules=TextRules(normalizer=(Lowercase(),)))
    monkeypatch.setattr(token_counting, "_EDITED_BYTES", 20)
    assert corpus_use(plain, find_files([tmp_path])).document_count == 10
    assert corpus_use(edits, find_files([tmp_path / "rows.jsonl"])).document_count == 9
    with pytest.raises(ValueError, match=r"large\.txt: this tokenizer encodes .* as a whole"):
        corpus_use(edits, find_files([tmp_path]))
