"""The stream of blocks: documents, report and fingerprint, whatever the block size."""

from __future__ import annotations

import json
import random
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.bpe.corpus import Corpus, CorpusReport, Errors, find_files, read_blocks


def read(corpus: Corpus, *, block_bytes: int = 1 << 16) -> tuple[list[str], CorpusReport]:
    """Documents and report; checks on the way what every stream must keep to."""
    report = CorpusReport()
    documents: list[str] = []
    open_document, position = "", 0
    for block in read_blocks(corpus, block_bytes=block_bytes, report=report):
        assert block.document == len(documents)
        assert len(block.text) <= block_bytes
        assert block.data == block.text.encode()
        assert position <= block.bytes_read <= corpus.total_bytes
        position = block.bytes_read
        open_document += block.text
        if block.last:
            documents.append(open_document)
            open_document = ""
    assert open_document == ""
    assert report.documents == len(documents)
    return documents, report


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_bytes("Käse\r\n".encode())
    (tmp_path / "b.bin").write_bytes(b"\0\1\2")
    (tmp_path / "c.txt").write_bytes(b"caf\xe9\n")
    (tmp_path / "d.jsonl").write_bytes(b'{"text": "one"}\n{"body": 1}\n{"text": "two"}\n')
    (tmp_path / "e.txt").write_bytes("end\n".encode("utf-16"))
    return tmp_path


@pytest.mark.parametrize("block_bytes", [1, 2, 5, 1 << 16])
def test_drop(mixed: Path, block_bytes: int) -> None:
    documents, report = read(find_files([mixed]), block_bytes=block_bytes)
    assert documents == ["Käse\r\n", "caf\n", "one", "two", "end\n"]
    assert [(p.label, p.message, p.offset) for p in report.problems] == [
        ("b.bin", "It is a binary file; left out.", None),
        ("c.txt", "1 byte is not valid UTF-8 (first at byte 3); left out.", 3),
        (
            "d.jsonl",
            "1 row without a string under 'text' (first row 2, which has 'body'); left out.",
            None,
        ),
    ]
    assert [file.label for file in report.read_files] == ["a.txt", "c.txt", "d.jsonl", "e.txt"]
    assert report.dropped_bytes == 1


@pytest.mark.parametrize("block_bytes", [1, 1 << 16])
def test_skip_file_leaves_nothing_of_a_file(mixed: Path, block_bytes: int) -> None:
    documents, report = read(find_files([mixed], errors="skip-file"), block_bytes=block_bytes)
    assert documents == ["Käse\r\n", "end\n"]
    assert [p.label for p in report.problems] == ["b.bin", "c.txt", "d.jsonl"]
    assert report.problems[1].message == (
        "1 byte is not valid UTF-8 (first at byte 3); the whole file was left out."
    )
    assert [file.label for file in report.read_files] == ["a.txt", "e.txt"]
    assert report.dropped_bytes == 0


def test_strict_names_file_and_place(mixed: Path) -> None:
    with pytest.raises(ValueError, match=r"^c\.txt: 1 byte is not valid UTF-8 \(first at byte 3"):
        read(find_files([mixed], errors="strict"))
    (mixed / "c.txt").unlink()
    with pytest.raises(ValueError, match=r"^d\.jsonl: 1 row without a string under 'text'"):
        read(find_files([mixed], errors="strict"))


def test_a_vanished_file_is_a_line_even_when_strict(mixed: Path) -> None:
    corpus = find_files([mixed / "a.txt", mixed / "e.txt"], errors="strict")
    (mixed / "a.txt").unlink()
    documents, report = read(corpus)
    assert documents == ["end\n"]
    assert len(report.problems) == 1


def test_text_key(mixed: Path) -> None:
    (mixed / "d.jsonl").write_text('{"body": "b", "text": "t"}')
    documents, _ = read(find_files([mixed / "d.jsonl"], text_key="body"))
    assert documents == ["b"]


@pytest.mark.parametrize("errors", ["drop", "skip-file", "strict"])
@settings(max_examples=40, deadline=None)
@given(
    files=st.lists(st.tuples(st.booleans(), st.lists(st.text(max_size=40), max_size=4))),
    block_bytes=st.integers(1, 30),
)
def test_documents_do_not_depend_on_block_size(
    tmp_path_factory: pytest.TempPathFactory,
    errors: Errors,
    files: list[tuple[bool, list[str]]],
    block_bytes: int,
) -> None:
    root = tmp_path_factory.mktemp("corpus")
    expected: list[str] = []
    for number, (rows, texts) in enumerate(files):
        texts = [text.replace("\0", "") for text in texts]
        path = root / f"{number:02}{'.jsonl' if rows else ''}"
        lines = [json.dumps({"text": text}) for text in texts] if rows else texts
        path.write_bytes("\n".join(lines).encode())
        # A mark at the very beginning belongs to the encoding, not to the text.
        expected += texts if rows else ["\n".join(texts).removeprefix("\ufeff")]
    corpus = find_files([root], errors=errors)
    documents, report = read(corpus, block_bytes=block_bytes)
    assert documents == expected
    assert report.problems == []
    assert report.fingerprint() == read(corpus)[1].fingerprint()


def fingerprint(root: Path, *texts: str) -> str:
    root.mkdir()
    for number, text in enumerate(texts):
        (root / str(number)).write_text(text)
    return read(find_files([root]))[1].fingerprint()


def test_fingerprint_frames_the_documents(tmp_path: Path) -> None:
    cases = [("ab",), ("a", "b"), ("", "ab"), ("ab", ""), ("b", "a"), ("",), ()]
    prints = [fingerprint(tmp_path / str(at), *texts) for at, texts in enumerate(cases)]
    assert len(set(prints)) == len(cases)


def test_fingerprint_is_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "rows.jsonl").write_text('{"text": "x"}\n{"text": "y"}')
    again = read(find_files([tmp_path / "a"]))[1].fingerprint()
    assert again == fingerprint(tmp_path / "b", "x", "y")


def test_problems_of_the_walk_come_first(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xff")
    (tmp_path / "b").symlink_to("a")
    _, report = read(find_files([tmp_path]))
    assert [problem.label for problem in report.problems] == ["b", "a"]


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    noise = random.Random(2)
    line = "".join(noise.choices("abc déf\n", k=1000))
    (tmp_path / "big.txt").write_text(line * 30_000)
    (tmp_path / "big.jsonl").write_text((json.dumps({"text": line}) + "\n") * 10_000)
    corpus = find_files([tmp_path])
    tracemalloc.start()
    for _ in read_blocks(corpus):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


@pytest.mark.parametrize("errors", ["drop", "skip-file"])
def test_a_caller_gets_its_turn_often(tmp_path: Path, errors: Errors) -> None:
    (tmp_path / "row.jsonl").write_bytes(b'{"text": "' + b"x" * 3_000_000 + b'"}')
    (tmp_path / "bad.txt").write_bytes(b"y" * 3_000_000 + b"\xff")
    blocks = list(read_blocks(find_files([tmp_path], errors=errors)))
    assert len(blocks) > 20


def test_block_size_must_be_positive(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="block_bytes is 0"):
        next(read_blocks(Corpus(()), block_bytes=0))
