"""`bpe-studio convert`."""

from __future__ import annotations

from pathlib import Path

import pytest

import bpe_studio as bs
from bpe_studio import formats
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.cli import convert
from bpe_studio.formats.source import PatternNeededError, Source
from bpe_studio.formats.written import Written
from tests.cli.conftest import Run


class Ranks:
    """A format that holds the number of merges, and no pattern."""

    NAME, TITLE, SUFFIXES = "ranks", "Ranks (.ranks)", (".ranks",)

    @staticmethod
    def sniff(data: bytes) -> bool:
        return data.startswith(b"ranks ")

    @staticmethod
    def read(source: Source) -> Tokenizer:
        if source.pattern is None:
            raise PatternNeededError(f"{source.name}: no pattern; give one with --pattern.")
        return formats.load(formats.find_table("worked-example"))

    @staticmethod
    def write(tokenizer: Tokenizer) -> Written:
        files = {"": b"ranks %d\n" % len(tokenizer.merges), "merges.txt": b"ranks \n"}
        return Written(files, ("The pattern is not in it.",), "import ranks")


@pytest.fixture
def ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(formats.FORMATS, "ranks", Ranks)  # type: ignore[arg-type]
    monkeypatch.setitem(formats.WRITERS, "ranks", Ranks)  # type: ignore[arg-type]


def test_native_to_native_is_the_same(run: Run, low: Path, tmp_path: Path) -> None:
    result = run("convert", low, tmp_path / "b.json")
    assert (result.status, result.out) == (0, "")
    assert result.err.startswith(f"Saved {tmp_path / 'b.json'}: BPE Studio (.json), ")
    assert (tmp_path / "b.json").read_bytes() == low.read_bytes()


def test_losses_and_the_hint_are_told(run: Run, ranks: None, low: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.ranks"
    result = run("convert", low, out, "--format", "ranks")
    assert result.status == 0 and out.read_bytes() == b"ranks 4\n"
    assert result.err == (
        f"bpe-studio: {out}: The pattern is not in it.\n"
        f"Saved {out}, {tmp_path / 'a-merges.txt'}: Ranks (.ranks), 15 bytes\n\nimport ranks\n"
    )
    assert run("convert", low, tmp_path / "a.any", "--format", "ranks").status == 0


def test_a_table_without_a_pattern(run: Run, ranks: None, tmp_path: Path) -> None:
    table = tmp_path / "a.ranks"
    table.write_bytes(b"ranks 4\n")
    result = run("encode", "-t", table, table)
    assert result.status == 1
    assert result.err == f"bpe-studio: {table}: no pattern; give one with --pattern.\n"
    for words in (
        ("encode", "-t", table, table),
        ("decode", "-t", table, "--pattern", "classic", _ids(tmp_path)),
        ("explain", "-t", table, "low"),
        ("health", table),
        ("compare", table, table),
        ("convert", table, tmp_path / "b.json"),
    ):
        assert run(*words, "--pattern", "classic").status == 0, words
    wrong = run("explain", "-t", table, "low", "--pattern", "(")
    assert wrong.status == 1 and "not a valid expression" in wrong.err


def _ids(folder: Path) -> Path:
    path = folder / "ids.txt"
    path.write_text("263")
    return path


def test_a_pattern_that_is_not_needed_is_told(run: Run, low: Path) -> None:
    result = run("explain", "-t", low, "low", "--pattern", "gpt2")
    assert result.status == 0 and result.err.count("changes nothing") == 1
    told = "The pattern that was asked for changes nothing: the file tells how a text is cut."
    assert told in result.err and formats.load(low, pattern="gpt2").notes == (told,)
    assert formats.load(low, pattern="classic").notes == ()
    assert "changes" not in run("explain", "-t", low, "low", "--pattern", "classic").err


def test_what_is_converted_is_not_written_over(
    run: Run, ranks: None, low: Path, tmp_path: Path
) -> None:
    own = tmp_path / "own.json"
    own.write_bytes(low.read_bytes())
    (tmp_path / "link.json").symlink_to(own)
    assert "is a part of what is converted" in run("convert", own, own).err
    assert run("convert", own, tmp_path / "link.json").status == 1
    assert own.read_bytes() == low.read_bytes()
    pair = [tmp_path / "vocab.json", tmp_path / "merges.txt"]
    assert run("convert", own, pair[0], "--format", "gpt2").status == 0
    for given, out in (pair, pair[::-1]):
        assert "is a part" in run("convert", given, out).err
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "tokenizer.json").write_bytes(low.read_bytes())
    assert run("convert", folder, folder / "tokenizer.json").status == 1


@pytest.mark.parametrize(
    ("out", "saved", "title"),
    [
        ("a.json", "a.json", "BPE Studio"),
        ("tokenizer.json", "tokenizer.json", "Hugging Face"),
        ("merges.txt", "vocab.json merges.txt", "GPT-2"),
        ("x-vocab.json", "x-vocab.json x-merges.txt", "GPT-2"),
        ("vocab.bpe", "encoder.json vocab.bpe", "GPT-2"),
        ("a.tiktoken", "a.tiktoken", "tiktoken"),
    ],
)
def test_the_name_tells_the_format(
    run: Run, low: Path, tmp_path: Path, out: str, saved: str, title: str
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    result = run("convert", low, folder / out)
    names = ", ".join(str(folder / name) for name in saved.split())
    assert result.status == 0 and f"Saved {names}: {title}" in result.err
    assert {path.name for path in folder.iterdir()} == set(saved.split())


def test_a_pair_goes_into_a_folder(run: Run, low: Path, tmp_path: Path) -> None:
    new = f"{tmp_path}/new/"
    assert run("convert", low, f"{tmp_path}/none/new/", "--format", "gpt2").status == 1
    for _ in range(2):  # made, and there already
        assert run("convert", low, new, "--format", "gpt2").status == 0
        assert {path.name for path in Path(new).iterdir()} == {"vocab.json", "merges.txt"}
    for words, reason in (
        ((new,), "a folder does not tell the format; give it with --format"),
        ((new, "--format", "studio"), "it is a folder; name a file in it"),
        ((tmp_path / "other", "--format", "gpt2"), ""),
    ):
        result = run("convert", low, *words)
        assert reason in result.err and result.status == (1 if reason else 0)


@pytest.mark.parametrize(
    ("out", "status", "reason"),
    [
        ("a.gguf", 1, "a GGUF model cannot be written"),
        ("a.model", 1, "a SentencePiece or minbpe model cannot be written"),
        ("tekken.json", 1, "a tekken.json cannot be written"),
        ("a.txt", 1, "this name does not tell the format; give it with --format"),
        ("a", 1, "this name does not tell the format"),
        ("-", 2, "to a file, not to standard output; name one"),
        ("", 2, "the name is empty; name a file"),
    ],
)
def test_names_that_are_refused(
    run: Run,
    low: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    out: str,
    status: int,
    reason: str,
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    monkeypatch.chdir(folder)
    result = run("convert", low, out)
    assert result.status == status and reason in result.err and result.err.count("\n") == 1
    assert list(folder.iterdir()) == []


def test_other_files_are_not_written_over(run: Run, low: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text("mine")
    result = run("convert", low, tmp_path / "notes.json")
    assert result.status == 1 and "is there and is no tokenizer" in result.err
    assert (tmp_path / "notes.json").read_text() == "mine"


def test_errors_are_one_line(run: Run, low: Path, tmp_path: Path) -> None:
    assert run("convert", low, tmp_path / "a.json", "--format", "xml").status == 2
    for words in ((low, tmp_path / "none" / "a.json"), (tmp_path / "none.json", tmp_path / "b")):
        result = run("convert", *words)
        assert result.status == 1 and result.err.count("\n") == 1
        assert not (tmp_path / "b").exists()


def test_a_model_folder_is_a_table(run: Run, low: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "tokenizer.json").write_bytes(low.read_bytes())
    (folder / "tokenizer.model").write_bytes(b"1")
    result = run("explain", "-t", folder, "low")
    assert result.status == 0
    words = "Of the folder, tokenizer.json was opened; there is tokenizer.model too."
    assert result.err == f"bpe-studio: {folder}: {words}\n"
    nothing = run("explain", "-t", tmp_path / "model" / "..", "low")
    assert nothing.status == 1 and "a folder without a tokenizer file" in nothing.err


def test_help_names_every_format(run: Run) -> None:
    told = convert.FORMATS.split("\b\n")[1]
    named = [line.split()[0] for line in told.splitlines() if not line.startswith(" ")]
    assert named == list(formats.WRITERS)
    shown = " ".join(run("convert", "--help").out.split())
    assert " ".join(told.split()) in shown


@pytest.mark.parametrize("base", ["bytes", "chars"])
def test_a_smaller_vocabulary_is_what_a_shorter_training_saves(
    run: Run, tmp_path: Path, base: str
) -> None:
    corpus, whole, part = (tmp_path / name for name in ("corpus.txt", "whole.json", "part.json"))
    corpus.write_text("low low lower lowest newest newer wider widést " * 3, encoding="utf-8")
    bs.save(bs.train(corpus, vocab_size=290, base=base), whole)
    for size in (263, 270, 279, bs.load(whole).vocab_size):
        size += base == "chars"
        if size <= bs.load(whole).vocab_size:
            assert run("convert", whole, part, "--vocab-size", size).status == 0
            shorter = bs.train(corpus, vocab_size=size, base=base)
            bs.save(shorter, tmp_path / "shorter.json")
            assert part.read_bytes() == (tmp_path / "shorter.json").read_bytes()


def test_a_smaller_vocabulary_of_a_continued_table(run: Run, tmp_path: Path) -> None:
    """What is kept of it can be read again, also where it ends before the continuing began."""
    corpus, whole, part = (tmp_path / name for name in ("corpus.txt", "whole.json", "part.json"))
    corpus.write_text("low low lower lowest newest newer wider widest " * 3)
    start = bs.train(corpus, vocab_size=268)
    bs.save(bs.train(corpus, vocab_size=280, start=start), whole)
    for size in (264, 268, 272):
        assert run("convert", whole, part, "--vocab-size", size).status == 0
        assert bs.load(part).merges == bs.load(whole).merges[: size - 262]


def test_a_size_that_the_table_never_has(run: Run, low: Path, tmp_path: Path) -> None:
    result = run("convert", low, tmp_path / "b.json", "--vocab-size", 100)
    assert result.status == 1 and not (tmp_path / "b.json").exists()
    assert "262 to 266 tokens, not of 100" in result.err
