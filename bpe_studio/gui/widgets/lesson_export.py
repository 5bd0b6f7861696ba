"""What a lesson leaves: its steps as text, pictures, a table."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from bpe_studio.bpe.lesson import Lesson
from bpe_studio.bpe.lesson_table import tokenizer_of
from bpe_studio.files import write_atomic
from bpe_studio.gui.job import Job, call
from bpe_studio.gui.state.lesson_run import LessonRun
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.widgets.words import counted
from bpe_studio.reports.lesson import lesson_lines


class LessonExport(QObject):
    """Copies and saves the steps so far, saves pictures, and opens what is learned as a table.

    Signals
    -------
    told(str)
        It is done.
    failed(str)
        It could not be saved; a sentence.
    """

    told = Signal(str)
    failed = Signal(str)

    def __init__(self, *, panel: QWidget, run: LessonRun, tables: OpenTables) -> None:
        super().__init__(panel)
        self._panel = panel
        self._run = run
        self._tables = tables

    def menu(self) -> QMenu:
        """All of it, for a button."""
        menu = QMenu(self._panel)
        menu.addAction("Copy the steps as text", self.copy_steps)
        menu.addAction("Save the steps as text …", self.ask_and_save_steps)
        menu.addAction("Save a picture of the lesson …", self.ask_and_save_picture)
        menu.addAction("Save a picture of the window …", partial(self.ask_and_save_picture, True))
        menu.addSeparator()
        menu.addAction("Open as a table", self.open_as_table)
        return menu

    def copy_steps(self) -> None:
        """Put the steps so far on the clipboard."""
        if self._run.lesson is not None:
            self._work(call(steps_text, self._run.lesson)).finished.connect(self._copied)

    def ask_and_save_steps(self) -> None:
        """Ask where to save the steps so far, and save them."""
        if self._run.lesson is not None and (path := self._ask("Save the steps", "txt")):
            self.save_steps(path)

    def save_steps(self, path: Path) -> None:
        """Save the steps so far as text."""
        if self._run.lesson is not None:
            self._save(call(_save_steps, self._run.lesson, path), path)

    def ask_and_save_picture(self, whole_window: bool = False) -> None:
        """Ask where to save a picture of the lesson or of the window, and save it."""
        if path := self._ask("Save a picture", "png"):
            self.save_picture(path, whole_window=whole_window)

    def save_picture(self, path: Path, *, whole_window: bool = False) -> None:
        """Save the lesson, or the whole window, as it is on screen, as PNG."""
        data = _picture(self._panel.window() if whole_window else self._panel)
        self._save(call(write_atomic, path, data), path)

    def open_as_table(self) -> None:
        """Make what the lesson has learned the current table."""
        if self._run.lesson is None:
            return
        tokenizer = tokenizer_of(self._run.lesson)
        name = f"lesson-{tokenizer.vocab_size}"
        table = self._tables.add(OpenTable(tokenizer=tokenizer, name=name, dirty=True))
        self.told.emit(f"Opened {table.name}: Text, Merges and Explain show it.")

    def _copied(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.told.emit("The steps are copied as text.")

    def _ask(self, title: str, suffix: str) -> Path | None:
        """Where to save, with a suffix; None for nowhere."""
        suggested = f"lesson-{counted(self._run.place, 'merge').replace(' ', '-')}.{suffix}"
        chosen, _ = QFileDialog.getSaveFileName(self._panel, title, suggested, f"*.{suffix}")
        path = Path(chosen)
        return (path if path.suffix else path.with_suffix(f".{suffix}")) if chosen else None

    def _save(self, steps: object, path: Path) -> None:
        job = self._work(steps)
        job.then(self._on_saved, path)

    def _on_saved(self, _: object, path: Path) -> None:
        self.told.emit(f"Saved {path.name}.")

    def _work(self, steps: object) -> Job:
        job = Job(steps, self)
        job.failed.connect(self.failed)
        job.ended.connect(job.deleteLater)
        return job


def steps_text(lesson: Lesson) -> str:
    """Every step so far."""
    return "".join(f"{line}\n" for line in lesson_lines(lesson))


def _save_steps(lesson: Lesson, path: Path) -> None:
    write_atomic(path, steps_text(lesson).encode())


def _picture(widget: QWidget) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    widget.grab().save(buffer, "PNG")
    return bytes(buffer.data())
