"""The old file survives: kill -9, a full disk, a read-only folder, a bad generator."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bpe_studio import files
from bpe_studio.files import (
    check_savable,
    kind_of_file,
    open_regular,
    reason_of,
    write_atomic,
)

posix = pytest.mark.skipif(os.name == "nt", reason="named pipes, modes and links of POSIX")


def test_opens_a_regular_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"text")
    with open_regular(path) as file:
        assert file.read() == b"text"


def test_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"a\.txt cannot be read: there is no such file"):
        open_regular(tmp_path / "a.txt")


def test_name_with_nul_is_an_os_error() -> None:
    with pytest.raises(OSError, match="no valid path"):
        open_regular("a\0b")


@posix
def test_refuses_fifo_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is a named pipe, not a regular file"):
        open_regular(tmp_path / "pipe")


@posix
def test_fifo_that_appears_after_the_check_does_not_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    regular = os.stat(tmp_path / "file")
    monkeypatch.setattr(files.os, "stat", lambda *_a, **_k: regular)
    with pytest.raises(OSError, match="named pipe"):
        open_regular(tmp_path / "pipe")


@posix
@pytest.mark.parametrize("name", ["/dev/null", "/dev/zero"])
def test_refuses_devices(name: str) -> None:
    with pytest.raises(OSError, match="it is a device"):
        open_regular(name)


@posix
def test_refuses_folder_and_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(OSError, match="it is a folder"):
        open_regular(tmp_path)
    with pytest.raises(OSError, match="it is a link, and links are not followed"):
        open_regular(tmp_path / "link")
    with open_regular(tmp_path / "link", follow_links=True) as file:
        assert file.read() == b"x"


@posix
def test_link_to_a_device_is_refused_even_when_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/dev/zero")
    with pytest.raises(OSError, match="device"):
        open_regular(tmp_path / "link", follow_links=True)


@posix
def test_what_cannot_be_saved_is_known_before(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "pipe")
    for name in ("file", "link", "new"):
        check_savable(tmp_path / name)
    cases = {
        "": "cannot be saved: it is a folder",
        "pipe": "pipe cannot be saved: it is a named pipe, not a regular file",
        "no/x": "no/x cannot be saved: there is no folder .*no",
        "file/x": "file/x cannot be saved: a part of the path is not a folder",
        "n" * 300: "cannot be saved: the name is too long",
        "a\0b": "cannot be saved: it is no valid path",
    }
    for name, sentence in cases.items():
        with pytest.raises(OSError, match=sentence):
            check_savable(tmp_path / name)
    assert sorted(os.listdir(tmp_path)) == ["file", "link", "pipe"]


def test_a_write_protected_place_is_known_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(PermissionError, match="x cannot be saved: the folder"):
        check_savable(tmp_path / "x")
    (tmp_path / "x").touch()
    with pytest.raises(PermissionError, match="x cannot be saved: the file is write-protected"):
        check_savable(tmp_path / "x")


def test_reasons(tmp_path: Path) -> None:
    assert reason_of(PermissionError(errno.EACCES, "Permission denied")) == "permission is denied"
    assert reason_of(OSError("as it is.")) == "as it is"
    with pytest.raises(OSError) as caught:
        open_regular(tmp_path / "none")
    assert reason_of(caught.value) == "there is no such file or folder"


def test_kinds() -> None:
    assert kind_of_file(stat.S_IFREG | 0o644) == "file"
    assert kind_of_file(stat.S_IFSOCK) == "socket"
    assert kind_of_file(0) == "special file"


@pytest.mark.parametrize("data", [b"new", [b"n", b"", b"ew"], (c for c in [b"ne", b"w"]), b""])
def test_saves(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "out.json"
    path.write_bytes(b"old and longer")
    write_atomic(path, data)
    assert path.read_bytes() in (b"new", b"")
    assert os.listdir(tmp_path) == ["out.json"]


@posix
def test_keeps_the_mode_and_respects_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    write_atomic(path, b"1")
    plain = tmp_path / "plain"
    plain.write_bytes(b"")
    assert path.stat().st_mode == plain.stat().st_mode
    path.chmod(0o640)
    write_atomic(path, b"2")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@posix
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "deep" / "real")
    write_atomic(tmp_path / "link", b"1")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "deep" / "real").read_bytes() == b"1"


@posix
def test_never_replaces_a_device_or_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for target in (tmp_path / "pipe", Path("/dev/null")):
        with pytest.raises(OSError, match="was not saved: it is a"):
            write_atomic(target, b"1")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_missing_folder_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"x\.json was not saved: there is no such"):
        write_atomic(tmp_path / "no" / "x.json", b"1")


def failing_chunks() -> object:
    yield b"half of it"
    raise KeyboardInterrupt


def test_interrupted_save_leaves_old_file_and_no_temporary(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        write_atomic(path, failing_chunks())  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out.json"]


def test_short_writes_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(files.os, "write", lambda fd, data: write(fd, data[:3]))
    write_atomic(tmp_path / "x", [b"abcdefgh", b"ij"])
    assert (tmp_path / "x").read_bytes() == b"abcdefghij"


@pytest.mark.parametrize("short", [True, False])
def test_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short: bool) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")

    def full(_descriptor: int, _data: memoryview) -> int:
        if short:
            return 0
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "write", full)
    with pytest.raises(OSError, match="x was not saved: the disk is full") as caught:
        write_atomic(path, b"new")
    assert caught.value.errno == errno.ENOSPC
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["x"]


@posix
def test_full_disk_for_real(tmp_path: Path) -> None:
    """A tiny tmpfs; needs root, and is left out where mounting is not allowed."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(tmp_path)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("mounting a tmpfs is not allowed here")
    try:
        write_atomic(tmp_path / "x", b"o" * 20_000)
        with pytest.raises(OSError, match="the disk is full"):
            write_atomic(tmp_path / "x", b"n" * 100_000)
        assert (tmp_path / "x").read_bytes() == b"o" * 20_000
        assert os.listdir(tmp_path) == ["x"]
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_folder_and_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(PermissionError, match="write-protected"):
        write_atomic(path, b"new")
    path.chmod(0o644)
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(PermissionError, match="was not saved: permission is denied"):
            write_atomic(path, b"new")
    finally:
        tmp_path.chmod(0o755)
    assert path.read_bytes() == b"old"


def test_read_only_folder_by_mock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_kwargs: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(files.os, "open", refuse)
    with pytest.raises(OSError, match="x was not saved: the file system is read-only"):
        write_atomic(tmp_path / "x", b"new")


SAVE_FOR_EVER = """
import sys
from bpe_studio.files import write_atomic
def chunks():
    for number in range(400):
        yield b"x" * 50_000
        if number == 1: print("writing", flush=True)
for _ in range(1_000_000):
    write_atomic(sys.argv[1], chunks())
"""


@posix
@pytest.mark.parametrize("delay", [0.0, 0.002, 0.005, 0.01, 0.02, 0.05])
def test_kill_9_during_a_save_leaves_a_whole_file(tmp_path: Path, delay: float) -> None:
    path = tmp_path / "table.json"
    path.write_bytes(b"old")
    command = [sys.executable, "-c", SAVE_FOR_EVER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"writing\n"
        time.sleep(delay)
        child.send_signal(signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL
    assert path.read_bytes() in (b"old", b"x" * 20_000_000)
