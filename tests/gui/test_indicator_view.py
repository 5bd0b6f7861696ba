"""The page of embeddings: opening, judging, choosing tokens, failing and forgetting."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.flags import flag
from bpe_studio.analysis.undertrained import UnderTrained
from bpe_studio.gui import theme
from bpe_studio.gui.models.indicator_rows import EmbeddingChoice
from bpe_studio.gui.widgets.indicator_view import IndicatorView
from tests.analysis.made_matrices import made_rows, made_tokenizer
from tests.formats.tensor_files import file_of

TOKENS, ROWS, COLUMNS = 600, 640, 24
PLANTED = [300, 411, 599]
UNTRAINED = [*PLANTED, 0xC0, 0xC1, *range(0xF5, 0x100), *range(TOKENS + 1, ROWS)]
TOKENIZER = made_tokenizer(TOKENS)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.safetensors"
    tensors = {
        "model.embed_tokens.weight": (made_rows(ROWS, COLUMNS, UNTRAINED, 1), "F32"),
        "lm_head.weight": (made_rows(ROWS, COLUMNS, UNTRAINED, 2), "F32"),
    }
    path.write_bytes(file_of(tensors))
    return path


@pytest.fixture
def view(qtbot: QtBot) -> IndicatorView:
    made = IndicatorView()
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    return made


def judged(qtbot: QtBot, view: IndicatorView, file: Path) -> UnderTrained:
    view.set_table(TOKENIZER, "made")
    with qtbot.waitSignal(view.found, timeout=10_000) as told:
        view.open(EmbeddingChoice(file))
    qtbot.waitUntil(lambda: not view.running)
    found = told.args[0]
    assert found is view.undertrained
    return found


def test_empty_states_teach(view: IndicatorView) -> None:
    assert view.empty.sentence.text().startswith("Open a table first")
    assert not view.empty.button.isVisible()
    view.set_table(TOKENIZER, "made")
    assert view.empty.button.text() == "Open embeddings…"
    assert "model.safetensors" in view.empty.sentence.text()


def test_the_dialog_opens_what_is_chosen(
    qtbot: QtBot, view: IndicatorView, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []

    def choose(_parent: object, *words: str) -> tuple[str, str]:
        asked.append(words)
        return str(file), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    view.ask_open()
    assert not asked
    view.set_table(TOKENIZER)
    with qtbot.waitSignal(view.found, timeout=10_000):
        qtbot.mouseClick(view.empty.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not view.running)
    assert view.folder == str(file.parent)
    assert "*.safetensors" in asked[0][2] and "*.index.json" in asked[0][2]


def test_what_is_found_is_said_and_listed(qtbot: QtBot, view: IndicatorView, file: Path) -> None:
    found = judged(qtbot, view, file)
    page = view.page
    assert view.pages.currentWidget() is page
    assert page.matrices.text() == (
        "model.embed_tokens.weight and lm_head.weight, untied · F32 · 640 × 24 · compared with 52 "
        "reference rows: 38 rows beyond the vocabulary, 1 reserved or unused tokens and 13 bytes "
        "that no UTF-8 text has"
    )
    assert page.confidence.text() == found.confidence
    assert page.confidence.property("role") == "warning"
    model = page.table.model
    assert model.rowCount() == len(found.candidates)
    top = {model.index(row, 1).data() for row in range(3)}
    assert top == {str(token) for token in PLANTED}
    assert model.index(0, 2).data() == "5 of 5"


def test_choosing_a_row_or_a_point_tells_and_marks_it(
    qtbot: QtBot, view: IndicatorView, file: Path
) -> None:
    found = judged(qtbot, view, file)
    table, plot = view.page.table.table, view.page.plot
    with qtbot.waitSignal(view.tokenChosen) as told:
        table.selectRow(1)
    token = int(found.candidates[1])
    assert told.args == [token]
    x, y = (found.indicator(name).values for name in ("input-norm", "output-cosine"))
    place = found.index(token)
    assert place is not None
    at = plot._ring.getData()
    assert at[0][0] in (x[place], np.log10(x[place]))
    box = plot.getPlotItem().getViewBox()
    qtbot.waitExposed(plot)
    box.updateAutoRange()
    other = found.index(int(found.candidates[0]))
    assert other is not None
    scene = box.mapViewToScene(QPointF(plot._x[other], plot._y[other]))
    near = plot.place_at(scene)
    far = np.hypot(*((np.array([plot._x, plot._y]).T - [plot._x[other], plot._y[other]]).T))
    assert far[near] == 0
    with qtbot.waitSignal(view.tokenChosen) as told:
        qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.mapFromScene(scene))
    assert found.index(told.args[0]) is not None
    assert y[other] == found.indicator("output-cosine").values[other]


def test_a_token_of_elsewhere_is_followed_quietly(
    qtbot: QtBot, view: IndicatorView, file: Path
) -> None:
    found = judged(qtbot, view, file)
    with qtbot.assertNotEmitted(view.tokenChosen):
        view.follow(int(found.candidates[2]))
        assert view.page.table.table.currentIndex().row() == 2
        view.follow(None)
        assert not view.page.table.table.currentIndex().isValid()
        view.follow(10**6)


def test_axes_can_be_changed_and_stay(qtbot: QtBot, view: IndicatorView, file: Path) -> None:
    found = judged(qtbot, view, file)
    combo = view.page.y_combo
    assert [combo.itemData(row) for row in range(combo.count())] == [
        indicator.name for indicator in found.indicators
    ]
    combo.setCurrentIndex(4)
    values = found.indicator("output-distance").values
    assert any(np.allclose(view.page.plot._y, made) for made in (values, np.log10(values)))
    with qtbot.waitSignal(view.found, timeout=10_000):
        view.open(EmbeddingChoice(file))
    assert combo.currentData() == "output-distance"


def test_pointing_reads_out(qtbot: QtBot, view: IndicatorView, file: Path) -> None:
    found = judged(qtbot, view, file)
    view.page.plot.pointed.emit(found.index(300))
    norm = found.indicator("input-norm").values[300]
    words = view.page.point.text()
    assert words.startswith(f"w300 · id 300 · input norm {norm:.4g} · cosine distance ")
    view.page.plot.pointed.emit(-1)
    assert view.page.point.text().startswith("Filled: most indicators agree.")


def test_flags_of_a_check_are_told_beside(qtbot: QtBot, view: IndicatorView, file: Path) -> None:
    judged(qtbot, view, file)
    flags = [flag(300, "unreachable", "It is."), flag(300, "under-trained", "It is.")]
    with qtbot.assertNotEmitted(view.found):
        view.show_flags(flags)
        qtbot.waitUntil(lambda: not view.running)
    model = view.page.table.model
    sorts = {model.index(r, 1).data(): model.index(r, 4).data() for r in range(model.rowCount())}
    assert sorts["300"] == "Unreachable" and sorts["411"] == "–"


def test_flags_that_come_while_it_judges_are_told_too(
    qtbot: QtBot, view: IndicatorView, file: Path
) -> None:
    view.set_table(TOKENIZER)
    view.open(EmbeddingChoice(file))
    view.show_flags([flag(300, "rare", "It is.")])
    model = view.page.table.model
    qtbot.waitUntil(
        lambda: "Rare" in [model.index(row, 4).data() for row in range(model.rowCount())],
        timeout=10_000,
    )


def test_what_is_known_of_a_table_is_shown_again(
    qtbot: QtBot, view: IndicatorView, file: Path
) -> None:
    found = judged(qtbot, view, file)
    view.set_table(dataclasses.replace(TOKENIZER, notes=("another",)))
    with qtbot.assertNotEmitted(view.found):
        view.set_table(TOKENIZER, "made", found)
        qtbot.waitUntil(lambda: view.pages.currentWidget() is view.page)
    assert view.undertrained is found
    assert view.page.table.model.rowCount() == len(found.candidates)


def test_filtering_counts(qtbot: QtBot, view: IndicatorView, file: Path) -> None:
    found = judged(qtbot, view, file)
    view.page.table.filter_edit.setText("w411")
    qtbot.waitUntil(lambda: view.page.table.model.rowCount() == 1)
    assert view.page.table.count.text() == f"1 of {len(found.candidates)} candidates"


def test_a_failure_is_told_and_offers_what_can_be_said(
    qtbot: QtBot, view: IndicatorView, file: Path
) -> None:
    view.set_table(TOKENIZER)
    view.open(EmbeddingChoice(file, input_name="missing"))
    qtbot.waitUntil(lambda: not view.running)
    assert view.notice.isVisible()
    assert 'there is no tensor "missing"' in view.notice.label.text()
    assert view.pages.currentWidget() is view.empty and view.form.isVisible()
    view.form.input_edit.setText("lm_head.weight")
    view.form.reference_edit.setText("300, 411")
    with qtbot.waitSignal(view.found, timeout=10_000) as told:
        qtbot.mouseClick(view.form.button, Qt.MouseButton.LeftButton)
    assert told.args[0].input_name == "lm_head.weight"
    assert [sort.rows for sort in told.args[0].reference] == [(300, 411)]
    assert not view.notice.isVisible()


def test_another_table_forgets(qtbot: QtBot, view: IndicatorView, file: Path) -> None:
    judged(qtbot, view, file)
    other = dataclasses.replace(TOKENIZER, notes=("another",))
    with qtbot.waitSignal(view.found) as told:
        view.set_table(other)
    assert told.args == [None] and view.undertrained is None
    assert view.pages.currentWidget() is view.empty and not view.fold.isVisible()
    view.open(EmbeddingChoice(file))
    with qtbot.assertNotEmitted(view.found, wait=300):
        view.set_table(None)
    assert not view.running and not view.empty.button.isVisible()


def test_cancel_brings_back_what_was_there(qtbot: QtBot, view: IndicatorView, file: Path) -> None:
    found = judged(qtbot, view, file)
    view.open(EmbeddingChoice(file))
    view.cancel()
    qtbot.waitUntil(lambda: not view.running)
    assert view.undertrained is found and view.pages.currentWidget() is view.page


def test_both_themes_and_both_shapes_are_drawn(
    qtbot: QtBot, view: IndicatorView, file: Path
) -> None:
    judged(qtbot, view, file)
    assert view.page.split.orientation() == Qt.Orientation.Horizontal
    view.resize(480, 640)
    qtbot.waitUntil(lambda: view.page.split.orientation() == Qt.Orientation.Vertical)
    theme.apply(theme.QApplication.instance(), "dark")
    view.grab()
    theme.apply(theme.QApplication.instance(), "light")
