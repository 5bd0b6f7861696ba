"""Saving tables in any format, and what is asked before something is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from bpe_studio import formats
from bpe_studio.gui.job import Job, call
from bpe_studio.gui.state.offer import ARROW
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.widgets.save_dialogs import choose_place, hint_dialog, losses_dialog

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.formats import Written

Then = Callable[[], None] | None


def save_filters() -> dict[str, str]:
    """What the dialog that saves lists → the name of the format."""
    return {
        f"{module.TITLE.partition(' (')[0]} ({' '.join(f'*{s}' for s in module.SUFFIXES)})": name
        for name, module in formats.WRITERS.items()
    }


def named_for(path: Path, format: str) -> tuple[Path, str]:
    """The path with a suffix, and the format that suffix and choice mean together.

    Where nobody has chosen another format than ours, the suffix of one does.
    """
    if not path.suffix:
        return path.with_name(path.name + formats.WRITERS[format].SUFFIXES[0]), format
    suffix = path.suffix.lower()
    if suffix in formats.WRITERS[format].SUFFIXES or format != formats.OWN:
        return path, format
    others = (name for name, module in formats.WRITERS.items() if suffix in module.SUFFIXES)
    return path, next(others, format)


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """A table to be saved; `tokenizer` is the one that it had when this was asked."""

    table: OpenTable
    tokenizer: Tokenizer
    path: Path
    format: str
    then: Then


class Saving(QObject):
    """What the File menu saves, by jobs.

    Signals
    -------
    failed(str, object)
        Something could not be saved to this path; the sentence says what and why.
    told(str)
        Something was saved.
    tried(object)
        Something is about to be saved to this path: what failed there before is over.
    """

    failed = Signal(str, object)
    told = Signal(str)
    tried = Signal(object)

    def __init__(self, *, window: QWidget, tables: OpenTables, store: SettingsStore) -> None:
        super().__init__(window)
        self._window = window
        self._tables = tables
        self._store = store

    def save(self, table: OpenTable | None = None, *, then: Then = None) -> None:
        """Save a table (the current one) where it lives, or ask where.

        A file of another format is never written over without a question.
        """
        table = table or self._tables.current
        if table is None:
            return
        if table.path is None or table.format not in ("", formats.OWN):
            self.ask_save(table, then=then)
        else:
            self.save_to(table, table.path, then=then)

    def ask_save(self, table: OpenTable | None = None, *, then: Then = None) -> None:
        """Ask for a file and a format, and save a table there."""
        table = table or self._tables.current
        if table is None:
            return
        saved_to = self._store.get("saved_folder", "")
        folder = saved_to if saved_to and Path(saved_to).is_dir() else self._store.folder()
        suggested = Path(folder) / table.name.replace(ARROW, "-")
        filters = save_filters()
        suffixes = {shown: formats.WRITERS[name].SUFFIXES[0] for shown, name in filters.items()}
        place = choose_place(self._window, f"Save {table.name}", suggested, suffixes)
        if place is not None:
            path, format = named_for(place[0], filters.get(place[1], formats.OWN))
            for name in ("folder", "saved_folder"):
                self._store.set(name, str(path.parent))
            self.save_to(table, path, format=format, then=then)

    def save_to(
        self, table: OpenTable, path: Path, *, format: str = formats.OWN, then: Then = None
    ) -> None:
        """Save a table to a file; where something would be lost, ask before."""
        request = Request(table, table.tokenizer, path, format, then)
        making = call(formats.make, table.tokenizer, format)
        self._run(making, path, lambda written: self._made(request, written))

    def close_table(self, table: OpenTable | None = None) -> None:
        """Close a table, after asking if it is not saved."""
        table = table or self._tables.current
        if table is None:
            return
        answer = self._ask_to_save([table]) if table.dirty else "discard"
        if answer == "discard":
            self._tables.remove(table)
        elif answer == "save":
            self.save(table, then=lambda: self._tables.remove(table))

    def may_close(self, *, then: Callable[[], None]) -> bool:
        """Whether the window may close now; if tables are to be saved first, `then` follows."""
        unsaved = [table for table in self._tables if table.dirty]
        if not unsaved:
            return True
        answer = self._ask_to_save(unsaved)
        if answer == "save":
            self._save_all(unsaved, then)
        return answer == "discard"

    # Step by step

    def _made(self, request: Request, written: Written) -> None:
        """The files are made; what they lack, and what they would replace, is told first."""
        places = formats.places(written, request.path)
        beside = [place for place in places if place != request.path and place.exists()]
        if not written.losses and not beside:
            self._store_files(request, written)
            return
        dialog = losses_dialog(
            self._window, request.path.name, written.losses, [place.name for place in beside]
        )
        dialog.accepted.connect(lambda: self._store_files(request, written))
        dialog.open()

    def _store_files(self, request: Request, written: Written) -> None:
        storing = call(formats.store, written, request.path)
        self._run(storing, request.path, lambda _: self._stored(request, written))

    def _stored(self, request: Request, written: Written) -> None:
        table, path = request.table, request.path.absolute()
        own = request.format == formats.OWN
        names = " and ".join(place.name for place in formats.places(written, path))
        if own or not (written.losses or request.tokenizer.training):
            self._tables.set_saved(table, path, "" if own else request.format)
            if table.tokenizer is not request.tokenizer:  # it has learned more meanwhile
                self._tables.set_tokenizer(table, table.tokenizer)
            self.told.emit(f"Saved {names}.")
        else:
            self.told.emit(f"Saved a copy as {names}.")
        self._store.add_recent(path)
        if request.then is not None:
            request.then()
        elif written.hint:
            hint_dialog(self._window, path.name, written.hint_for(path)).open()

    def _save_all(self, tables: list[OpenTable], then: Callable[[], None]) -> None:
        if not tables:
            then()
            return
        self.save(tables[0], then=lambda: self._save_all(tables[1:], then))

    def _ask_to_save(self, tables: list[OpenTable]) -> str:
        """ "save", "discard" or "cancel"."""
        box = QMessageBox(self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        names = ", ".join(table.name for table in tables)
        box.setWindowTitle("Not saved")
        box.setText(f"{names} {'is' if len(tables) == 1 else 'are'} not saved.")
        box.setInformativeText("What was learned is lost without it.")
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        for button, words in (
            (buttons.Save, "&Save"),
            (buttons.Discard, "&Discard"),
            (buttons.Cancel, "&Cancel"),
        ):
            box.button(button).setText(words)  # not every desktop gives them keys
        chosen = box.exec()
        return {buttons.Save: "save", buttons.Discard: "discard"}.get(buttons(chosen), "cancel")

    def _run(self, steps: object, path: Path, done: Callable[[object], None]) -> None:
        self.tried.emit(path)
        job = Job(steps, self)
        job.finished.connect(done)
        job.otherwise(self._on_failed, path)
        job.ended.connect(job.deleteLater)

    def _on_failed(self, sentence: str, path: Path) -> None:
        self.failed.emit(sentence, path)
