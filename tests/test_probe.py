from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from bpe_studio.analysis.file_kinds import kind_of
from bpe_studio.bpe.corpus import CorpusReport, read_blocks
from bpe_studio.probe import PROBE_PARALLEL, probe_corpus, probe_folder

_LABELS = [file.label for file in probe_corpus().files]


def _text(label: str) -> str:
    return (probe_folder() / label).read_bytes().decode("utf-8")


def test_every_text_is_a_document_without_a_problem() -> None:
    report = CorpusReport()
    for _ in read_blocks(probe_corpus(), report=report):
        pass
    assert report.documents == len(_LABELS) == 15
    assert not report.problems


def test_the_corpus_is_every_file_of_the_folder() -> None:
    assert sorted(_LABELS) == sorted(path.name for path in probe_folder().iterdir())
    assert _LABELS[: len(PROBE_PARALLEL)] == list(PROBE_PARALLEL)


def test_names_say_the_kinds() -> None:
    kinds = {label: kind_of(label) for label in _LABELS}
    assert "Other" not in kinds.values()
    assert kinds["Python.py"] == "Python"
    assert kinds["C.c"] == "C and C++"
    assert kinds["LaTeX.tex"] == "LaTeX"


@pytest.mark.parametrize("label", _LABELS)
def test_a_text_is_clean(label: str) -> None:
    text = _text(label)
    assert unicodedata.is_normalized("NFC", text)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert not set(text) & {"\ufeff", "\ufffd", "\r", "\x00"}
    assert not re.search(r"[ \t\u3000]\n", text)
    assert 1_500 <= len(text.encode()) <= 5_000


@pytest.mark.parametrize("label", PROBE_PARALLEL[1:])
def test_a_translation_has_the_lines_of_the_reference(label: str) -> None:
    lines, reference = _text(label).split("\n"), _text(PROBE_PARALLEL[0]).split("\n")
    assert [bool(line) for line in lines] == [bool(line) for line in reference]
    # The dates and figures that every language writes with digits are in the same paragraphs.
    for line, other in zip(lines, reference, strict=True):
        for number in ("14", "600", "1931", "23", "52", "20", "50", "88", "347"):
            if label == "Arabic.txt" and number == "88":
                continue  # written as a word there
            assert (number in _numbers(line)) == (number in _numbers(other)), (number, line)


def _numbers(line: str) -> set[str]:
    """1,347 and 1.347 are 1, 347 and 1347 at once; so is 1347."""
    found = set(re.findall(r"\d+", line))
    return found | {number[-3:] for number in found if len(number) == 4 and number[0] == "1"}


@pytest.mark.parametrize(
    ("label", "script"),
    [
        ("Russian.txt", "CYRILLIC"),
        ("Chinese.txt", "CJK"),
        ("Korean.txt", "HANGUL"),
        ("Arabic.txt", "ARABIC"),
        ("Hindi.txt", "DEVANAGARI"),
    ],
)
def test_a_language_is_written_in_its_script(label: str, script: str) -> None:
    scripts = Counter(unicodedata.name(c).split()[0] for c in _text(label) if c.isalpha())
    assert set(scripts) == {script}


def test_code_parses() -> None:
    ast.parse(_text("Python.py"))
    assert json.loads(_text("JSON.json"))["active"] is True
    latex = _text("LaTeX.tex")
    assert Counter(re.findall(r"\\begin\{(.+?)\}", latex)) == Counter(
        re.findall(r"\\end\{(.+?)\}", latex)
    )
    for label in ("C.c", "LaTeX.tex"):
        for left, right in ("()", "{}", "[]"):
            assert _text(label).count(left) == _text(label).count(right)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
def test_c_compiles(tmp_path: Path) -> None:
    source = probe_folder() / "C.c"
    made = subprocess.run(
        ["cc", "-std=c99", "-Wall", "-fsyntax-only", str(source)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert (made.returncode, made.stderr) == (0, "")


def test_emoji_are_of_every_make() -> None:
    text = _text("Emoji.txt")
    assert "👨‍👩‍👧‍👦" in text  # joined
    assert "🇯🇵" in text  # two regional letters
    assert "3️⃣" in text  # a keycap
    assert "🏴󠁧󠁢󠁳󠁣󠁴󠁿" in text  # tags
    assert set("🏻🏼🏽🏾🏿") <= set(text)
    assert "❤️" in text  # a variation selector
