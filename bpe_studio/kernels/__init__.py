"""Arrays in, arrays out, without the interpreter lock; the only room with numba.

Compiled code is kept in the user's cache folder: an installation may be read-only.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import platformdirs


def _cache_folder() -> Path:
    """A folder for the kernels as they are now: numba does not see when a file that a kernel
    imports has changed, and would go on with what it compiled before."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    digest = hashlib.blake2b(b"".join(source.read_bytes() for source in sources), digest_size=8)
    folder = (
        Path(platformdirs.user_cache_dir("bpe-studio", False)) / f"kernels-{digest.hexdigest()}"
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return _passing_folder()
    return folder if os.access(folder, os.W_OK) else _passing_folder()


def _passing_folder() -> Path:
    """A private folder for this process and its children, where the user has no cache folder."""
    import atexit
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="bpe-studio-kernels-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


if "NUMBA_CACHE_DIR" not in os.environ:
    os.environ["NUMBA_CACHE_DIR"] = str(_cache_folder())


def are_compiled() -> bool:
    """Whether the kernels as they are now were compiled before; only a hint, for messages."""
    return _marker().exists()


def mark_compiled() -> None:
    """Notes that every kernel is in the cache; a cache that cannot be written is no error."""
    try:
        _marker().parent.mkdir(parents=True, exist_ok=True)
        _marker().touch()
    except OSError:
        return


def _marker() -> Path:
    """A file named after what else makes numba compile again: place, Python and numba."""
    from importlib.metadata import version

    about = "\n".join((str(Path(__file__).parent), sys.version, version("numba")))
    name = f"compiled-{hashlib.blake2b(about.encode(), digest_size=8).hexdigest()}"
    return Path(os.environ["NUMBA_CACHE_DIR"]) / name
