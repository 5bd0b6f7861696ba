"""A small table and a way to run commands without a new process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import bpe_studio as bs
from bpe_studio.__main__ import main
from bpe_studio.cli.tables import compile_kernels


@dataclass(frozen=True)
class Result:
    status: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """So that no command says on stderr that it compiles."""
    compile_kernels()


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """`run("encode", "-t", table)` → status, stdout and stderr."""

    def run_words(*words: object) -> Result:
        capfd.readouterr()
        status = main([str(word) for word in words])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return Result(status, out, err)

    return run_words


@pytest.fixture(scope="session")
def low(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The worked example, saved; `low.txt` beside it is its corpus."""
    folder = tmp_path_factory.mktemp("low")
    (folder / "low.txt").write_text("low low lower lowest")
    bs.save(bs.train(folder / "low.txt", vocab_size=280), folder / "low.json")
    return folder / "low.json"
