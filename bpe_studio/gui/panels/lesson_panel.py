"""The Lesson panel: byte-pair encoding of a small text, a merge at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from bpe_studio.bpe.lesson import TOY_CORPUS
from bpe_studio.gui import theme
from bpe_studio.gui.state.lesson_run import LessonRun
from bpe_studio.gui.state.open_tables import OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.widgets.basics import Button
from bpe_studio.gui.widgets.lesson_controls import LessonControls
from bpe_studio.gui.widgets.lesson_export import LessonExport
from bpe_studio.gui.widgets.lesson_questions import LessonQuestions
from bpe_studio.gui.widgets.lesson_score import LessonScore
from bpe_studio.gui.widgets.lesson_setup import LessonSetup
from bpe_studio.gui.widgets.lesson_stage import LessonStage
from bpe_studio.gui.widgets.notice import NoticeBar

PAGES = ("Steps", "Units", "Traps")
ROOMY = QSize(760, 560)  # from here on, type grows with the room
MORE, MOST_LARGER = 9, 10  # points
HARMLESS = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier


class LessonPanel(QWidget):
    """Steps of a lesson, units side by side, and traps.

    Signals
    -------
    told(str)
        Something was done, for the status bar.
    """

    title = "Lesson"
    told = Signal(str)

    def __init__(
        self,
        *,
        tables: OpenTables,
        selection: Selection,
        ready: threading.Event | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("lessonPanel")
        self._tables = tables
        self._place = 0
        self.run = LessonRun(self)
        self.questions = LessonQuestions(
            run=self.run, tables=tables, selection=selection, ready=ready, parent=self
        )
        self.units, self.traps = self.questions.units, self.questions.traps
        self._build()
        self._wire()
        self._on_changed()
        self.show_page(0)

    # Construction

    def _build(self) -> None:
        self.setup = LessonSetup(self.run.text, self.run.rules)
        self.page_buttons = [Button(name, look="quiet") for name in PAGES]
        self._page_group = QButtonGroup(self)
        for number, button in enumerate(self.page_buttons):
            button.setCheckable(True)
            self._page_group.addButton(button, number)
        self.page_buttons[0].setChecked(True)
        self.export_button = Button("Export", look="quiet", tip="Steps as text, pictures, a table")
        self.export = LessonExport(panel=self, run=self.run, tables=self._tables)
        self.export_button.setMenu(self.export.menu())
        self.stage = LessonStage()
        self.pane = self.stage.cells
        self.controls, self.score = LessonControls(), LessonScore()
        self.notice = NoticeBar()
        self.pages = QStackedWidget()
        for page in (self._steps_page(), self.units, self.traps):
            self.pages.addWidget(page)
        middle = QHBoxLayout()
        middle.setSpacing(theme.GRID)
        for button in self.page_buttons:
            middle.addWidget(button)
        middle.addStretch(1)
        middle.addWidget(self.setup.base)
        middle.addWidget(self.setup.ties)
        middle.addWidget(self.questions.chooser)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
        column.setSpacing(theme.GAP)
        top = QHBoxLayout()
        top.setSpacing(theme.GRID)
        top.addWidget(self.setup, 1)
        top.addWidget(self.export_button)
        column.addLayout(top)
        column.addLayout(middle)
        column.addWidget(self.notice)
        column.addWidget(self.pages, 1)

    def _steps_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GAP)
        column.addWidget(self.stage, 1)
        column.addWidget(self.controls)
        column.addWidget(self.score)
        return page

    def _wire(self) -> None:
        run = self.run
        self.setup.textChosen.connect(run.set_text)
        self.setup.ended.connect(lambda: self.pane.setFocus(Qt.FocusReason.OtherFocusReason))
        self.setup.baseChosen.connect(lambda base: run.set_rules(base=base))
        self.setup.tiesChosen.connect(lambda ties: run.set_rules(ties=ties))
        self.stage.empty.asked.connect(lambda: self.setup.choose_text(TOY_CORPUS))
        controls = self.controls
        for signal, done in (
            (controls.mergeAsked, self.merge),
            (controls.backAsked, run.back),
            (controls.playAsked, run.toggle),
            (controls.resetAsked, run.reset),
            (controls.endAsked, run.run_to_end),
        ):
            signal.connect(done)
            signal.connect(lambda: self.pane.setFocus(Qt.FocusReason.OtherFocusReason))
        controls.speedChosen.connect(run.set_speed)
        run.changed.connect(self._on_changed)
        self.stage.cells.installEventFilter(self)
        run.playingChanged.connect(lambda _: self._show_controls())
        self._page_group.idClicked.connect(self.show_page)
        self.export.told.connect(self.told)
        self.export.failed.connect(self.notice.tell)

    # The lesson

    def merge(self) -> None:
        """Merge the marked pair, and stop playing."""
        self.run.pause()
        self.run.step()

    def faster(self, steps: int = 1) -> None:
        """Play faster, or slower."""
        self.controls.speed.setValue(self.controls.speed.value() + steps)

    def enlarge(self, steps: int = 1) -> None:
        """Larger type, or smaller; 0 for the size at first."""
        self.stage.set_zoom(self.stage.zoom + steps if steps else 0)
        self._fit_type()

    def _fit_type(self) -> None:
        """Units and traps, too, are read from the last row of a room, where there is room."""
        room = min(self.width() / ROOMY.width(), self.height() / ROOMY.height())
        larger = min(max(round((room - 1) * MORE), 0), MOST_LARGER) + self.stage.zoom
        for page in (self.units, self.traps):
            page.set_larger(larger)

    def _on_changed(self) -> None:
        place, lesson = self.run.place, self.run.lesson
        self.stage.show_lesson(lesson, error=self.run.error, stepped=place == self._place + 1)
        self._place = place
        self.score.show_lesson(lesson)
        self.setup.show_error(self.run.error if self.run.text else "")
        self._show_controls()

    def _show_controls(self) -> None:
        run = self.run
        self.controls.show_place(
            place=run.place,
            at_end=run.at_end,
            playing=run.playing,
            possible=run.lesson is not None,
        )
        self.export_button.setEnabled(run.lesson is not None)

    # Units and traps

    def show_page(self, number: int) -> None:
        """Steps, units or traps."""
        self.page_buttons[number].setChecked(True)
        self.pages.setCurrentIndex(number)
        for widget in (self.setup.base, self.setup.ties):
            widget.setVisible(number == 0)
        self.questions.chooser.setVisible(number > 0)
        self.pane = (self.stage.cells, self.units.word, self.traps.buttons[self.traps.key])[number]
        if number:
            self.run.pause()
            self.questions.ask()
        if self.isVisible():
            self.pane.setFocus(Qt.FocusReason.OtherFocusReason)

    # Qt's questions

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.questions.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_type()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The rows have the keys; where they scroll, their area would take Left and Right."""
        if event.type() == QEvent.Type.KeyPress and self._done(event, self._step_keys()):
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.pages.currentIndex() != 2 or not self._done(event, self._trap_keys()):
            super().keyPressEvent(event)

    def _done(self, event: QKeyEvent, keys: Mapping[int, Callable[[], None]]) -> bool:
        done = keys.get(event.key())
        plain = not event.modifiers() & ~HARMLESS
        if done is not None and plain:
            done()
        return done is not None and plain

    def _step_keys(self) -> dict[int, Callable[[], None]]:
        keys, run = Qt.Key, self.run
        return {
            keys.Key_Space: self.merge,
            keys.Key_Right: self.merge,
            keys.Key_Left: run.back,
            keys.Key_Home: run.reset,
            keys.Key_End: run.run_to_end,
            keys.Key_P: run.toggle,
            keys.Key_Plus: self.faster,
            keys.Key_Minus: partial(self.faster, -1),
        }

    def _trap_keys(self) -> dict[int, Callable[[], None]]:
        return {
            Qt.Key.Key_1 + place: partial(self.traps.choose, name)
            for place, name in enumerate(self.traps.buttons)
        }
