"""What a table is checked on: nothing else, its training's corpus, the Corpus panel's, or files."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QSizePolicy, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.health_check import Source, SourceKind, training_source
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.widgets.basics import label
from bpe_studio.gui.widgets.elided_combo import ElidedCombo
from bpe_studio.gui.widgets.words import counted, plain_tip, size

LEAST = 7  # characters
CHOOSE_FILES, CHOOSE_FOLDER = "choose files", "choose folder"
NO_TRAINING = (
    "The files of this table's training are not known here; it was not trained in this window."
)
NO_FILES = "The Corpus panel holds no files."


class HealthSource(QWidget):
    """A box to choose from; what cannot be chosen says why.

    Signals
    -------
    changed()
        Something else is chosen.
    """

    changed = Signal()

    def __init__(self, corpus: CorpusState) -> None:
        super().__init__()
        self._corpus = corpus
        self._table: OpenTable | None = None
        self._chosen: tuple[Path, ...] = ()
        self._wanted: SourceKind | None = None  # what somebody has chosen by hand
        self.folder = ""
        self.combo = ElidedCombo()
        self.combo.setAccessibleName("Check on")
        fit = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.combo.setSizeAdjustPolicy(fit)
        self.combo.setMinimumContentsLength(LEAST)
        self.combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.combo.activated.connect(self._on_activated)
        self.combo.currentTextChanged.connect(lambda text: self.combo.setToolTip(plain_tip(text)))
        corpus.changed.connect(self._fill)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.GAP)
        name = label("Check on", role="muted")
        name.setBuddy(self.combo)
        row.addWidget(name)
        row.addWidget(self.combo, 1)
        self._fill()

    @property
    def source(self) -> Source:
        """What is chosen."""
        found = self.combo.currentData()
        return found if isinstance(found, Source) else Source()

    def set_table(self, table: OpenTable | None) -> None:
        """Offer the corpus of another table's training; what was chosen stays if it can."""
        self._table = table
        self._fill()

    def choose(self, kind: SourceKind) -> bool:
        """Choose what to check on; False where there is no such corpus."""
        for place in range(self.combo.count()):
            source = self.combo.itemData(place)
            if isinstance(source, Source) and source.kind == kind and self._can(place):
                self._wanted = kind
                self.combo.setCurrentIndex(place)
                self.changed.emit()
                return True
        return False

    def choose_paths(self, paths: list[Path]) -> None:
        """Choose files and folders to check on."""
        if paths:
            self._chosen, self._wanted = tuple(paths), "chosen"
            self._fill()
            self.changed.emit()

    def ask_files(self) -> bool:
        """Let the user choose files to check on; False where nothing was chosen."""
        names, _ = QFileDialog.getOpenFileNames(self.window(), "Check on files", self.folder)
        return self._take(names)

    def ask_folder(self) -> bool:
        """Let the user choose a folder to check on; False where nothing was chosen."""
        name = QFileDialog.getExistingDirectory(self.window(), "Check on a folder", self.folder)
        return self._take([name] if name else [])

    def _take(self, names: list[str]) -> bool:
        if names:
            self.folder = str(Path(names[0]).parent)
        self.choose_paths([Path(name) for name in names])
        return bool(names)

    # The list

    def _fill(self) -> None:
        self.combo.clear()
        for source, why in self._sources():
            self.combo.addItem(_title(source), source)
            place = self.combo.count() - 1
            self.combo.setItemData(place, why or _title(source), Qt.ItemDataRole.ToolTipRole)
            self.combo.model().item(place).setEnabled(not why)
        self.combo.insertSeparator(self.combo.count())
        self.combo.addItem("Choose files …", CHOOSE_FILES)
        self.combo.addItem("Choose a folder …", CHOOSE_FOLDER)
        self.combo.setCurrentIndex(self._place())

    def _sources(self) -> list[tuple[Source, str]]:
        """What there is, and why it cannot be chosen."""
        session = self._table.session if self._table is not None else None
        tokenizer = self._table.tokenizer if self._table is not None else None
        trained = session.corpus if session is not None and session.corpus.files else None
        files = self._corpus.corpus
        files = files if files is not None and files.files else None
        found = [
            (Source(), ""),
            (training_source(tokenizer, trained), "" if trained else NO_TRAINING),
            (Source("panel", "the files of the Corpus panel", files), "" if files else NO_FILES),
        ]
        if self._chosen:
            first, more = self._chosen[0].name, len(self._chosen) - 1
            title = f"{first} and {counted(more, 'other')}" if more else first
            found.append((Source("chosen", title, paths=self._chosen), ""))
        return found

    def _place(self) -> int:
        """Where the source is that was chosen, or the best that there is."""
        order: list[SourceKind] = ["training", "panel", "table"]
        if self._wanted is not None:
            order.insert(0, self._wanted)
        kinds = [getattr(self.combo.itemData(i), "kind", "") for i in range(self.combo.count())]
        places = [kinds.index(kind) for kind in order if kind in kinds]
        return next(place for place in places if self._can(place))

    def _can(self, place: int) -> bool:
        return bool(self.combo.model().item(place).isEnabled())

    def _on_activated(self, place: int) -> None:
        found = self.combo.itemData(place)
        if isinstance(found, Source):
            self._wanted = found.kind
            self.changed.emit()
            return
        self.combo.setCurrentIndex(self._place())
        (self.ask_files if found == CHOOSE_FILES else self.ask_folder)()


def _title(source: Source) -> str:
    title = source.title
    if not source.paths:  # no name of a file
        title = title.removeprefix("the ")
        title = title[0].upper() + title[1:]
    if source.corpus is None:
        return title
    files = counted(len(source.corpus.files), "file")
    return f"{title} ({files}, {size(source.corpus.total_bytes)})"
