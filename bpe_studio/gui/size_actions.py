"""What can be done with the size that the vocabulary slider stands at."""

from __future__ import annotations

import re
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from bpe_studio.gui.saving import Saving
from bpe_studio.gui.state.offer import ARROW
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.size import SizeState
from bpe_studio.gui.widgets.words import counted

COPY_IN_NAME = re.compile(r" \(\d+\)$")
SIZE_IN_NAME = re.compile(r"[-_ ]?\d+k?$")


def sized_name(name: str, vocab_size: int) -> str:
    """What a table is called at another size; a size in its name is replaced.

    What tells open tables apart, and which size one was to be continued to, is no part of it.

    >>> sized_name("code-8000", 4000), sized_name("stdlib-8k", 4000), sized_name("gpt2", 4000)
    ('code-4000', 'stdlib-4000', 'gpt2-4000')
    >>> sized_name("stdlib-8k (2) → 12k", 3061)
    'stdlib-3061'
    """
    name = COPY_IN_NAME.sub("", name.split(ARROW)[0])
    stem = SIZE_IN_NAME.sub("", name)
    # The digit of a name such as gpt2 is no size.
    if not stem or re.search(r"[A-Za-z]\d$", name):
        stem = name
    return f"{stem}-{vocab_size}"


class SizeActions(QObject):
    """Saving and opening the table of the first merges.

    Signals
    -------
    told(str)
        Something was done, or there is nothing to do; for the status bar.
    """

    told = Signal(str)

    def __init__(self, *, tables: OpenTables, size: SizeState, saving: Saving) -> None:
        super().__init__(saving)
        self._tables = tables
        self._size = size
        self._saving = saving

    def save(self) -> None:
        """Ask for a file and save the table as it is at this size; the open one stays as it is."""
        if (table := self._at_size()) is not None:
            self._saving.ask_save(table)

    def open_as_table(self) -> None:
        """Open the table of this size beside the one that it is of."""
        table = self._at_size()
        if table is None:
            return
        table.dirty = True
        self._tables.add(table)
        self.told.emit(
            f"Opened the first {counted(len(table.tokenizer.table.merges), 'merge')} "
            f"as {table.name}."
        )

    def use_all(self) -> None:
        """Show the text under all merges."""
        self._size.set_merges(None)

    def _at_size(self) -> OpenTable | None:
        """The table at the size where the slider stands; None, with a word, where it is whole."""
        current, merges = self._tables.current, self._size.merges
        if current is None or merges is None:
            self.told.emit("The slider stands at all merges: choose a smaller size first.")
            return None
        # Saved at once after a move, the slider does not rest yet.
        made = self._size.tokenizer if self._size.rests else None
        tokenizer = made or current.tokenizer.prefix(merges)
        tokenizer = replace(tokenizer, table=tokenizer.table.alone())
        name = sized_name(current.name, tokenizer.vocab_size)
        return OpenTable(tokenizer=tokenizer, name=name)
