"""CSV that no spreadsheet runs, TSV that pastes."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.reports.cells import csv_cell, csv_chunks, tsv_cell, tsv_text

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\x00"), max_size=8)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])
def test_a_formula_is_quoted(text: str) -> None:
    assert csv_cell(text) == f'"\'{text}"'


def test_numbers_stay_numbers() -> None:
    assert [csv_cell(-5), csv_cell(1.5), csv_cell(None)] == ["-5", "1.5", ""]


@given(st.lists(st.lists(TEXT, min_size=2, max_size=2), max_size=5))
def test_a_reader_of_csv_gets_the_texts_back(rows: list[list[str]]) -> None:
    data = b"".join(csv_chunks(["a", "b"], rows)).decode()
    read = list(csv.reader(io.StringIO(data, newline="")))
    assert read[0] == ["a", "b"]
    safe = [[f"'{c}" if c[:1] in ("=", "+", "-", "@", "\t") else c for c in row] for row in rows]
    assert read[1:] == safe


def test_long_tables_come_in_chunks() -> None:
    chunks = list(csv_chunks(["n"], ([n] for n in range(5000))))
    assert len(chunks) > 2 and b"".join(chunks).count(b"\n") == 5001


def test_tsv_keeps_real_text() -> None:
    assert tsv_cell(" the") == " the"
    assert tsv_cell("a\tb") == '"a\tb"' and tsv_cell('"') == '""""'
    assert tsv_text([[1, " low", None], [2, "\n", 3]]) == '1\t low\t\n2\t"\n"\t3\n'
