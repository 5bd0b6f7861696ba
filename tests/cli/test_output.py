"""Columns that line up whatever the script, and JSON of anything."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from bpe_studio.cli.output import (
    counted,
    jsonable,
    print_json_rows,
    print_rows,
    shown,
    size_words,
    width,
)


@dataclass
class Thing:
    data: bytes
    numbers: tuple[int, ...]


class Pair(NamedTuple):
    left: int
    right: np.int64


def test_jsonable() -> None:
    value = {1: Thing(b"\xff", (1, 2)), "a": np.arange(2), "p": Pair(1, np.int64(2))}
    expected = {
        "1": {"data": "ff", "numbers": [1, 2]},
        "a": [0, 1],
        "p": {"left": 1, "right": 2},
    }
    assert json.loads(json.dumps(jsonable(value))) == expected


def test_json_in_rows(capfd: pytest.CaptureFixture[str]) -> None:
    value = {"text": "é\n", "rows": [{"a": [1, 2]}, {"a": []}], "none": [], "ids": [1, 2]}
    print_json_rows(value)
    out = capfd.readouterr().out
    assert json.loads(out) == value
    assert '\n "rows": [\n  {"a": [1, 2]},\n  {"a": []}\n ],\n' in out
    print_json_rows({})
    assert json.loads(capfd.readouterr().out) == {}


def test_width() -> None:
    assert [width(text) for text in ("abc", "家家", "é", "e\u0301", "a\u200db")] == [3, 4, 1, 1, 2]


def test_rows_line_up(capfd: pytest.CaptureFixture[str]) -> None:
    print_rows([(1, "家", "x"), (200, "abc", "y")], right=">")
    assert capfd.readouterr().out == "    1  家   x\n  200  abc  y\n"
    print_rows([])
    assert capfd.readouterr().out == ""


def test_words() -> None:
    assert shown("a\x1b[0m\u202eb") == "a⟨1B⟩[0m⟨202E⟩b"
    assert [size_words(size) for size in (0, 1, 999, 1_000, 999_960, 31_500_000, 5e12)] == [
        "0 bytes", "1 byte", "999 bytes", "1.0 kB", "1.0 MB", "31.5 MB", "5,000.0 GB",
    ]  # fmt: skip
    assert (counted(1, "file"), counted(1200, "file")) == ("1 file", "1,200 files")
