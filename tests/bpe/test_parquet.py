"""Parquet files: the rows of one column are documents."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe_studio as bs
from bpe_studio.bpe.corpus import CorpusReport, find_files, read_blocks
from bpe_studio.bpe.parquet import is_parquet

TEXTS = ["low lower", "", "日本 é\r\n", "lowest " * 300, "a\u2028b"]


def write(path: Path, columns: dict[str, Any], **options: Any) -> Path:
    pq.write_table(pa.table(columns), path, **options)
    return path


def read(path: Path, *, key: str = "text", errors: Any = "drop") -> tuple[list[str], CorpusReport]:
    report, documents = CorpusReport(), [""]
    for block in read_blocks(
        find_files([path], text_key=key, errors=errors), block_bytes=64, report=report
    ):
        documents[-1] += block.text
        if block.last:
            documents.append("")
    assert documents.pop() == ""
    return documents, report


def messages(report: CorpusReport) -> list[str]:
    return [problem.message for problem in report.problems]


KINDS = [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())]


@pytest.mark.parametrize("kind", KINDS)
def test_every_row_is_a_document(tmp_path: Path, kind: Any) -> None:
    columns = {"id": range(5), "text": pa.array(TEXTS).cast(kind)}
    documents, report = read(write(tmp_path / "a.parquet", columns, row_group_size=2))
    assert documents == TEXTS and report.problems == [] and report.documents == 5


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_rows_are_those_of_the_same_jsonl(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    import json

    folder = tmp_path_factory.mktemp("same")
    lines = [json.dumps({"text": text}) + "\n" for text in texts]
    (folder / "a.jsonl").write_text("".join(lines), encoding="utf-8")
    columns = {"text": pa.array(texts, pa.string())}
    ours, ours_report = read(write(folder / "a.parquet", columns))
    theirs, their_report = read(folder / "a.jsonl")
    assert ours == theirs == texts
    assert ours_report.fingerprint() == their_report.fingerprint()


def test_another_column(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", {"body": ["low"], "text": [1]})
    assert read(path, key="body")[0] == ["low"]
    documents, report = read(path)
    assert documents == [] and report.read_files == []
    assert messages(report) == [
        "Its column 'text' holds int64, not text; it has 'body' (string), 'text' (int64); left out."
    ]
    assert "It has no column 'x'" in messages(read(path, key="x")[1])[0]
    with pytest.raises(ValueError, match=r"a\.parquet: .*no column 'x'"):
        read(path, key="x", errors="strict")


def test_rows_without_text_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", {"text": ["low", None, "er", None]})
    documents, report = read(path)
    assert documents == ["low", "er"]
    assert messages(report) == ["2 rows without a string under 'text' (first row 2); left out."]
    with pytest.raises(ValueError, match="row without a string"):
        read(path, errors="strict")
    assert read(path, errors="skip-file")[0] == []


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    column = pa.array([b"low", b"\xff"], pa.binary())
    broken = pa.Array.from_buffers(pa.string(), 2, column.buffers())
    documents, report = read(write(tmp_path / "a.parquet", {"text": broken}))
    assert documents == ["low"] and "not valid UTF-8" in messages(report)[0]


def test_files_that_are_damaged(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole.parquet", {"text": ["low " * 50] * 5000}, compression="none")
    data = whole.read_bytes()
    for name, part in (("empty", b""), ("text", b"low lower"), ("cut", data[: len(data) // 2])):
        path = tmp_path / f"{name}.parquet"
        path.write_bytes(part)
        documents, report = read(path)
        assert documents == []
        assert messages(report) == ["It is no .parquet file, whatever its name says; left out."]


def test_pyarrow_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.parquet", {"text": ["low"]})
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    documents, report = read(path)
    assert documents == []
    assert messages(report) == [
        "A Parquet file needs the package pyarrow; install it with "
        "pip install 'bpe-studio[parquet]'; left out."
    ]
    with pytest.raises(ValueError, match="pip install"):
        bs.train(path, vocab_size=300)


def test_training_on_it(tmp_path: Path) -> None:
    path = write(tmp_path / "a.PARQUET", {"text": ["low low lower lowest"]})
    (tmp_path / "a.txt").write_text("low low lower lowest")
    ours, theirs = (bs.train(tmp_path / name, vocab_size=280) for name in (path.name, "a.txt"))
    assert ours.merges == theirs.merges and is_parquet(path.name)
