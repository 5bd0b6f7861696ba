"""A report on two tables as a file, by its suffix."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpe_studio.analysis.compare import compare_tables
from bpe_studio.reports.compare import (
    SUFFIXES,
    CompareSubject,
    compare_chunks,
    compare_format,
    is_compare,
    write_compare,
)
from bpe_studio.reports.health import health_chunks, is_health
from bpe_studio.reports.words import ratio
from tests.reports.health_subjects import made_tokenizer, plain_subject


def _subject() -> CompareSubject:
    pair = made_tokenizer([b"low", b"er"]), made_tokenizer([b"low", b"est"])
    return CompareSubject(("x/a.json", "b.json"), pair, compare_tables(*pair))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_report_is_saved_by_its_suffix(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"report{suffix.upper()}"
    write_compare(_subject(), path)
    data = path.read_bytes()
    assert data == b"".join(compare_chunks(_subject(), path)) != b""
    assert compare_format(path)
    assert is_compare(data[:4096]) and not is_health(data[:4096])
    other = b"".join(health_chunks(plain_subject(b"aaaa"), path))
    assert is_health(other[:4096]) and not is_compare(other[:4096])


@pytest.mark.parametrize("name", ["report.txt", "report", "report.html.gz"])
def test_another_suffix_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"a report is \.html, \.md, \.csv or \.json; name it"):
        write_compare(_subject(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_negative_that_is_zero() -> None:
    assert [ratio(value) for value in (-0.0, -1e-17, -0.25, 1234.5678)] == [
        "0.000", "0.000", "-0.250", "1,234.568",
    ]  # fmt: skip
