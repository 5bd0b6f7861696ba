"""Opening only regular files, and saving so that the old file survives any failure.

Everything that the program reads from a path goes through `open_regular`, and
everything that it saves goes through `write_atomic`.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

__all__ = [
    "check_savable",
    "is_pipe",
    "kind_of_file",
    "open_named",
    "open_regular",
    "reason_of",
    "write_atomic",
]

_REASONS = {
    errno.ENOENT: "there is no such file or folder",
    errno.EACCES: "permission is denied",
    errno.EPERM: "permission is denied",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the file system is read-only",
    errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "a part of the path is not a folder",
    errno.ELOOP: "it is a link that leads back to itself",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EIO: "the disk reports an input/output error",
    errno.EFBIG: "the file would be larger than allowed",
}

# Absent on Windows, where links are recognised by `lstat` alone.
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
# A FIFO that takes the place of the file between the check and the open must not block.
_NO_BLOCK = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)


def kind_of_file(mode: int) -> str:
    """Name what `st_mode` says a path is: "file", "folder", "link", "named pipe", …"""
    kinds = (
        (stat.S_ISREG, "file"),
        (stat.S_ISDIR, "folder"),
        (stat.S_ISLNK, "link"),
        (stat.S_ISFIFO, "named pipe"),
        (stat.S_ISSOCK, "socket"),
        (stat.S_ISCHR, "device"),
        (stat.S_ISBLK, "device"),
    )
    return next((name for test, name in kinds if test(mode)), "special file")


def open_regular(path: str | os.PathLike[str], *, follow_links: bool = False) -> BinaryIO:
    """Open a regular file for reading; refuse everything else, at once.

    Parameters
    ----------
    path : str or PathLike
        The file. Links in the folders above it are followed as usual.
    follow_links : bool
        Whether the file itself may be reached through a link. What a person names
        (a tokenizer in a download cache, say) may; what a walk finds may not.

    Raises
    ------
    OSError
        When it is missing, unreadable, or a folder, link, named pipe, socket or
        device. The message is one sentence that names the path.
    """
    flags = os.O_RDONLY | _NO_BLOCK | _BINARY | (0 if follow_links else _NO_FOLLOW)
    try:
        # Looked at before it is opened: merely opening a device can have effects.
        _require_regular(path, os.stat(path, follow_symlinks=follow_links).st_mode)
        descriptor = os.open(path, flags)
        try:
            _require_regular(path, os.fstat(descriptor).st_mode)
            return os.fdopen(descriptor, "rb")
        except BaseException:
            os.close(descriptor)
            raise
    except OSError as error:
        raise _in_words(error, f"{os.fspath(path)} cannot be read") from error
    except ValueError as error:  # a NUL in the name
        raise OSError(f"{os.fspath(path)!r} cannot be read: it is no valid path.") from error


def is_pipe(path: str | os.PathLike[str]) -> bool:
    """Whether a path leads to a pipe, as `/dev/stdin` and the shell's `<(command)` may."""
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def open_named(path: str | os.PathLike[str]) -> BinaryIO:
    """Open what a person named to be read once: a file, also through a link, or a pipe.

    Raises as `open_regular` does.
    """
    if is_pipe(path):
        try:
            return open(path, "rb")
        except OSError as error:
            raise _in_words(error, f"{os.fspath(path)} cannot be read") from error
    return open_regular(path, follow_links=True)


def check_savable(path: str | os.PathLike[str]) -> None:
    """Say now, and not after an hour of work, that `path` cannot be saved.

    Raises
    ------
    OSError
        A folder, a device or a pipe is there, the file or its folder is write-protected, or
        there is no such folder. The message is one sentence that names the path.
    """
    try:
        target = Path(os.path.realpath(path))
        _check_target(target)
        info = os.stat(target.parent)
    except OSError as error:
        if isinstance(error, FileNotFoundError):
            error.strerror = f"there is no folder {target.parent}"
        raise _in_words(error, f"{os.fspath(path)} cannot be saved") from error
    except ValueError as error:  # a NUL in the name
        raise OSError(f"{os.fspath(path)!r} cannot be saved: it is no valid path.") from error
    if not stat.S_ISDIR(info.st_mode) or not os.access(target.parent, os.W_OK | os.X_OK):
        reason = f"the folder {target.parent} cannot be written to"
        raise PermissionError(f"{os.fspath(path)} cannot be saved: {reason}.")


def write_atomic(path: str | os.PathLike[str], data: bytes | Iterable[bytes]) -> None:
    """Save `data` under `path`, whole or not at all.

    A temporary file in the same folder is written, flushed to the disk and moved over
    the old file. Until that last step the old file is untouched, whatever happens; a
    failure removes the temporary file. The mode of an existing file is kept, and a link
    stays a link: the file that it points to is the one replaced.

    Parameters
    ----------
    path : str or PathLike
        Where to save.
    data : bytes or iterable of bytes
        The content, in one piece or in several.

    Raises
    ------
    OSError
        When it cannot be saved. The message is one sentence that names the path.
    """
    target = Path(os.path.realpath(path)) if os.path.islink(path) else Path(path)
    chunks = (data,) if isinstance(data, bytes) else data
    try:
        old = _check_target(target)
        temporary = target.parent / f".bpe-studio-{os.urandom(8).hex()}.tmp"
        try:
            _write_new(temporary, chunks, old)
            os.replace(temporary, target)
        except BaseException:  # KeyboardInterrupt too must not leave a half file behind
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise _in_words(error, f"{os.fspath(path)} was not saved") from error
    _sync_folder(target.parent)


def _check_target(target: Path) -> os.stat_result | None:
    """Stat of the file to be replaced; None where there is none yet."""
    try:
        old = os.lstat(target)
    except FileNotFoundError:
        return None
    # Replacing would turn /dev/null or a named pipe into an ordinary file.
    _require_regular(target, old.st_mode)
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "the file is write-protected")
    return old


def _write_new(temporary: Path, chunks: Iterable[bytes], old: os.stat_result | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _BINARY
    descriptor = os.open(temporary, flags, 0o666)  # the umask applies, as for any new file
    try:
        size = sum(_write_fully(descriptor, memoryview(chunk)) for chunk in chunks)
        if old is not None:
            _keep_mode(descriptor, temporary, old)
        os.fsync(descriptor)
        if os.fstat(descriptor).st_size != size:
            raise OSError(errno.EIO, "fewer bytes arrived on the disk than were written")
    finally:
        os.close(descriptor)


def _write_fully(descriptor: int, view: memoryview) -> int:
    """Write all of `view`: `os.write` may take less than it was given."""
    done = 0
    while done < len(view):
        written = os.write(descriptor, view[done:])
        if written <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done += written
    return done


def _keep_mode(descriptor: int, temporary: Path, old: os.stat_result) -> None:
    if hasattr(os, "fchown"):
        # Only root can give files away; for all others the owner is the same anyway.
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, old.st_uid, old.st_gid)
    os.chmod(temporary, stat.S_IMODE(old.st_mode))


def _sync_folder(folder: Path) -> None:
    """Make the new name itself durable, where folders can be synced at all."""
    if os.name == "nt":
        return
    # The file is in place by now, so a failure here is no failed save.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _require_regular(path: str | os.PathLike[str], mode: int) -> None:
    if stat.S_ISREG(mode):
        return
    kind = kind_of_file(mode)
    if kind == "folder":
        raise OSError(errno.EISDIR, _REASONS[errno.EISDIR])
    if kind == "link":
        raise OSError(errno.ELOOP, "it is a link, and links are not followed here")
    raise OSError(errno.EINVAL, f"it is a {kind}, not a regular file")


def reason_of(error: OSError) -> str:
    """Why the system refused, without the path: `permission is denied`."""
    cause = error.__cause__
    if error.strerror is None and isinstance(cause, OSError):
        error = cause  # one that is in words already
    if error.errno is None:
        return str(error).rstrip(".")
    reason = error.strerror or "an unknown error"
    if reason == os.strerror(error.errno):  # ours are written out already
        reason = _REASONS.get(error.errno, reason[:1].lower() + reason[1:])
    return reason


def _in_words(error: OSError, what: str) -> OSError:
    """Same class and errno, but a message that reads as one sentence."""
    if error.errno is None:
        return error
    told = type(error)(f"{what}: {reason_of(error)}.")
    told.errno = error.errno
    return told
