"""The line that trains a table again: it must be one that works, and says what is meant."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

import bpe_studio as bs
from bpe_studio.analysis.retraining import recorded_settings
from bpe_studio.cli.output import shown
from bpe_studio.cli.retrain_line import OTHER_CORPUS, retrain_line
from tests.cli.conftest import Run

TEXT = "low lower lowest 日本 日本語 naïve naïf  " * 9


def corpus(folder: Path) -> Path:
    root = folder / "my texts"
    root.mkdir()
    (root / "a.txt").write_text(TEXT, encoding="utf-8")
    (root / "b c.txt").write_text("zorblax " * 40, encoding="utf-8")
    return root


SETTINGS = {
    "plain": {"vocab_size": 290},
    "others": {
        "vocab_size": 275,
        "min_freq": 3,
        "pattern": "gpt2",
        "ties": "smallest-ids",
        "byte_order": "gpt2",
        "specials": (),
        "without": ("a.txt",),
    },
    "own": {"vocab_size": 290, "pattern": r"'|[^']+", "specials": ("<it's>", "<b>")},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_the_line_trains_the_same_but_for_the_rules(run: Run, tmp_path: Path, name: str) -> None:
    root = corpus(tmp_path)
    table = bs.train(root, **SETTINGS[name])
    line = retrain_line(table, {"without": ("b c.txt",)}, "folder/my table.json", [str(root)])
    program, command, *words = shlex.split(line)
    assert (program, command) == ("bpe-studio", "train")
    if name == "others":  # nothing would be left
        assert words[-4:] == ["--without", "a.txt", "--without", "b c.txt"]
        return
    place = words.index("-o") + 1
    assert words[place] == "my table-again.json"
    words[place] = str(tmp_path / "again.json")
    assert run("train", *words).status == 0
    again = bs.load(tmp_path / "again.json")
    expected = {**recorded_settings(table), "without": ("b c.txt",)}
    assert again.merges == bs.train(root, **expected).merges
    assert recorded_settings(again)["pattern"] == expected["pattern"]


def test_rules_and_an_open_place(tmp_path: Path) -> None:
    table = bs.train(corpus(tmp_path), vocab_size=290)
    rules = {"whole_characters": True, "max_token_bytes": 32, "min_documents": 2}
    assert retrain_line(table, rules, "stdlib-8k", [], text_key="body") == (
        "bpe-studio train PATH -o stdlib-8k-again.json --vocab-size 290 --max-token-bytes 32 "
        "--min-documents 2 --text-key body --whole-characters"
    )


def test_health_ends_with_it(run: Run, tmp_path: Path) -> None:
    root = corpus(tmp_path)
    (root / "c.txt").write_text(f"{'=' * 80}\n" * 9, encoding="utf-8")
    bs.save(bs.train(root, vocab_size=320), tmp_path / "t.json")
    out = run("health", tmp_path / "t.json", "--corpus", root).out
    assert "\nTrained again, it could be without them:\n" in out
    last = out.splitlines()[-1]
    assert last.startswith(f"  bpe-studio train {shlex.quote(str(root))} -o t-again.json ")
    assert "--max-token-bytes 32" in last


def test_health_says_nothing_where_nothing_is_to_be_done(run: Run, low: Path) -> None:
    assert "Trained again" not in run("health", low).out


ODD_NAMES = (
    "bidi\u202eexe.txt", "a\nb.txt", "it's\t\\x.txt", "zero\u200bwidth.txt", "\x1b[31m.txt",
    "naïve 日本.txt", "$HOME `x`.txt", "filler\u3164.txt",
)  # fmt: skip


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_line_names_files_with_characters_that_nobody_sees(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "te\u2066xts"
    root.mkdir()
    (root / "a.txt").write_text(TEXT, encoding="utf-8")
    for name in ODD_NAMES:
        (root / name).write_text("zorblax " * 40, encoding="utf-8")
    table = bs.train(root, vocab_size=290)
    line = retrain_line(table, {"without": ODD_NAMES}, "t.json", [str(root)])
    assert line == shown(line)  # nothing of it is shown otherwise than it is
    script = f"bpe-studio() {{ printf '%s\\0' \"$@\"; }}; {line}"
    read = subprocess.run(["bash", "-c", script], capture_output=True, check=True).stdout
    words = read.decode().split("\0")[:-1]
    assert words[1] == str(root)
    assert [words[n + 1] for n, word in enumerate(words) if word == "--without"] == [*ODD_NAMES]
    words[words.index("-o") + 1] = str(tmp_path / "again.json")
    assert run(*words).status == 0
    assert bs.load(tmp_path / "again.json").training.without == tuple(sorted(ODD_NAMES))


def test_of_another_corpus_no_training_is_proposed(run: Run, tmp_path: Path) -> None:
    root = corpus(tmp_path)
    (root / "c.txt").write_text(f"{'=' * 80}\n" * 9, encoding="utf-8")
    bs.save(bs.train(root, vocab_size=320), tmp_path / "t.json")
    other = run("health", tmp_path / "t.json", "--corpus", root / "a.txt").out
    assert OTHER_CORPUS in other and "bpe-studio train" not in other
    # With what the training left out it is the same corpus, and no advice is given twice.
    rules = {"max_token_bytes": 32, "without": ("c.txt",), "whole_characters": True}
    bs.save(bs.train(root, vocab_size=320, **rules), tmp_path / "u.json")
    again = run("health", tmp_path / "u.json", "--corpus", root).out
    assert OTHER_CORPUS not in again and "bpe-studio train" not in again
