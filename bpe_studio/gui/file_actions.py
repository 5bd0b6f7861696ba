"""Opening: tokenizers, model folders, texts and corpora, told by what they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from bpe_studio import formats
from bpe_studio.gui.job import Job
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.opening import Kind, Opened, Opening, Wanted, sort_out
from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.widgets.pattern_dialog import PatternDialog

FIRST_EXAMPLE = "stdlib-8k"
LAST_PATTERN = "cl100k"


def open_filter() -> str:
    """What the dialog that opens files lists."""
    return f"Tokenizers ({' '.join(formats.name_patterns())});;All files (*)"


def name_of(asked: Path, file: Path) -> str:
    """What a table is called: the file's name, or that of its folder where every model has one.

    >>> name_of(Path("a/gpt2"), Path("a/gpt2/vocab.json")), name_of(*[Path("a/mine.json")] * 2)
    ('gpt2', 'mine')
    """
    model = model_of(file.parent)
    if asked != file and model:
        return model
    return f"{model}-{file.stem}" if formats.is_usual_name(file.name) and model else file.stem


def model_of(folder: Path) -> str:
    """The name of a model folder; in a download cache it stands two levels above.

    >>> model_of(Path("a/models--org--tiny/snapshots/8f0c2d"))
    'tiny'
    """
    if folder.parent.name == "snapshots" and folder.parent.parent.name.startswith("models--"):
        return folder.parent.parent.name.rpartition("--")[2]
    return folder.name


def example_at(path: Path) -> str:
    """The name of the table that comes with the program and lives in this file, or nothing."""
    known = path.stem in formats.table_names() and formats.find_table(path.stem)
    return path.stem if known and known.resolve() == path.resolve() else ""


class FileActions(QObject):
    """What the File menu opens.

    Signals
    -------
    failed(str, object)
        Something could not be opened; the sentence says what and why, the path is that of it.
    told(str)
        Something was opened, or will not be.
    tried(object)
        This path is about to be opened: what was wrong with it before is over.
    textAsked(object)
        This path is a text to be opened in the text pane.
    """

    failed = Signal(str, object)
    told = Signal(str)
    tried = Signal(object)
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
        self.opening = Opening(self)
        self.opening.opened.connect(self._opened)
        self.opening.patternNeeded.connect(self._ask_pattern)
        self.opening.cancelled.connect(
            lambda wanted: self.told.emit(f"Opening {wanted.path.name} was cancelled.")
        )
        self.opening.failed.connect(
            lambda sentence, wanted: self.failed.emit(sentence, wanted.path)
        )

    # What the user asks for

    def ask_open(self) -> None:
        """Let the user choose tokenizers or texts and open them."""
        names, _ = QFileDialog.getOpenFileNames(
            self._window, "Open a tokenizer or a text", self._store.folder(), open_filter()
        )
        if names:
            self._store.set("folder", str(Path(names[0]).parent))
        self.open([Path(name) for name in names])

    def ask_folder(self) -> None:
        """Let the user choose a model folder and open the tokenizer in it."""
        name = QFileDialog.getExistingDirectory(
            self._window, "Open the tokenizer of a model folder", self._store.folder()
        )
        if name:
            self._store.set("folder", str(Path(name).parent))
            self.open_table(Path(name))

    def open(self, paths: Iterable[Path]) -> None:
        """Open tokenizers and model folders as tables, a text in the pane, folders as corpus."""
        self._sort_out(list(paths), self._take)

    def drop(self, paths: Sequence[Path]) -> None:
        """Take what was dropped on the window: several texts are a corpus, one is a text."""
        self._sort_out(list(paths), self._take_dropped)

    def open_recent(self, path: Path) -> None:
        """Open a file again, as it was opened the last time."""
        pattern = self._store.pattern_of(path)
        if pattern:
            self.open_table(path, pattern=pattern)
        else:
            self.open([path])

    def open_table(self, path: Path, *, pattern: str = "", asks: bool = True) -> None:
        """Open a tokenizer file or model folder, or show it if it is open already."""
        path = path.absolute()
        if example := example_at(path):
            self.open_example(example)
            return
        file = formats.find_in_folder(path) if path.is_dir() else path
        known = self._tables.at_path(file) if file is not None else None
        if known is not None:
            self._tables.set_current(known)
            return
        self.tried.emit(path)
        self.opening.open(Wanted(path, pattern, asks))

    def open_example(self, name: str = FIRST_EXAMPLE) -> None:
        """Open a table that comes with the program; it has no path, so that Save asks for one."""
        known = (t for t in self._tables if t.name == name and t.path is None and not t.dirty)
        if (table := next(known, None)) is not None:
            self._tables.set_current(table)
            return
        wanted = Wanted(formats.find_table(name), example=name)
        self.tried.emit(wanted.path)
        self.opening.open(wanted)

    # What they are

    def _sort_out(self, paths: list[Path], take: Callable[[list[tuple[Path, Kind]]], None]) -> None:
        if not paths:
            return
        job = Job(sort_out(paths), self)
        job.finished.connect(take)
        job.otherwise(self._on_unsorted, paths[0])
        job.ended.connect(job.deleteLater)

    def _on_unsorted(self, sentence: str, path: Path) -> None:
        self.failed.emit(sentence, path)

    def _take(self, kinds: list[tuple[Path, Kind]]) -> None:
        for path, kind in kinds:
            if kind == "tokenizer":
                self.open_table(path)
            elif kind == "corpus":
                self._corpus.add([path])
            else:
                self.textAsked.emit(path)

    def _take_dropped(self, kinds: list[tuple[Path, Kind]]) -> None:
        texts = [path for path, kind in kinds if kind == "text" and path.is_file()]
        if len(texts) > 1:
            self._corpus.add(texts)
            kinds = [(path, kind) for path, kind in kinds if path not in texts]
        self._take(kinds)

    # What was read

    def _opened(self, found: Opened) -> None:
        wanted = found.wanted
        known = self._tables.at_path(found.file)
        if known is not None:  # asked for twice, as a file and as the folder that it is in
            self._tables.set_current(known)
            return
        if wanted.example:
            self._tables.add(OpenTable(tokenizer=found.tokenizer, name=wanted.example))
            self.told.emit(f"Opened the example {wanted.example}.")
            return
        self._tables.add(
            OpenTable(
                tokenizer=found.tokenizer,
                name=name_of(wanted.path, found.file),
                path=found.file,
                format=found.format,
            )
        )
        self._store.add_recent(wanted.path, pattern=wanted.pattern)
        self.told.emit(f"Opened {wanted.path.name}.")

    def _ask_pattern(self, wanted: Wanted, sentence: str) -> None:
        """Ask how a text is cut; without an answer nothing is opened."""
        last = wanted.pattern or self._store.get("pattern_of_files", LAST_PATTERN)
        dialog = PatternDialog(self._window, name=wanted.path.name, chosen=last)
        dialog.chosen.connect(lambda pattern: self._with_pattern(wanted, pattern))
        dialog.open()

    def _with_pattern(self, wanted: Wanted, pattern: str) -> None:
        self._store.set("pattern_of_files", pattern)
        self.open_table(wanted.path, pattern=pattern)
