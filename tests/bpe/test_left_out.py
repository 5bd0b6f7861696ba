"""Files and rows that are not read: as if they were not there, and no name is passed over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bpe_studio.bpe.corpus import Corpus, CorpusReport, Errors, find_files, read_blocks
from bpe_studio.bpe.left_out import LeftOut, find_left_out


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.txt").write_text("alpha")
    (tmp_path / "sub" / "b.txt").write_text("beta")
    rows = ['{"text": "one"}', "", "{broken", '{"text": "four"}', '{"text": "five"}']
    (tmp_path / "rows.jsonl").write_text("\n".join(rows) + "\n")
    (tmp_path / "x.jsonl:2").write_text("a name like a row's")
    return tmp_path


def read(
    corpus: Corpus, *names: str, may_lack: tuple[str, ...] = ()
) -> tuple[list[str], CorpusReport]:
    report = CorpusReport()
    left_out = find_left_out(corpus.files, names, may_lack=may_lack)
    texts: dict[int, str] = {}
    for block in read_blocks(corpus, report=report, left_out=left_out):
        if block.data or block.last:
            texts[block.document] = texts.get(block.document, "") + block.text
    assert list(texts) == list(range(len(texts)))
    return list(texts.values()), report


def test_a_file_and_rows(folder: Path) -> None:
    corpus = find_files([folder])
    everything, _ = read(corpus)
    assert everything == ["alpha", "one", "four", "five", "beta", "a name like a row's"]
    some, report = read(corpus, "sub/b.txt", "rows.jsonl:1", "rows.jsonl:4")
    assert some == ["alpha", "five", "a name like a row's"]
    assert (report.left_out_files, report.left_out_rows) == (1, 2)
    assert [file.label for file in report.read_files] == ["a.txt", "rows.jsonl", "x.jsonl:2"]
    assert len(report.problems) == 1  # the broken row
    files, report = read(corpus, "rows.jsonl", "x.jsonl:2")
    assert files == ["alpha", "beta"]
    assert (report.left_out_files, report.left_out_rows, report.problems) == (2, 0, [])


def test_the_fingerprint_is_of_what_is_read(folder: Path) -> None:
    _, report = read(find_files([folder]), "a.txt", "rows.jsonl", "x.jsonl:2")
    _, alone = read(find_files([folder / "sub" / "b.txt"]))
    assert report.fingerprint() == alone.fingerprint()


@pytest.mark.parametrize("errors", ["strict", "skip-file", "drop"])
def test_a_row_that_is_left_out_may_be_broken(folder: Path, errors: Errors) -> None:
    texts, report = read(find_files([folder / "rows.jsonl"], errors=errors), "rows.jsonl:3")
    assert texts == ["one", "four", "five"]
    assert report.problems == []


def test_rows_of_parquet_count_from_one(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = ["one", None, "three", "four"]
    parquet.write_table(pyarrow.table({"text": rows}), tmp_path / "r.parquet")
    texts, report = read(find_files([tmp_path]), "r.parquet:3")
    assert texts == ["one", "four"]
    assert report.left_out_rows == 1
    with pytest.raises(ValueError, match=r"'r\.parquet:5' names no row: r\.parquet has 4 rows\."):
        read(find_files([tmp_path]), "r.parquet:5")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("b.txt", r"without 'b\.txt' names no file of the corpus; near is 'sub/b\.txt'\."),
        ("rows.json", r"without 'rows\.json' names no file of the corpus; near is 'rows\.jsonl'\."),
        ("zzz", r"without 'zzz' names no file of the corpus; it has 4, the first is 'a\.txt'\."),
        ("rows.jsonl:0", r"'rows\.jsonl:0' names no row: the first row is 1\."),
        ("rows.jsonl:6", r"'rows\.jsonl:6' names no row: rows\.jsonl has 5 rows\."),
        ("a.txt:1", r"'a\.txt:1' names a row, and a\.txt is one document; its name alone"),
        ("\u202etxt.exe", r"without '⟨202E⟩txt\.exe' names no file"),
        ("rows.jsonl:²", r"names no file of the corpus; near is 'rows\.jsonl'"),
    ],
)
def test_a_name_that_stands_for_nothing(folder: Path, name: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read(find_files([folder]), name)


def test_what_another_corpus_need_not_have(folder: Path) -> None:
    names = ("gone.txt", "rows.jsonl:99", "a.txt")
    texts, report = read(find_files([folder]), *names, may_lack=names)
    assert "alpha" not in texts and len(texts) == 5
    assert (report.left_out_files, report.left_out_rows) == (1, 0)


def test_an_empty_corpus_has_nothing_near() -> None:
    with pytest.raises(ValueError, match=r"without 'a' names no file of the corpus\."):
        find_left_out((), ["a"])
    assert find_left_out((), []) == LeftOut()


def test_rows_of_a_damaged_file_are_not_counted(tmp_path: Path) -> None:
    import gzip

    data = gzip.compress("".join(json.dumps({"text": str(n)}) + "\n" for n in range(9)).encode())
    (tmp_path / "r.jsonl.gz").write_bytes(data[:-9])
    _, report = read(find_files([tmp_path]), "r.jsonl.gz:99")
    assert len(report.problems) == 1


def test_two_files_of_one_label(tmp_path: Path) -> None:
    for name, rows in (("a", 1), ("b", 3)):
        (tmp_path / name).mkdir()
        text = "".join(f'{{"text": "{name}{n}"}}\n' for n in range(rows))
        (tmp_path / name / "r.jsonl").write_text(text)
    texts, report = read(find_files([tmp_path / "a", tmp_path / "b"]), "r.jsonl:3")
    assert texts == ["a0", "b0", "b1"] and report.left_out_rows == 1
