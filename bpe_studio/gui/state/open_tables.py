"""The tables that are open, and which of them is the current one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from bpe_studio.api import TrainingSession
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.bpe.trainer import MergeBatch


@dataclass(slots=True, weakref_slot=True, eq=False, kw_only=True)
class OpenTable:
    """One open table. The tokenizer is frozen; training puts a newer one in its place.

    `stem` is what its name begins with as long as nobody has named it; its size follows. `path` is
    where it was read from or saved to, and `format` the name of that file's format, or nothing for
    our own; `session` is the training that made it; `dirty` says that
    closing it would lose something.
    """

    tokenizer: Tokenizer
    name: str
    stem: str = ""
    path: Path | None = None
    format: str = ""
    dirty: bool = False
    session: TrainingSession | None = None


class OpenTables(QObject):
    """A list of `OpenTable` with a current one.

    Signals
    -------
    changed()
        Something in the list is not as it was: a table came or went, or its name, its path, its
        unsaved mark or its tokenizer changed. Good for combo boxes.
    currentChanged(object)
        Another table is current (an `OpenTable`, or None when none is open).
    tokenizerChanged(object)
        This `OpenTable` has a newer tokenizer: about once a second while it is trained, and when
        training ends. What is shown from the old one still holds; merges were only added.
    growing(object)
        A `MergeBatch` was learned by the current table, at most 30 times a second. The tokenizer
        follows later, with `tokenizerChanged`.
    """

    changed = Signal()
    currentChanged = Signal(object)
    tokenizerChanged = Signal(object)
    growing = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tables: list[OpenTable] = []
        self._current: OpenTable | None = None

    @property
    def tables(self) -> list[OpenTable]:
        """The open tables, oldest first."""
        return list(self._tables)

    @property
    def current(self) -> OpenTable | None:
        """The table that everything shows."""
        return self._current

    def __len__(self) -> int:
        return len(self._tables)

    def __iter__(self) -> Iterator[OpenTable]:
        return iter(self.tables)

    def index(self, table: OpenTable | None) -> int:
        """The place of a table in the list, or -1."""
        return self._tables.index(table) if table in self._tables else -1

    def at_path(self, path: Path) -> OpenTable | None:
        """The open table that lives in this file."""
        return next((table for table in self._tables if table.path == path), None)

    def add(self, table: OpenTable, *, make_current: bool = True) -> OpenTable:
        """Append a table; its name is made unlike the others'."""
        table.name = self._free_name(table.name)
        self._tables.append(table)
        self.changed.emit()
        if make_current or self._current is None:
            self.set_current(table)
        return table

    def remove(self, table: OpenTable) -> None:
        """Close a table; its neighbour becomes current."""
        place = self._tables.index(table)
        del self._tables[place]
        self.changed.emit()
        if table is self._current:
            left = self._tables[max(0, place - 1)] if self._tables else None
            self.set_current(left)

    def set_current(self, table: OpenTable | None) -> None:
        """Make a table of the list (or None) the current one."""
        if table is not self._current:
            self._current = table
            self.currentChanged.emit(table)

    def next(self) -> None:
        """Make the next table of the list the current one, after the last the first."""
        if self._tables:
            place = self.index(self._current) + 1
            self.set_current(self._tables[place % len(self._tables)])

    def set_tokenizer(self, table: OpenTable, tokenizer: Tokenizer, *, dirty: bool = True) -> None:
        """Put a newer tokenizer in the place of a table's old one."""
        table.tokenizer = tokenizer
        table.dirty = dirty
        self.tokenizerChanged.emit(table)
        self.changed.emit()

    def set_saved(self, table: OpenTable, path: Path, format: str = "") -> None:
        """Note that a table is now in this file, whole."""
        table.path, table.format = path, format
        table.name, table.stem = path.stem, ""
        table.dirty = False
        self.changed.emit()

    def rename(self, table: OpenTable, name: str) -> None:
        """Name a table, unlike the others."""
        if name != table.name:
            table.name = ""
            table.name = self._free_name(name)
            self.changed.emit()

    def grow(self, table: OpenTable, batch: MergeBatch) -> None:
        """Tell that a table in training has learned a batch."""
        if table is self._current:
            self.growing.emit(batch)

    def _free_name(self, name: str) -> str:
        taken = {table.name for table in self._tables}
        number, free = 2, name
        while free in taken:
            free, number = f"{name} ({number})", number + 1
        return free
