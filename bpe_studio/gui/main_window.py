"""The main window: places and wires, no logic."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.closing import Closing
from bpe_studio.gui.compare_actions import CompareActions
from bpe_studio.gui.file_actions import FileActions
from bpe_studio.gui.health_actions import HealthActions
from bpe_studio.gui.models.legible import legible
from bpe_studio.gui.panels.compare_panel import ComparePanel
from bpe_studio.gui.panels.curve_panel import CurvePanel
from bpe_studio.gui.panels.explain_panel import ExplainPanel
from bpe_studio.gui.panels.health_panel import HealthPanel
from bpe_studio.gui.panels.lesson_panel import LessonPanel
from bpe_studio.gui.panels.merges_panel import MergesPanel
from bpe_studio.gui.panels.text_panel import TextPanel
from bpe_studio.gui.panels.training_panel import TrainingPanel
from bpe_studio.gui.partner_training import add_partner_training
from bpe_studio.gui.retraining import add_retraining
from bpe_studio.gui.saving import Saving
from bpe_studio.gui.size_actions import SizeActions
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.findings import FindingsState
from bpe_studio.gui.state.flagged import FlaggedState
from bpe_studio.gui.state.kernels import KernelState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.state.size import SizeState
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.state.training import TrainingState
from bpe_studio.gui.stopping import Stopping
from bpe_studio.gui.widgets.basics import lines
from bpe_studio.gui.widgets.dock import Dock
from bpe_studio.gui.widgets.error_bar import ErrorBar
from bpe_studio.gui.widgets.help_dialogs import about_dialog, shortcuts_dialog
from bpe_studio.gui.widgets.notes_bar import NotesBar
from bpe_studio.gui.widgets.notice import NoticeBar
from bpe_studio.gui.widgets.view_tabs import ViewTabs
from bpe_studio.gui.window_choices import WindowChoices
from bpe_studio.gui.window_layout import WindowLayout
from bpe_studio.gui.window_menus import build_menus
from bpe_studio.gui.window_status import WindowStatus
from bpe_studio.gui.window_title import WindowTitle

TOLD_MS = 6000


class MainWindow(QMainWindow):
    """Tabs in the centre, docks around it, menus, a line for errors and one for the state."""

    def __init__(
        self,
        *,
        corpus: CorpusState,
        training: TrainingState,
        tables: OpenTables,
        selection: Selection,
        text: TextState,
        size: SizeState,
        findings: FindingsState,
        kernels: KernelState,
        store: SettingsStore,
    ) -> None:
        super().__init__()
        self.setObjectName("mainWindow")
        self.setAcceptDrops(True)
        self.corpus, self.training, self.tables = corpus, training, tables
        self.selection, self.text, self.size_state = selection, text, size
        self.findings, self.kernels, self.store = findings, kernels, store
        self.flagged = FlaggedState(findings, self)
        self.states: tuple[QObject, ...] = (corpus, training, kernels, size)
        self.files = FileActions(window=self, tables=tables, corpus=corpus, store=store)
        self.saving = Saving(window=self, tables=tables, store=store)
        self.sizes = SizeActions(tables=tables, size=size, saving=self.saving)
        self.closing = Closing(window=self, saving=self.saving, training=training)
        self._build_panels()
        self._place()
        self.health_actions, self.compare_actions = HealthActions(self), CompareActions(self)
        self.retraining = add_retraining(self)
        self.partner_training = add_partner_training(self)
        self.stopping = Stopping(self)
        self.menus = build_menus(self)
        self._wire()
        self.layout_of_docks.open_first()
        self.layout_of_docks.restore()
        self.choices = WindowChoices(self)
        self.title = WindowTitle(self)

    # Places

    def _build_panels(self) -> None:
        tables, selection = self.tables, self.selection
        self.training_panel = TrainingPanel(training=self.training, corpus=self.corpus)
        text, corpus, ready = self.text, self.corpus, self.kernels.ready
        size = self.size_state
        self.text_panel = TextPanel(
            text=text,
            tables=tables,
            selection=selection,
            size=size,
            flagged=self.flagged,
            ready=ready,
        )
        self.lesson = LessonPanel(tables=tables, selection=selection, ready=ready)
        self.compare = ComparePanel(
            text=text, tables=tables, selection=selection, corpus=corpus, size=size, ready=ready
        )
        self.health = HealthPanel(
            tables=tables,
            selection=selection,
            corpus=self.corpus,
            findings=self.findings,
            training=self.training,
            ready=ready,
        )
        self.merges = MergesPanel(
            tables=tables, selection=selection, size=size, flagged=self.flagged
        )
        self.explain = ExplainPanel(
            text=text,
            tables=tables,
            selection=selection,
            corpus=self.corpus,
            size=size,
            flagged=self.flagged,
            ready=ready,
        )
        self.curve = CurvePanel(
            tables=tables, training=self.training, selection=selection, size=self.size_state
        )
        self.tabbed = (self.text_panel, self.lesson, self.compare, self.health)
        self.docked = (self.training_panel, self.merges, self.explain, self.curve)
        self.panels: tuple[QWidget, ...] = (*self.tabbed, *self.docked)

    def _place(self) -> None:
        self.notice = NoticeBar(outside=theme.MARGIN)
        self.errors = ErrorBar()
        self.notes = NotesBar(self.tables)
        self.tabs = ViewTabs(self.tabbed)
        centre = QWidget()
        centre.setLayout(lines(self.notice, self.errors, self.notes, self.tabs, margin=0, gap=0))
        self.setCentralWidget(centre)
        self.docks = {panel: Dock(panel, panel.title) for panel in self.docked}
        docks: list[QDockWidget] = list(self.docks.values())
        self.layout_of_docks = WindowLayout(
            self, docks, self.store, middle=(self.tabs, *self.tabbed)
        )
        self.status = WindowStatus(
            self,
            tables=self.tables,
            kernels=self.kernels,
            opening=self.files.opening,
            notes=self.notes,
        )

    # Wires

    def _wire(self) -> None:
        tables = self.tables
        self.text_panel.slide.bar.saveAsked.connect(self.sizes.save)
        for source in (
            *self.panels,
            self.files,
            self.saving,
            self.sizes,
            self.health_actions,
            self.compare_actions,
            self.retraining,
            self.partner_training,
        ):
            for name, done in (
                ("failed", self.errors.tell),
                ("told", self.tell),
                ("trainAsked", self._train_asked),
                ("openAsked", self.files.ask_open),
                ("exampleAsked", self.files.open_example),
            ):
                signal = getattr(source, name, None)
                if signal is not None:
                    signal.connect(done)
        self.files.textAsked.connect(self._open_text)
        self.health.textAsked.connect(self.training_panel.corpus_list.reveal_place)
        for tried in (self.files.tried, self.saving.tried):
            tried.connect(self.errors.forget)
        self.corpus.changed.connect(lambda: self.errors.forget())
        self.closing.agreed.connect(self.close, Qt.ConnectionType.QueuedConnection)
        tables.currentChanged.connect(self._leave_table)
        self.training.phaseChanged.connect(lambda _: self.training.running and self.errors.forget())

    def tell(self, sentence: str) -> None:
        """Say something in the status bar for a few seconds."""
        self.statusBar().showMessage(legible(sentence), TOLD_MS)

    def open(self, paths: list[Path]) -> None:
        """Open tokenizers and texts."""
        self.files.open(paths)

    def _leave_table(self, table: OpenTable | None) -> None:
        """The same words can be asked of another table; its tokens are others."""
        (self.selection.clear if table is None else self.selection.leave_table)()

    def _open_text(self, path: Path) -> None:
        self.show_panel(self.text_panel)
        self.text_panel.open_file(path)

    def _train_asked(self) -> None:
        if self.corpus.is_empty:
            self.training_panel.train_sample()
        else:
            self.show_panel(self.training_panel)

    # What menus ask for

    def new_corpus(self) -> None:
        """Begin with an empty corpus; open tables stay."""
        self.corpus.clear()
        self.show_panel(self.training_panel)

    def go_to_rank(self) -> None:
        self.show_panel(self.merges)
        self.merges.focus_rank()

    def show_only_flagged(self) -> None:
        self.show_panel(self.merges)
        self.merges.toggle_only_flagged()

    def focus_filter(self) -> None:
        """Put the keyboard into the filter of the panel that has it, or of Merges."""
        widget = self.focusWidget()
        while widget is not None and not hasattr(widget, "filter_edit"):
            widget = widget.parentWidget()
        panel = widget or self.merges
        self.show_panel(panel)
        getattr(panel, "open_filter", panel.filter_edit.show)()
        panel.filter_edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        panel.filter_edit.selectAll()

    def show_panel(self, panel: QWidget) -> None:
        """Bring a panel to the front and give it the keyboard."""
        if panel in self.tabbed:
            self.tabs.setCurrentWidget(panel)
        elif panel in self.docks:
            self.docks[panel].show()
            self.docks[panel].raise_()
        getattr(panel, "pane", panel).setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not panel.hasFocus() and not panel.isAncestorOf(self.focusWidget() or panel):
            panel.focusNextChild()

    def set_theme(self, name: str) -> None:
        """Dress everything anew, and remember it."""
        self.store.set("theme", name)
        theme.apply(QApplication.instance(), name)

    def show_shortcuts(self) -> None:
        shortcuts_dialog(self, self.menus.shortcuts()).open()

    def show_about(self) -> None:
        about_dialog(self).open()

    # Remembering, closing, dropping

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.layout_of_docks.remembered:
            self.layout_of_docks.remembered = True
            self.layout_of_docks.arrange()  # now the size is known

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.closing.may_close():
            event.ignore()
            return
        self.layout_of_docks.remember()
        self.choices.remember()
        self.store.save()
        self.hide()  # at once; what runs may take a while to hear that it is over
        self.closing.end_all(self, *self.states)
        self.kernels.close(0)
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        urls = event.mimeData().urls()
        self.files.drop([Path(url.toLocalFile()) for url in urls if url.isLocalFile()])
        event.acceptProposedAction()
