"""A box to choose the text from on which tables are looked at."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QSizePolicy, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.corpus_source import Source, SourceKind
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.widgets.basics import label
from bpe_studio.gui.widgets.elided_combo import ElidedCombo
from bpe_studio.gui.widgets.words import counted, plain_tip, size

LEAST = 7  # characters
CHOOSE_FILES, CHOOSE_FOLDER = "choose files", "choose folder"
NO_FILES = "The Corpus panel holds no files."


class SourceBox(QWidget):
    """Sources and, at the end of the list, files to choose; what cannot be chosen says why.

    Signals
    -------
    changed()
        Something else is chosen.
    """

    changed = Signal()
    order: tuple[SourceKind, ...] = ()
    """What is chosen as long as nobody has chosen, the best first; the last is always there."""

    def __init__(self, corpus: CorpusState, name: str) -> None:
        """`name` is what is done with the text, such as "Check on"."""
        super().__init__()
        self._corpus, self._name = corpus, name
        self._chosen: tuple[Path, ...] = ()
        self._wanted: SourceKind | None = None  # what somebody has chosen by hand
        self.folder = ""
        self.combo = ElidedCombo()
        self.combo.setAccessibleName(name)
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
        words = label(name, role="muted")
        words.setBuddy(self.combo)
        row.addWidget(words)
        row.addWidget(self.combo, 1)
        self._fill()

    def sources(self) -> list[tuple[Source, str]]:
        """What there is beside files that were chosen, and why it cannot be chosen."""
        raise NotImplementedError

    def panel_source(self) -> tuple[Source, str]:
        """The files of the Corpus panel, and why they cannot be chosen."""
        files = self._corpus.corpus
        files = files if files is not None and files.files else None
        return Source("panel", "the files of the Corpus panel", files), "" if files else NO_FILES

    @property
    def source(self) -> Source:
        """What is chosen."""
        found = self.combo.currentData()
        return found if isinstance(found, Source) else Source()

    def choose(self, kind: SourceKind) -> bool:
        """Choose a source; False where there is no such corpus."""
        for place in range(self.combo.count()):
            source = self.combo.itemData(place)
            if isinstance(source, Source) and source.kind == kind and self._can(place):
                self._wanted = kind
                self.combo.setCurrentIndex(place)
                self.changed.emit()
                return True
        return False

    def choose_paths(self, paths: list[Path]) -> None:
        """Choose files and folders."""
        if paths:
            self._chosen, self._wanted = tuple(paths), "chosen"
            self._fill()
            self.changed.emit()

    def ask_files(self) -> bool:
        """Let the user choose files; False where nothing was chosen."""
        names, _ = QFileDialog.getOpenFileNames(self.window(), f"{self._name} files", self.folder)
        return self._take(names)

    def ask_folder(self) -> bool:
        """Let the user choose a folder; False where nothing was chosen."""
        title = f"{self._name} a folder"
        name = QFileDialog.getExistingDirectory(self.window(), title, self.folder)
        return self._take([name] if name else [])

    def _take(self, names: list[str]) -> bool:
        if names:
            self.folder = str(Path(names[0]).parent)
        self.choose_paths([Path(name) for name in names])
        return bool(names)

    # The list

    def _fill(self) -> None:
        self.combo.clear()
        for source, why in self._all():
            self.combo.addItem(_title(source), source)
            place = self.combo.count() - 1
            self.combo.setItemData(place, why or _title(source), Qt.ItemDataRole.ToolTipRole)
            self.combo.model().item(place).setEnabled(not why)
        self.combo.insertSeparator(self.combo.count())
        self.combo.addItem("Choose files …", CHOOSE_FILES)
        self.combo.addItem("Choose a folder …", CHOOSE_FOLDER)
        self.combo.setCurrentIndex(self._place())

    def _all(self) -> list[tuple[Source, str]]:
        found = self.sources()
        if self._chosen:
            first, more = self._chosen[0].name, len(self._chosen) - 1
            title = f"{first} and {counted(more, 'other')}" if more else first
            found.append((Source("chosen", title, paths=self._chosen), ""))
        return found

    def _place(self) -> int:
        """Where the source is that was chosen, or the best that there is."""
        order = [*([self._wanted] if self._wanted is not None else []), *self.order]
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
