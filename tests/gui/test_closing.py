"""Leaving nothing running."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from bpe_studio.gui.closing import Closing
from bpe_studio.gui.job import Job
from bpe_studio.gui.saving import Saving
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.kernels import KernelState
from bpe_studio.gui.state.open_tables import OpenTables
from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.state.training import TrainingState


@pytest.fixture
def closing(qtbot: QtBot, tmp_path: object) -> Closing:
    window = QWidget()
    qtbot.addWidget(window)
    corpus, tables = CorpusState(window), OpenTables(window)
    training = TrainingState(
        corpus=corpus, tables=tables, kernels=KernelState(window), parent=window
    )
    saving = Saving(window=window, tables=tables, store=SettingsStore(tmp_path))
    return Closing(window=window, saving=saving, training=training)


def slow() -> Iterator[int]:
    for number in range(10_000):
        time.sleep(0.01)
        yield number


def test_every_job_of_the_owners_ends(closing: Closing) -> None:
    owners = [QObject(), QObject()]
    jobs = [Job(slow(), owner) for owner in owners for _ in range(2)]
    assert closing.end_all(*owners)  # they would run for minutes
    assert not any(job.running for job in jobs)


def test_a_job_that_does_not_listen_is_not_waited_for_for_ever(
    closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bpe_studio.gui import closing as module

    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.05)

    def deaf() -> Iterator[int]:
        time.sleep(1)
        yield 1

    owner = QObject()
    Job(deaf(), owner)
    assert not closing.end_all(owner)
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 60)
    assert not closing.end_all(owner)  # it has been waited for


def test_nothing_to_ask_means_yes(closing: Closing) -> None:
    assert closing.may_close()


@pytest.mark.parametrize("stops", [True, False])
def test_the_question_while_a_training_runs(
    closing: Closing, monkeypatch: pytest.MonkeyPatch, stops: bool
) -> None:
    def pressed(box: QMessageBox) -> int:
        box.setProperty("pressed", box.buttons()[0 if stops else 1])
        return 0

    monkeypatch.setattr(QMessageBox, "exec", pressed)
    monkeypatch.setattr(QMessageBox, "clickedButton", lambda box: box.property("pressed"))
    assert closing._ask_to_stop() is stops
