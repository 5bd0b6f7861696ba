"""health --save-use and --use: encoding a corpus once is enough."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run


def test_what_was_saved_gives_the_same_report(run: Run, low: Path, tmp_path: Path) -> None:
    text, saved = low.with_name("low.txt"), tmp_path / "low.use.json"
    first = run("health", low, "--corpus", text, "--save-use", saved, "--json")
    assert first.status == 0
    again = run("health", low, "--use", saved, "--json")
    assert again.status == 0
    reports = [json.loads(result.out) for result in (first, again)]
    for flag in reports[0]["flags"]:
        flag["context"] = None  # that takes the files themselves
    assert reports[1] == reports[0]
    assert '"name":"low.txt"' in saved.read_text()
    assert str(tmp_path.parent) not in saved.read_text()


def test_documents_with_problems_are_told(run: Run, low: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"low \xff lower")
    result = run("health", low, "--corpus", tmp_path / "a.txt")
    assert result.status == 0
    assert "bpe-studio: a.txt: 1 byte is not valid UTF-8 (first at byte 4); left out." in result.err


def test_what_does_not_go_together(run: Run, low: Path, tmp_path: Path) -> None:
    text, saved = low.with_name("low.txt"), tmp_path / "low.use.json"
    result = run("health", low, "--use", saved, "--corpus", text)
    assert result.status == 2 and "--use is what --corpus gave" in result.err
    result = run("health", low, "--save-use", saved)
    assert result.status == 2 and "--save-use goes with --corpus" in result.err
    result = run("health", low, "--corpus", text, "--save-use", tmp_path)
    assert result.status == 1 and "cannot be saved" in result.err


def test_a_file_that_is_of_another_table(run: Run, low: Path, tmp_path: Path) -> None:
    text, saved = low.with_name("low.txt"), tmp_path / "low.use.json"
    run("health", low, "--corpus", text, "--save-use", saved)
    result = run("health", "stdlib-8k", "--use", saved)
    assert result.status == 1
    assert "low.use.json: it is of another table (low.json): tokens" in result.err
    result = run("health", low, "--use", text)
    assert "low.txt: it is no saved use of a corpus" in result.err
    assert run("health", low, "--use", tmp_path / "none").status == 1


def test_no_other_file_is_overwritten(run: Run, low: Path, tmp_path: Path) -> None:
    text, saved = low.with_name("low.txt"), tmp_path / "low.use.json"
    result = run("health", low, "--corpus", text, "--save-use", saved)
    assert result.status == 0 and f"Saved {saved}: what the corpus told" in result.err
    assert run("health", low, "--corpus", text, "--save-use", saved).status == 0
    essay = tmp_path / "essay.txt"
    essay.write_text("My essay.")
    for place in (essay, text, low):
        before = place.read_bytes()
        result = run("health", low, "--corpus", text, "--save-use", place)
        assert (result.status, result.out) == (1, "")
        assert f"{place} is " in result.err and "name another file" in result.err
        assert place.read_bytes() == before


def test_what_is_read_is_not_replaced(run: Run, low: Path, tmp_path: Path) -> None:
    text = low.with_name("low.txt")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.txt").write_text("low lower")
    saved = corpus / "x.use.json"
    assert run("health", low, "--corpus", text, "--save-use", saved).status == 0
    before = saved.read_bytes()
    result = run("health", low, "--corpus", corpus, "--save-use", saved)
    assert result.status == 1
    assert f"{saved} is one of the files to read; name another file." in result.err
    assert saved.read_bytes() == before
    report = corpus / "x.md"
    report.write_text("# Health of x")
    result = run("health", low, "--corpus", corpus, "-o", report)
    assert result.status == 1 and "x.md is one of the files to read" in result.err
    assert report.read_text() == "# Health of x"
