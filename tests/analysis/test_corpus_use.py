"""The pass over a corpus against a plain count of documents, and the places of documents."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.corpus_use import CorpusUse, DocumentPlace
from bpe_studio.analysis.usage import corpus_use
from bpe_studio.bpe.corpus import find_files
from tests.analysis.corpus_uses import plain_use
from tests.analysis.tables import make_pair, pairs

ARRAYS = (
    *("ids", "final", "documents", "largest", "largest_document", "offsets"),
    *("first_documents", "has_rows"),
)
PARTS = ("ab a", " \n", "日é 日", "aab" * 40, "<a>", "a b")


def assert_same(found: CorpusUse, plain: CorpusUse) -> None:
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(found, name), getattr(plain, name), name)
    for name in ("tokens", "characters", "bytes", "document_count", "files", "used"):
        assert getattr(found, name) == getattr(plain, name)
    np.testing.assert_array_equal(found.share, plain.share)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_equals_a_plain_count(tmp_path: Path, data: st.DataObject) -> None:
    """Of all kinds of tables, engines and patterns, with files and with rows."""
    pair = data.draw(pairs())
    text = st.lists(st.sampled_from([*pair.alphabet, *PARTS]), max_size=9).map("".join)
    whole = data.draw(st.lists(text, max_size=4))
    rows = data.draw(st.lists(text, min_size=1, max_size=4))
    if not any([*whole, *rows]):
        return
    for file in tmp_path.iterdir():
        file.unlink()
    for number, content in enumerate(whole):
        (tmp_path / f"{number}.txt").write_bytes(content.encode())
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps({"text": t}) + "\n" for t in rows))
    found = corpus_use(pair.tokenizer, find_files([tmp_path]))
    files = [(f"{number}.txt", 0) for number in range(len(whole))]
    plain = plain_use(
        pair.tokenizer, whole + rows, files=[*files, ("rows.jsonl", len(rows))], plain=pair.plain
    )
    assert_same(found, plain)
    if pair.tokenizer.engine == "merges":
        np.testing.assert_array_equal(found.created, plain.created)
        np.testing.assert_array_equal(found.survival, plain.survival)


def test_rows_are_those_of_the_file(tmp_path: Path) -> None:
    lines = [
        '{"text": "a"}',
        "",
        "no json",
        '{"text": "b"}',
        '{"text": "c"}',
        "{}",
        '{"text": "d"}',
    ]
    for name, kept in {"1.jsonl": lines, "2.jsonl": lines[3:5], "3.jsonl": lines[1:]}.items():
        (tmp_path / name).write_text("\n".join(kept))
    (tmp_path / "4.txt").write_text("e")
    use = corpus_use(make_pair([]).tokenizer, find_files([tmp_path]))
    assert [use.place(document) for document in range(use.document_count)] == [
        *(DocumentPlace("1.jsonl", row) for row in (1, 4, 5, 7)),
        *(DocumentPlace("2.jsonl", row) for row in (1, 2)),
        *(DocumentPlace("3.jsonl", row) for row in (3, 4, 6)),
        DocumentPlace("4.txt"),
    ]
    assert use.row_jumps.tolist() == [[1, 4], [3, 7], [6, 3], [8, 6]]


def test_what_one_asks_of_it() -> None:
    tokenizer = make_pair([(97, 98, 256), (256, 99, 257)]).tokenizer
    use = plain_use(tokenizer, ["abc ab", "ab ab c"], files=[("rows.jsonl", 2)])
    assert (use.of(256), use.of(257), use.of(99_999)) == ((3, 4), (1, 1), (0, 0))
    assert use.index(256) == 256 and use.index(300) is None
    assert use.share[256] == pytest.approx(2 / 3) and np.isnan(use.share[0])
    assert use.survival[256] == 3 / 4
    assert str(use.place(1)) == "rows.jsonl, row 2"
    assert use.used == 4
    assert replace(use, has_rows=np.array([False])).place(0) == DocumentPlace("rows.jsonl")
