"""convert: only the native format as yet, and that said plainly."""

from __future__ import annotations

import os
from pathlib import Path

from tests.cli.conftest import Run


def test_to_the_native_format(run: Run, low: Path, tmp_path: Path) -> None:
    assert run("convert", low, tmp_path / "a.json", "--format", "studio").status == 0
    assert (tmp_path / "a.json").read_bytes() == low.read_bytes()


def test_other_formats_are_not_there_yet(run: Run, low: Path, tmp_path: Path) -> None:
    result = run("convert", low, tmp_path / "a.json", "--format", "tiktoken")
    assert result.status == 1
    assert result.err == (
        "bpe-studio: the format 'tiktoken' cannot be written yet; only studio can.\n"
    )
    assert os.listdir(tmp_path) == []
