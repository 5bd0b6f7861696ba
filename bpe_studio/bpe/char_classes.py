"""What every character is to the compiled scanner, by the Unicode of the installed `regex`.

Two tables of one byte a code point: in "unicode" letters are ``\\p{L}`` and numbers ``\\p{N}``; in
"classic" they are ``[^\\W\\d]`` and ``\\d``. Making them takes some 50 ms, so they are kept in the
user's cache folder, under a name that holds the version of `regex` and the definitions.
"""

from __future__ import annotations

import contextlib
import hashlib
import zlib
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

import numpy as np
import platformdirs
import regex
from numpy.typing import NDArray

from bpe_studio.bpe.patterns import regex_version
from bpe_studio.files import open_regular, write_atomic

Family = Literal["unicode", "classic"]

CODE_POINTS: Final = 0x110000
_SURROGATES: Final = range(0xD800, 0xE000)

# The bits, as `kernels/scan.py` names them; that file is not imported here, since it brings numba.
_SHARED: Final = ((1, r"\s"), (8, r"[\r\n]"), (64, r"(?i:s)(?<![sS])"))
_EXPRESSIONS: Final[dict[Family, tuple[tuple[int, str], ...]]] = {
    "unicode": (
        *_SHARED,
        (2, r"\p{L}"),
        (4, r"\p{N}"),
        (16, r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"),
        (32, r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"),
    ),
    "classic": (*_SHARED, (2, r"[^\W\d]"), (4, r"\d")),
}


@lru_cache(maxsize=2)
def class_table(family: Family) -> NDArray[np.uint8]:
    """The bits of every code point; uint8, shape (0x110000,), not to be written to."""
    tables = _cached()
    table: NDArray[np.uint8] = tables[list(_EXPRESSIONS).index(family)]
    table.flags.writeable = False
    return table


def build_tables() -> NDArray[np.uint8]:
    """Both tables, asked of `regex`; uint8, shape (2, 0x110000)."""
    tables = np.zeros((len(_EXPRESSIONS), CODE_POINTS), dtype=np.uint8)
    halves = (range(_SURROGATES.start), range(_SURROGATES.stop, CODE_POINTS))
    for half in halves:
        text = "".join(map(chr, half))
        for table, expressions in zip(tables, _EXPRESSIONS.values(), strict=True):
            for bit, expression in expressions:
                for match in regex.finditer(f"(?:{expression})+", text):
                    table[half.start + match.start() : half.start + match.end()] |= bit
    return tables


def cache_file() -> Path:
    """Where the tables are kept."""
    definitions = hashlib.blake2b(repr(_EXPRESSIONS).encode(), digest_size=4).hexdigest()
    folder = Path(platformdirs.user_cache_dir("bpe-studio", False))
    return folder / f"classes-{regex_version()}-{definitions}"


def _cached() -> NDArray[np.uint8]:
    """The tables from the cache; made, and kept for the next time, where there are none."""
    path = cache_file()
    # Also what was damaged is made again; and what cannot be kept costs only time.
    with contextlib.suppress(OSError, ValueError, zlib.error):
        return _read(path)
    tables = build_tables()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, zlib.compress(tables.tobytes(), 1))
    return tables


def _read(path: Path) -> NDArray[np.uint8]:
    with open_regular(path) as file:
        data = zlib.decompress(file.read())
    return np.frombuffer(data, dtype=np.uint8).reshape(len(_EXPRESSIONS), CODE_POINTS)
