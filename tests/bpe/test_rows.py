"""Rows of JSONL: only a newline ends one; what is no document is counted."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe import rows
from bpe_studio.bpe.rows import RowReader, is_rows


def read(text: str, *, step: int = 5, key: str = "text") -> tuple[list[str], list[str]]:
    reader = RowReader(key)
    found = [d for at in range(0, len(text), step) for d in reader.feed(text[at : at + step])]
    return [*found, *reader.close()], reader.fault_sentences()


@given(st.lists(st.text()), st.integers(1, 50), st.booleans(), st.booleans())
def test_every_text_comes_back(texts: list[str], step: int, ascii_only: bool, ends: bool) -> None:
    lines = [json.dumps({"id": 1, "text": text}, ensure_ascii=ascii_only) for text in texts]
    joined = "\n".join(lines) + ("\n" if ends else "")
    assert read(joined, step=step) == (texts, [])


def test_only_newlines_end_rows_and_empty_lines_are_none() -> None:
    text = '{"text": "a\u2028b\x85c"}\r\n\n \t\n{"text": ""}'
    assert read(text) == (["a\u2028b\x85c", ""], [])


def test_key() -> None:
    assert read('{"text": "a", "body": "b"}', key="body") == (["b"], [])


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("{", "1 row not valid JSON (first row 2, column 2)"),
        ('{"text": "a"} x', "1 row not valid JSON (first row 2, column 14)"),
        ("[" * 100_000, "1 row not valid JSON (first row 2, which is nested too deeply)"),
        ('["text"]', "1 row without an object (first row 2)"),
        ("null", "1 row without an object (first row 2)"),
        ('{"body": "x"}', "1 row without a string under 'text' (first row 2, which has 'body')"),
        ("{}", "1 row without a string under 'text' (first row 2, which has no keys)"),
        ('{"text": 3}', "1 row without a string under 'text' (first row 2, which has 'text')"),
    ],
)
def test_faults(row: str, sentence: str) -> None:
    texts, faults = read(f'{{"text": "a"}}\n{row}\n{{"text": "b"}}\n')
    assert texts == ["a", "b"]
    assert len(faults) == 1
    assert faults[0].startswith(sentence)


def test_faults_of_a_kind_are_one_sentence() -> None:
    assert read("1\n2\n3")[1] == ["3 rows without an object (first row 1)"]


def test_numbers_are_not_made() -> None:
    assert read('{"n": ' + "9" * 10_000 + ', "m": NaN, "text": "a"}') == (["a"], [])


def test_too_long_rows_are_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "ROW_LIMIT", 20)
    texts, faults = read(json.dumps({"text": "a" * 100}) + '\n{"text": "b"}')
    assert texts == ["b"]
    assert faults == ["1 row longer than 256 MiB (first row 1)"]


def test_names() -> None:
    assert is_rows("a.jsonl")
    assert is_rows("A.NDJSON")
    assert not is_rows("a.json")
