"""Opening and saving: tokenizers, texts, and what is asked before something is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from bpe_studio import formats
from bpe_studio.gui.job import Job, call
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.offer import ARROW
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.settings_store import SettingsStore

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

TABLE_SUFFIXES = (".json", ".tiktoken", ".model")
TABLE_FILTER = "Tokenizers (*.json);;All files (*)"
SAVE_FILTER = "BPE Studio tokenizers (*.json)"
FIRST_EXAMPLE = "stdlib-8k"


def _load(path: Path) -> Tokenizer:
    from bpe_studio import api

    return api.load(path)


def _save(tokenizer: Tokenizer, path: Path) -> Path:
    from bpe_studio import api

    api.save(tokenizer, path)
    return path


def example_at(path: Path) -> str:
    """The name of the table that comes with the program and lives in this file, or nothing."""
    known = path.stem in formats.table_names() and formats.find_table(path.stem)
    return path.stem if known and known.resolve() == path.resolve() else ""


def is_table(path: Path) -> bool:
    """Whether a file looks like a tokenizer and not like a text."""
    return path.suffix.lower() in TABLE_SUFFIXES


class FileActions(QObject):
    """What the File menu does. Files are read and written by jobs.

    Signals
    -------
    failed(str)
        Something could not be opened or saved; the sentence says what and why.
    told(str)
        Something was opened or saved.
    tried()
        Something is about to be opened or saved: what failed before is over.
    textAsked(object)
        This path is a text to be opened in the text pane.
    """

    failed = Signal(str)
    told = Signal(str)
    tried = Signal()
    textAsked = Signal(object)

    def __init__(
        self,
        *,
        window: QWidget,
        tables: OpenTables,
        corpus: CorpusState,
        store: SettingsStore,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._tables = tables
        self._corpus = corpus
        self._store = store
        self._jobs: set[Job] = set()

    def ask_open(self) -> None:
        """Let the user choose tokenizers or texts and open them."""
        names, _ = QFileDialog.getOpenFileNames(
            self._window, "Open a tokenizer or a text", self._folder(), TABLE_FILTER
        )
        if names:
            self._store.set("folder", str(Path(names[0]).parent))
        self.open([Path(name) for name in names])

    def open(self, paths: Iterable[Path]) -> None:
        """Open tokenizers as tables, a text in the text pane, and folders as corpus."""
        for path in paths:
            if path.is_dir():
                self._corpus.add([path])
            elif is_table(path):
                self.open_table(path)
            else:
                self.textAsked.emit(path)

    def drop(self, paths: Sequence[Path]) -> None:
        """Take what was dropped on the window: several texts are a corpus, one is a text."""
        texts = [path for path in paths if not is_table(path) and path.is_file()]
        if len(texts) > 1:
            self._corpus.add(texts)
            paths = [path for path in paths if path not in texts]
        self.open(paths)

    def open_table(self, path: Path) -> None:
        """Open a tokenizer, or show it if it is open already."""
        path = path.absolute()
        if example := example_at(path):
            self.open_example(example)
            return
        known = self._tables.at_path(path)
        if known is not None:
            self._tables.set_current(known)
            return
        self._run(call(_load, path), lambda tokenizer: self._opened(path, tokenizer))

    def open_example(self, name: str = FIRST_EXAMPLE) -> None:
        """Open a table that comes with the program; it has no path, so that Save asks for one."""
        known = (t for t in self._tables if t.name == name and t.path is None and not t.dirty)
        if (table := next(known, None)) is not None:
            self._tables.set_current(table)
            return
        path = formats.find_table(name)
        self._run(call(_load, path), lambda tokenizer: self._opened_example(name, tokenizer))

    def save(
        self, table: OpenTable | None = None, *, then: Callable[[], None] | None = None
    ) -> None:
        """Save a table (the current one) where it lives, or ask where."""
        table = table or self._tables.current
        if table is None:
            return
        if table.path is None or table.path.suffix.lower() != ".json":
            self.ask_save(table, then=then)
        else:
            self.save_to(table, table.path, then=then)

    def ask_save(
        self, table: OpenTable | None = None, *, then: Callable[[], None] | None = None
    ) -> None:
        """Ask for a file and save a table there."""
        table = table or self._tables.current
        if table is None:
            return
        suggested = str(Path(self._folder()) / f"{table.name.replace(ARROW, '-')}.json")
        name, _ = QFileDialog.getSaveFileName(
            self._window, f"Save {table.name}", suggested, SAVE_FILTER
        )
        if name:
            path = Path(name)
            self._store.set("folder", str(path.parent))
            self.save_to(table, path if path.suffix else path.with_suffix(".json"), then=then)

    def save_to(
        self, table: OpenTable, path: Path, *, then: Callable[[], None] | None = None
    ) -> None:
        """Save a table to a file."""
        tokenizer = table.tokenizer

        def saved(_: object) -> None:
            self._tables.set_saved(table, path.absolute())
            if table.tokenizer is not tokenizer:  # it has learned more while it was saved
                self._tables.set_tokenizer(table, table.tokenizer)
            self._store.add_recent(path.absolute())
            self.told.emit(f"Saved {path.name}.")
            if then is not None:
                then()

        self._run(call(_save, tokenizer, path), saved)

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

    def close(self, milliseconds: int) -> None:
        """Wait for what is being saved."""
        for job in list(self._jobs):
            job.wait(milliseconds)

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
        box.setWindowTitle("Save before closing")
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

    def _opened(self, path: Path, tokenizer: Tokenizer) -> None:
        self._tables.add(OpenTable(tokenizer=tokenizer, name=path.stem, path=path))
        self._store.add_recent(path)
        self.told.emit(" ".join([f"Opened {path.name}.", *tokenizer.notes]))

    def _opened_example(self, name: str, tokenizer: Tokenizer) -> None:
        self._tables.add(OpenTable(tokenizer=tokenizer, name=name))
        self.told.emit(" ".join([f"Opened the example {name}.", *tokenizer.notes]))

    def _run(self, steps: object, done: Callable[[object], None]) -> None:
        self.tried.emit()
        job = Job(steps, self)
        self._jobs.add(job)
        job.finished.connect(done)
        job.failed.connect(self.failed)
        job.ended.connect(lambda: (self._jobs.discard(job), job.deleteLater()))

    def _folder(self) -> str:
        recent = self._store.recent()
        usual = str(recent[0].parent) if recent else ""
        known = (self._store.get("folder", ""), usual)
        return next((name for name in known if name and Path(name).is_dir()), str(Path.home()))
