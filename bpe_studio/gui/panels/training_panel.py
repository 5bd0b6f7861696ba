"""Corpus and training: what to train on, how, and how far it is."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QScrollArea, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.offer import Offer
from bpe_studio.gui.state.training import TrainingState
from bpe_studio.gui.widgets.basics import Button, SectionHeader, label, lines
from bpe_studio.gui.widgets.corpus_list import CorpusList
from bpe_studio.gui.widgets.fold import Fold
from bpe_studio.gui.widgets.progress_view import ProgressView
from bpe_studio.gui.widgets.settings_form import SettingsForm
from bpe_studio.gui.widgets.words import counted

PROBLEMS_SHOWN = 1000
LEAST_WIDTH = 264


class TrainingPanel(QWidget):
    """The left dock.

    Signals
    -------
    failed(str)
        Training ended with an error; the sentence for the user.
    """

    failed = Signal(str)

    title = "Corpus and training"

    def __init__(self, *, training: TrainingState, corpus: CorpusState) -> None:
        super().__init__()
        self.setObjectName("trainingPanel")
        self.setAccessibleName("Corpus and training")
        self._training = training
        self._corpus = corpus
        self._start_when_found = False
        self._focus_back: Button | None = None
        self._build()
        self._wire()
        self._show_buttons()

    def _build(self) -> None:
        self.corpus_list = CorpusList(self._corpus)
        self.form = SettingsForm()
        self.progress = ProgressView(self._training)
        self.problems = QListWidget()
        self.problems.setAccessibleName("Files with problems")
        self.problems.setWordWrap(True)
        self.problems.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.problems.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.problems.setMinimumHeight(96)
        self.problems_fold = Fold("Problems with files", self.problems)
        self.problems_fold.hide()
        self.start_button = Button("Start", icon="play", look="primary")
        self.step_button = Button("Step", icon="step")
        self.continue_button = Button("Continue", icon="continue")
        self.offer_words = label(role="muted", wrap=True)
        for button in (self.start_button, self.step_button, self.continue_button):
            button.setProperty("compact", True)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.GRID)
        buttons.addWidget(self.start_button, 1)
        buttons.addWidget(self.step_button)
        buttons.addWidget(self.continue_button)
        content = QWidget()
        column = lines(
            self.corpus_list,
            self.problems_fold,
            SectionHeader("Settings"),
            self.form,
            buttons,
            self.progress,
            self.offer_words,
        )
        column.setContentsMargins(theme.MARGIN, theme.GRID, theme.MARGIN, theme.MARGIN)
        column.addStretch(1)
        content.setLayout(column)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(content)
        self.setLayout(lines(scroll, margin=0))
        bar = scroll.verticalScrollBar().sizeHint().width()
        self.setMinimumWidth(max(LEAST_WIDTH, content.minimumSizeHint().width() + bar))

    def _wire(self) -> None:
        self.start_button.clicked.connect(self.start_or_stop)
        self.step_button.clicked.connect(self.step)
        self.continue_button.clicked.connect(self.continue_)
        self.corpus_list.sampleAsked.connect(self.train_sample)
        self.form.changed.connect(self._form_changed)
        self._corpus.changed.connect(self._corpus_changed)
        self._corpus.failed.connect(self.failed)
        self._training.phaseChanged.connect(lambda _: self._show_buttons())
        self._training.offerChanged.connect(self._show_buttons)
        self._training.finished.connect(self._show_problems)
        self._training.failed.connect(self.failed)

    @property
    def can_start(self) -> bool:
        """Whether Start would do something."""
        corpus = self._corpus.corpus
        found = corpus is not None and bool(corpus.files)
        return found and not self._training.running and not self.form.problem

    @property
    def offer(self) -> Offer:
        """What Continue would do."""
        return self._training.offer(self.form.values())

    def start_or_stop(self) -> None:
        """What the big button does."""
        if self._training.running:
            self._training.stop()
        else:
            self.start()

    def start(self) -> None:
        """Begin a new training."""
        if self.form.check() and self.can_start:
            self._training.start(self.form.values())

    def step(self) -> None:
        """Learn one merge."""
        if self.offer.kind or (self.form.check() and self._can_step_anew):
            self._training.step(self.form.values())

    @property
    def can_step(self) -> bool:
        """Whether Step would do something."""
        return bool(self.offer.kind) or self._can_step_anew

    @property
    def _can_step_anew(self) -> bool:
        return self.can_start and self._training.steps_anew

    def continue_(self) -> None:
        """Go on from the current table."""
        self._training.continue_(self.form.values())

    def train_sample(self) -> None:
        """Train on this Python's standard library: one click from an empty window."""
        if self._training.running:
            return
        self._start_when_found = True
        self._corpus.use_standard_library()
        self._corpus_changed()

    def _corpus_changed(self) -> None:
        self._show_problems()
        self.form.propose_hold_out(self._corpus.is_for_hold_out)
        self._show_buttons()
        if self._start_when_found and self.can_start:
            self._start_when_found = False
            self.start()

    def _form_changed(self) -> None:
        self._corpus.set_reading(**self.form.reading())
        self._show_buttons()

    def _show_buttons(self) -> None:
        running = self._training.running
        self.form.follow(self._training.followed if running else None)
        offer = self.offer
        self._show_offer(offer)
        self._keep_focus(running)
        self.start_button.setText("Stop" if running else "Start")
        self.start_button.setAccessibleName("Stop training" if running else "Start training")
        self.start_button.setToolTip(
            "Stop and keep what is learned (Esc)" if running else "Train a new table (F5)"
        )
        self.start_button.set_icon("stop" if running else "play")
        self.start_button.setEnabled(
            self.can_start or (running and self._training.phase != "stopping")
        )
        self.step_button.setEnabled(bool(offer.kind) or self._can_step_anew)
        self.continue_button.setEnabled(bool(offer.kind))
        self._give_focus_back(running)
        self.form.setEnabled(not running)
        self.corpus_list.setEnabled(not running)

    def _show_offer(self, offer: Offer) -> None:
        """Say what Continue would do; in sight only where there is a corpus to go on with."""
        corpus = self._corpus.corpus
        possible = corpus is not None and bool(corpus.files) and self._training.has_table
        self.offer_words.setText(offer.sentence)
        self.offer_words.setVisible(possible and not self._training.running)
        self.continue_button.setToolTip(f"{offer.sentence} (F8)".strip())
        more = "Learn one merge more" if offer.kind else "Learn the first merge of a new table"
        words = more if offer.kind or self._training.steps_anew else offer.sentence
        self.step_button.setToolTip(f"{words} (F10)".strip())

    def _keep_focus(self, running: bool) -> None:
        """Qt passes the focus of a button that is disabled to whatever comes next."""
        for button in (self.step_button, self.continue_button):
            if running and button.hasFocus():
                self._focus_back = button
                self.start_button.setEnabled(True)
                self.start_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _give_focus_back(self, running: bool) -> None:
        if running or self._focus_back is None:
            return
        button, self._focus_back = self._focus_back, None
        if button.isEnabled() and self.start_button.hasFocus():
            button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_problems(self) -> None:
        problems = self._training.problems
        self.problems_fold.setVisible(bool(problems))
        self.problems_fold.set_title(f"{counted(len(problems), 'problem')} with files")
        self.problems.clear()
        for problem in problems[:PROBLEMS_SHOWN]:
            self.problems.addItem(f"{problem.label}: {problem.message}")
        if len(problems) > PROBLEMS_SHOWN:
            self.problems.addItem(
                f"… and {counted(len(problems) - PROBLEMS_SHOWN, 'more', 'more')}"
            )
