"""A tokenizer file that is being read: its bytes, its name, its neighbours, what the user adds."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bpe_studio.files import open_regular, reason_of
from bpe_studio.formats.strict.json import MAX_FILE_BYTES

__all__ = ["PatternNeededError", "Source"]


# Files of which only the head is a tokenizer, by what they begin with: the most that is read.
_HEADS: Final = {b"GGUF": 64 << 20}


class PatternNeededError(ValueError):
    """The file does not tell how a text is cut, and nobody has said it."""


def _no_report(share: float) -> None:
    pass


@dataclass(frozen=True, kw_only=True)
class Source:
    """What a reader works on.

    Attributes
    ----------
    data : bytes
    name : str
        How errors name the file.
    path : Path or None
        Where it lives; None for bytes that came some other way.
    pattern : str or None
        The name of a preset or an expression, where the user has said one.
    whole : bool
        Whether `data` is the whole file, and not only its head.
    report : callable
        Told how much is done, from 0 to 1.
    """

    data: bytes
    name: str
    path: Path | None = None
    pattern: str | None = None
    whole: bool = True
    report: Callable[[float], None] = _no_report

    @classmethod
    def of(
        cls,
        path: str | os.PathLike[str],
        *,
        pattern: str | None = None,
        report: Callable[[float], None] = _no_report,
    ) -> Source:
        """Read a file.

        Raises
        ------
        OSError, ValueError
            It cannot be read, or is too large.
        """
        name = os.fspath(path)
        with open_regular(path, follow_links=True) as file:
            size = os.fstat(file.fileno()).st_size
            try:
                mark = file.read(4)
                most = _HEADS.get(mark)
                if most is None and size > MAX_FILE_BYTES:
                    raise ValueError(f"{name}: it has {size:,} bytes, and 256 MiB is the limit.")
                file.seek(0)
                data = file.read(most or MAX_FILE_BYTES + 1)  # it may have grown since
            except OSError as error:  # a broken disk, or what the system only calls a file
                raise OSError(f"{name} cannot be read: {reason_of(error)}.") from error
        whole = most is None or len(data) >= size
        path = Path(path)
        return cls(data=data, name=name, path=path, pattern=pattern, report=report, whole=whole)

    def beside(self, file_name: str) -> Source | None:
        """Another file of the same folder, or None where there is none of that name."""
        if self.path is None or not (path := self.path.with_name(file_name)).is_file():
            return None
        found = Source.of(path)
        return replace(found, pattern=self.pattern, report=self.report)
