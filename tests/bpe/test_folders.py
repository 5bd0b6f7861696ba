"""Which files a walk finds, in which order, and what it lists as left out."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from bpe_studio.bpe.folders import Corpus, find_files, iter_found, standard_library


def make(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)


def labels(corpus: Corpus) -> list[str]:
    return [file.label for file in corpus.files]


def test_folders_are_sorted_and_files_keep_the_order_given(tmp_path: Path) -> None:
    make(tmp_path, "in/b/2.txt", "in/a.txt", "in/b/1.txt", "in/b.txt", "in/Z", "z.txt", "y.txt")
    corpus = find_files([tmp_path / "z.txt", tmp_path / "in", str(tmp_path / "y.txt")])
    assert labels(corpus) == ["z.txt", "Z", "a.txt", "b/1.txt", "b/2.txt", "b.txt", "y.txt"]
    assert corpus.files[0].size == 5
    assert corpus.total_bytes == sum(file.path.stat().st_size for file in corpus.files)
    assert corpus.problems == ()


def test_hidden_names_are_passed_over_unless_they_are_given(tmp_path: Path) -> None:
    make(tmp_path, "in/.git/config", "in/.env", "in/a.txt", "in/b/.c/d.txt", "in/b/e.txt")
    assert labels(find_files([tmp_path / "in"])) == ["a.txt", "b/e.txt"]
    assert find_files([tmp_path / "in"]).problems == ()
    given = [tmp_path / "in" / ".env", tmp_path / "in" / ".git"]
    assert labels(find_files(given)) == [".env", "config"]


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_links_that_are_given_are_followed(tmp_path: Path) -> None:
    make(tmp_path, "in/a.txt", "b.jsonl")
    (tmp_path / "in" / "inner").symlink_to(tmp_path / "b.jsonl")
    (tmp_path / "folder").symlink_to(tmp_path / "in")
    (tmp_path / "rows.jsonl").symlink_to(tmp_path / "b.jsonl")
    corpus = find_files([tmp_path / "folder", tmp_path / "rows.jsonl"])
    assert labels(corpus) == ["a.txt", "rows.jsonl"]
    assert [file.named for file in corpus.files] == [False, True]
    assert corpus.files[1].size == 7
    assert [problem.label for problem in corpus.problems] == ["inner"]


def test_a_given_path_that_is_unreadable_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "a.txt", "in/b.txt")
    monkeypatch.setattr(os, "access", lambda *_: False)
    for name in ("a.txt", "in"):
        with pytest.raises(PermissionError, match=f"{name} cannot be read: permission is denied"):
            find_files([tmp_path / name])


def test_order_does_not_depend_on_the_listing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, *(f"{a}/{b}" for a in "cab" for b in "312"))
    straight = find_files([tmp_path])
    listdir = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: sorted(listdir(path), reverse=True))
    assert find_files([tmp_path]) == straight


def test_labels_are_relative_however_the_folder_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "in/a/b.txt")
    monkeypatch.chdir(tmp_path)
    for given in ("in", "./in", "in/", tmp_path / "in", "in/../in"):
        assert labels(find_files([given])) == ["a/b.txt"]
    assert labels(find_files(["."])) == ["in/a/b.txt"]


@pytest.mark.skipif(os.name == "nt", reason="links and named pipes of POSIX")
def test_links_pipes_and_sockets_are_listed_and_left_out(tmp_path: Path) -> None:
    make(tmp_path, "in/a.txt", "out/secret.txt")
    (tmp_path / "in" / "file").symlink_to(tmp_path / "out" / "secret.txt")
    (tmp_path / "in" / "folder").symlink_to(tmp_path / "out")
    (tmp_path / "in" / "loop").symlink_to(tmp_path / "in")
    (tmp_path / "in" / "dead").symlink_to(tmp_path / "nothing")
    os.mkfifo(tmp_path / "in" / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "in" / "socket"))
        corpus = find_files([tmp_path / "in"])
    assert labels(corpus) == ["a.txt"]
    told = {problem.label: problem.message for problem in corpus.problems}
    assert list(told) == ["dead", "file", "folder", "loop", "pipe", "socket"]
    assert told["pipe"] == "It is a named pipe, not a regular file; left out."


@pytest.mark.skipif(os.name == "nt", reason="links and named pipes of POSIX")
def test_given_paths_that_are_no_files_are_errors(tmp_path: Path) -> None:
    make(tmp_path, "a.txt")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dead").symlink_to(tmp_path / "none")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    cases = {
        "nothing": "nothing cannot be read: there is no such file or folder",
        "pipe": "pipe cannot be read: it is a named pipe, not a file or a folder",
        "dead": "dead cannot be read: it is a link to .*none, and there is no such file or folder",
        "loop": "loop cannot be read: it is a link that leads back to itself",
        "a\0b": "cannot be read: it is no valid path",
        "a.txt/b": "a.txt/b cannot be read: a part of the path is not a folder",
    }
    for name, sentence in cases.items():
        with pytest.raises(OSError, match=sentence):
            find_files([tmp_path / "a.txt", tmp_path / name])
        *_, found = iter_found([tmp_path / "a.txt", tmp_path / name])
        assert found.corpus is not None
        assert labels(found.corpus) == ["a.txt"]
        (problem,) = found.corpus.problems
        assert problem.message.startswith("It cannot be read: ")
        assert str(tmp_path / name) not in problem.message


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_unreadable_folder_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "in/a.txt", "in/locked/b.txt")
    listdir = os.listdir

    def locked(path: str) -> list[str]:
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return listdir(path)

    monkeypatch.setattr(os, "listdir", locked)
    corpus = find_files([tmp_path / "in"])
    assert labels(corpus) == ["a.txt"]
    assert corpus.problems[0].label == "locked"
    assert corpus.problems[0].message == "It cannot be read: permission is denied."


@pytest.mark.skipif(os.name != "posix", reason="names of any bytes")
def test_names_that_are_no_text_get_a_label_that_can_be_saved(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(bytes(tmp_path) + b"/caf\xe9.txt")).write_text("x")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    (file,) = find_files([tmp_path]).files
    assert file.label == "caf\\xe9.txt"
    assert file.path.read_text() == "x"


@pytest.mark.skipif(os.name == "nt", reason="paths have to be short on Windows")
def test_deep_folders(tmp_path: Path) -> None:
    path = str(tmp_path)
    for _ in range(1500):
        path += "/d"
        os.mkdir(path)
    corpus = find_files([tmp_path])
    while path != str(tmp_path):  # nor does the cleaning up of Python 3.11 get this deep
        os.rmdir(path)
        path = os.path.dirname(path)
    assert corpus == Corpus(())


def test_a_walk_tells_counts_on_the_way(tmp_path: Path) -> None:
    make(tmp_path, *(f"{number:04}" for number in range(600)))
    steps = list(iter_found([tmp_path]))
    assert [step.files for step in steps] == [255, 511, 600]
    assert [step.corpus is None for step in steps] == [True, True, False]
    assert steps[-1].bytes == 2400


def test_errors_are_one_of_three() -> None:
    with pytest.raises(ValueError, match="errors is 'ignore'; it must be drop, skip-file or"):
        Corpus((), errors="ignore")  # type: ignore[arg-type]


def test_standard_library() -> None:
    corpus = standard_library()
    names = labels(corpus)
    assert "os.py" in names
    assert "json/decoder.py" in names
    assert all(name.endswith(".py") for name in names)
    assert not any(name.startswith(("_sysconfigdata", "config-")) for name in names)
    assert not any("site-packages" in name or "dist-packages" in name for name in names)
