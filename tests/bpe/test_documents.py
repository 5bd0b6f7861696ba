"""One file → parts: what is noticed about it, and that the check ahead sees the same."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from bpe_studio.bpe.documents import FileReader
from bpe_studio.bpe.folders import CorpusFile, find_files


def reader_of(path: Path, data: bytes, *, block_bytes: int = 4) -> FileReader:
    path.write_bytes(data)
    corpus = find_files([path])
    return FileReader(corpus, corpus.files[0], block_bytes)


def texts(reader: FileReader) -> list[str]:
    documents = [""]
    for part in reader.parts():
        documents[-1] += part.data.decode()
        if part.last:
            documents.append("")
    assert documents.pop() == "", "a document was begun and not ended"
    return documents


@pytest.mark.parametrize("block_bytes", [1, 3, 1000])
def test_whole_file_is_one_document(tmp_path: Path, block_bytes: int) -> None:
    reader = reader_of(tmp_path / "a", "a\r\n€😀\n\n".encode(), block_bytes=block_bytes)
    assert texts(reader) == ["a\r\n€😀\n\n"]
    assert reader.was_read
    assert not reader.faulty


def test_an_empty_file_is_an_empty_document(tmp_path: Path) -> None:
    assert texts(reader_of(tmp_path / "a", b"")) == [""]


def test_rows_of_a_packed_file(tmp_path: Path) -> None:
    data = gzip.compress(b'{"text": "one two three"}\n{"text": ""}\n{"text": "x\\ud800"}')
    reader = reader_of(tmp_path / "a.jsonl.gz", data)
    assert texts(reader) == ["one two three", "", "x\ufffd"]
    assert reader.surrogates_replaced == 1
    assert not reader.faulty


def test_binary_is_reported_and_has_no_document(tmp_path: Path) -> None:
    reader = reader_of(tmp_path / "a.png", b"\x89PNG\r\n\x1a\n\0\0\0")
    assert texts(reader) == []
    assert not reader.was_read
    assert not reader.faulty
    assert [p.message for p in reader.problems] == ["It is a binary file; left out."]


def test_invalid_bytes(tmp_path: Path) -> None:
    reader = reader_of(tmp_path / "a", b"caf\xe9 und so\xff")
    assert texts(reader) == ["caf und so"]
    (fault,) = reader.tell_faults()
    assert fault.message == "2 bytes are not valid UTF-8 (first at byte 3); left out."
    assert fault.offset == 3
    (fault,) = reader.tell_faults("nothing was used")
    assert fault.message.endswith("; nothing was used.")


def test_damaged_archive_ends_its_document(tmp_path: Path) -> None:
    reader = reader_of(tmp_path / "a.gz", gzip.compress(b"text\n" * 1000)[:-9])
    (text,) = texts(reader)
    assert text.startswith("text\n")
    assert reader.faulty
    assert reader.tell_faults()[0].message == ("Its data is cut off; what came before was used.")


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_what_is_only_named_like_an_archive_is_left_out(tmp_path: Path, suffix: str) -> None:
    reader = reader_of(tmp_path / f"a{suffix}", b"this is plain text\n")
    assert texts(reader) == []
    assert not reader.was_read
    (fault,) = reader.tell_faults()
    assert fault.message == f"It is no {suffix} file, whatever its name says; left out."


def test_damage_in_the_middle(tmp_path: Path) -> None:
    data = gzip.compress(b"text\n" * 1000) + b"no gzip at all"
    reader = reader_of(tmp_path / "a.gz", data)
    assert texts(reader) == ["text\n" * 1000]
    assert reader.tell_faults()[0].message == "Its data is damaged; what came before was used."


def test_a_link_is_followed_only_when_it_was_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "link").symlink_to("a.txt")
    corpus = find_files([tmp_path / "link"])
    assert texts(FileReader(corpus, corpus.files[0], 4)) == ["text"]
    found = CorpusFile(tmp_path / "link", "link", 4)
    reader = FileReader(corpus, found, 4)
    assert texts(reader) == []
    assert reader.problems[0].message == (
        "It cannot be read: it is a link, and links are not followed here."
    )


def test_a_lone_surrogate_is_a_fault_only_when_strict(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "a"}\n\n{"text": "b\\ud800"}\n')
    for errors, told in (("drop", []), ("strict", ["1 row with a lone surrogate (first row 3)."])):
        corpus = find_files([tmp_path / "a.jsonl"], errors=errors)  # type: ignore[arg-type]
        reader = FileReader(corpus, corpus.files[0], 100)
        assert texts(reader) == ["a", "b\ufffd"]
        assert [fault.message for fault in reader.tell_faults("")] == told


def test_a_file_that_vanishes_is_a_problem(tmp_path: Path) -> None:
    reader = reader_of(tmp_path / "a", b"x")
    (tmp_path / "a").unlink()
    assert texts(reader) == []
    assert reader.problems[0].message == "It cannot be read: there is no such file or folder."


def test_a_file_that_grew_since_it_was_found_is_a_problem(tmp_path: Path) -> None:
    reader = reader_of(tmp_path / "a", b"x")
    (tmp_path / "a").write_bytes(b"xyz")
    assert texts(reader) == ["xyz"]
    assert reader.problems[0].message.startswith("It had 1 byte when it was found and 3 when it")


def test_a_file_that_changes_while_it_is_read_is_a_problem(tmp_path: Path) -> None:
    reader = reader_of(tmp_path / "a", b"x" * 100)
    parts = reader.parts()
    next(parts)
    with (tmp_path / "a").open("ab") as file:
        file.write(b"more")
    assert sum(len(part.data.decode()) for part in parts) == 100
    assert reader.problems[0].message.startswith("It changed while it was read")


def test_check_stops_at_the_first_fault(tmp_path: Path) -> None:
    reader = reader_of(tmp_path / "a", b"ab\xffcd" + b"x" * 100_000, block_bytes=10)
    assert len(list(reader.check())) < 5
    assert reader.faulty


def test_utf16(tmp_path: Path) -> None:
    reader = reader_of(tmp_path / "a", "grün\r\n😀".encode("utf-16"), block_bytes=3)
    assert texts(reader) == ["grün\r\n😀"]
