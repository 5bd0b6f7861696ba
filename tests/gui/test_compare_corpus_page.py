"""The Corpus page of Compare shows what the comparison holds, and asks for what is chosen."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bpe_studio.bpe.decoder import readable
from bpe_studio.bpe.token_counting import UseProgress
from bpe_studio.gui.models.corpus_figures import FIGURES as ALL_FIGURES
from bpe_studio.gui.models.corpus_figures import decimal
from bpe_studio.gui.models.corpus_part_rows import BARS
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.widgets.compare_corpus_page import (
    MORE_TABLES,
    OLDER_TABLES,
    ONE_TABLE,
    STOPPED,
    CompareCorpusPage,
)
from bpe_studio.gui.widgets.compare_sections import COSTLY, CURVE, CUTS, FIGURES, NOTES, PARTS
from bpe_studio.probe import PROBE_PARALLEL
from tests.gui.plain_comparison import plain_comparison
from tests.gui.small_tables import PROSE, small_tokenizer


class Bench:
    """The page with three tables, of which two are compared."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.tables, self.corpus = OpenTables(), CorpusState()
        self.asked: list[tuple[OpenTable, OpenTable]] = []
        self.page = CompareCorpusPage(
            tables=self.tables, corpus=self.corpus, compare=plain_comparison
        )
        self.page.sidesAsked.connect(lambda a, b: self.asked.append((a, b)))
        qtbot.addWidget(self.page)
        self.page.resize(560, 420)
        self.a, self.b, self.c = (
            self.tables.add(OpenTable(tokenizer=small_tokenizer(PROSE * 3, merges), name=name))
            for name, merges in (("first", 40), ("second", 20), ("third", 5))
        )

    def look(self) -> None:
        self.page.show()
        self.page.set_sides(self.a, self.b)
        self.settle()

    def settle(self) -> None:
        done = self.page.comparing
        self.qtbot.waitUntil(lambda: done.answered and not self.page.running, timeout=60_000)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    made = Bench(qtbot)
    made.look()
    return made


def cell(view: Any, row: int, title: str) -> str:
    titles = [column.title for column in view.model().columns]
    return view.model().index(row, titles.index(title)).data()


def test_figures_of_all_tables_and_of_the_two(bench: Bench) -> None:
    found, figures = bench.page.result.comparison, bench.page.sections.figures
    listed = figures.list
    assert [cell(listed, row, "Table") for row in range(3)] == ["first", "second", "third"]
    assert [cell(listed, row, "Side") for row in range(3)] == ["A", "B", ""]
    for row, table in enumerate(found.tables):
        assert cell(listed, row, "Tokens") == grouped(table.tokens)
        per = decimal(found.characters / table.tokens, 2)
        assert cell(listed, row, "Chars/token") == per
    assert cell(listed, 0, "Against A") == "0.0 %"
    more = 100 * (found.tables[1].tokens / found.tables[0].tokens - 1)
    assert cell(figures.view, 1, "B against A") == f"+{more:.1f} %"
    assert cell(figures.view, 1, "B") == grouped(found.tables[1].tokens)
    assert bench.page.headline.text().startswith(f"second needs {more:.2f} % more tokens than")


def test_the_list_sorts_by_a_figure(bench: Bench) -> None:
    listed = bench.page.sections.figures.list
    titles = [column.title for column in listed.model().columns]
    listed.sortByColumn(titles.index("Vocabulary"), Qt.SortOrder.AscendingOrder)
    assert [cell(listed, row, "Table") for row in range(3)] == ["third", "second", "first"]


def test_a_row_becomes_a_or_b(bench: Bench) -> None:
    listed = bench.page.sections.figures.list
    listed.selectRow(2)
    QTest.keyClick(listed, Qt.Key.Key_B)
    QTest.keyClick(listed, Qt.Key.Key_A)
    listed.activated.emit(listed.currentIndex())
    assert bench.asked == [(bench.a, bench.c), (bench.c, bench.b), (bench.a, bench.c)]
    listed.selectRow(0)
    QTest.keyClick(listed, Qt.Key.Key_B)  # A is to be B: they change places
    assert bench.asked[-1] == (bench.b, bench.a)
    QTest.keyClick(listed, Qt.Key.Key_A)  # it is
    assert len(bench.asked) == 4


def test_the_space_bar_lets_a_table_take_part_or_not(bench: Bench) -> None:
    listed = bench.page.sections.figures.list
    check = Qt.ItemDataRole.CheckStateRole
    listed.selectRow(2)
    QTest.keyClick(listed, Qt.Key.Key_Space)
    assert not bench.page.comparing.takes_part(bench.c)
    assert listed.model().index(2, 0).data(check) == Qt.CheckState.Unchecked
    listed.selectRow(0)
    QTest.keyClick(listed, Qt.Key.Key_Space)  # A always does
    assert listed.model().index(0, 0).data(check) == Qt.CheckState.Checked


def test_a_click_into_the_box_does_so_too(bench: Bench) -> None:
    listed = bench.page.sections.figures.list
    box = listed.visualRect(listed.model().index(2, 0))
    QTest.mouseClick(
        listed.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(box.left() + 12, box.center().y())
    )
    assert not bench.page.comparing.takes_part(bench.c)


def test_parts_by_kind_script_and_file(bench: Bench) -> None:
    found, parts = bench.page.result.comparison, bench.page.sections.parts
    bench.page.show_section(PARTS)
    assert parts.model.rowCount() == len(found.kinds())
    kind = found.kinds()[0]
    assert cell(parts.view, 0, "Kind") == kind.kind
    assert cell(parts.view, 0, "Tokens B") == grouped(kind.tokens[1])
    assert cell(parts.view, 0, "A") == decimal(kind.characters / kind.tokens[0], 2)
    parts.choose("script")
    assert parts.model.rowCount() == 2
    parts.choose("file")
    assert parts.model.rowCount() == len(found.files)
    lengths = [parts._lengths(row) for row in range(parts.model.rowCount())]
    assert max(max(pair) for pair in lengths) == 1.0
    assert not parts.view.isColumnHidden(BARS)


def test_parity_is_told_against_the_reference(bench: Bench) -> None:
    found, parts = bench.page.result.comparison, bench.page.sections.parts
    bench.page.show_section(PARTS)
    parts.choose("parity")
    assert parts.parts.names == PROBE_PARALLEL
    assert [cell(parts.view, 0, side) for side in "AB"] == ["1.00×", "1.00×"]
    german = found.files.index("German.txt")
    for side in (0, 1):
        share = found.parity(side)[german]
        assert cell(parts.view, 1, "AB"[side]) == decimal(share, 2) + "×"
    parts.reference.setCurrentIndex(parts.reference.findText("German.txt"))
    parts.reference.activated.emit(1)
    assert cell(parts.view, 1, "A") == "1.00×"


def test_equal_size_is_a_switch(bench: Bench) -> None:
    sections, found = bench.page.sections, bench.page.result.comparison
    assert sections.equal.isEnabled()
    sections.equal.setChecked(True)
    title = f"Both at {grouped(found.equal.vocab_size)} tokens"
    assert sections.figures.model.columns[0].title == title
    assert cell(sections.figures.view, 1, "A") == grouped(found.equal.a.tokens)
    sections.show_section(NOTES)
    assert not sections.equal.isVisible()


def test_the_headline_tells_of_equal_size_where_figures_are_of_it(bench: Bench) -> None:
    page, found = bench.page, bench.page.result.comparison
    page.sections.equal.setChecked(True)
    assert f"both at {grouped(found.equal.vocab_size)} ids" in page.headline.text()
    page.show_section(COSTLY)
    assert "both at" not in page.headline.text()


def test_a_dear_piece_can_be_explained_and_copied(bench: Bench) -> None:
    page, found = bench.page, bench.page.result.comparison
    page.show_section(COSTLY)
    costly = page.sections.costly
    costly.switch.button(1).click()
    piece = found.dearer_b[0]
    assert cell(costly.view, 0, "Piece") == readable(piece.data)
    assert cell(costly.view, 0, "Lost") == grouped(-piece.lost)
    text = piece.data.decode()
    with bench.qtbot.waitSignal(page.spanChosen) as told:
        costly.view.selectRow(0)
    assert told.args == [text, 0, len(text)]
    costly.copy()
    assert QGuiApplication.clipboard().text() == text


def test_cuts_of_numbers_and_notes(bench: Bench) -> None:
    sections = bench.page.sections
    bench.page.show_section(CUTS)
    numbers = sections.cuts.numbers.model
    assert numbers.rowCount() == 8
    assert numbers.index(3, 2).data() == "2·0·2·6"  # these tables know no digits
    assert sections.cuts.spans.model.rowCount() == len(bench.page.result.comparison.spans)
    assert "counted plainly" in sections.notes.notes.text()


def test_a_table_beside_itself_is_not_compared(bench: Bench) -> None:
    bench.page.set_sides(bench.a, bench.a)
    assert bench.page.headline.text() == ONE_TABLE
    assert not bench.page.compare_button.isEnabled()
    bench.page.set_sides(bench.a, bench.b)
    assert bench.page.headline.text().startswith("second needs")


def test_the_curves_are_read_at_equal_size_and_at_the_cross_hair(bench: Bench) -> None:
    page, found = bench.page, bench.page.result.comparison
    curves = page.sections.curves
    page.show_section(CURVE)
    per = [decimal(found.characters / side.tokens, 2) for side in (found.equal.a, found.equal.b)]
    assert curves.key.words[:2] == [f"A first {per[0]}", f"B second {per[1]}"]
    assert curves.key.words[2] == f"at {found.equal.vocab_size} tokens"
    QTest.keyClick(curves.plot, Qt.Key.Key_End)  # the size of A alone
    whole = decimal(found.characters / found.tables[0].tokens, 2)
    assert curves.key.words[:2] == [f"A first {whole}", "B second –"]
    QTest.keyClick(curves.plot, Qt.Key.Key_Home)
    assert curves.key.words[2] == f"at {found.tables[0].curve.vocab_sizes[0]} tokens"


def test_a_table_without_a_curve_is_a_point(bench: Bench) -> None:
    page = bench.page
    curves, result = page.sections.curves, page.result
    a, b, *rest = result.comparison.tables
    without = replace(result.comparison, tables=(a, replace(b, curve=None), *rest))
    curves.show_compared(replace(result, comparison=without))
    assert "second has no curve" in curves.remark.text()
    sides = (*result.comparison.tables[:2], without.equal.a, without.equal.b)
    drawn = [(round(10 ** spot["x"]), spot["y"]) for spot in curves.plot._whole.data]
    expected = [(side.vocab_size, without.characters / side.tokens) for side in sides]
    assert drawn == expected
    without = replace(without, tables=(replace(a, curve=None), replace(b, curve=None), *rest))
    curves.show_compared(replace(result, comparison=without))
    assert curves.views.currentIndex() == 1


def test_a_corpus_waits_to_be_asked_for(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text(PROSE)
    page = bench.page
    page.source.choose_paths([tmp_path])
    assert page.compare_button.isEnabled()
    assert "probe" in page.headline.text()  # the result stays until another
    page.compare_button.click()
    bench.settle()
    assert not page.compare_button.isEnabled()
    assert page.result.comparison.files == ("one.txt",)
    page.set_sides(bench.a, bench.c)
    assert page.notice.label.text().startswith("These figures are of first and second")
    assert page.notice.isVisible() and page.result.tables == (bench.a, bench.b)
    page.notice.action_button.click()
    bench.settle()
    assert page.result.tables == (bench.a, bench.c) and not page.notice.isVisible()
    bench.tables.set_tokenizer(bench.c, small_tokenizer(PROSE * 3, 7))
    assert page.notice.label.text() == OLDER_TABLES
    page.compare()
    bench.settle()
    page.comparing.set_part(bench.b, True)
    assert page.notice.label.text() == MORE_TABLES


def test_without_files_in_the_corpus_panel_it_asks_for_files(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(bench.page.source, "ask_files", lambda: asked.append(True))
    bench.page.compare_corpus()
    assert asked == [True]


def test_why_a_comparison_failed_is_told(qtbot: QtBot) -> None:
    bench = Bench(qtbot)

    def refuse(*_: Any, **__: Any) -> Generator[Any]:
        raise ValueError("It can only be viewed.")
        yield

    bench.page.comparing._compare = refuse
    bench.page.show()
    bench.page.set_sides(bench.a, bench.b)
    qtbot.waitUntil(bench.page.notice.isVisible, timeout=60_000)
    assert bench.page.notice.label.text() == "It can only be viewed."
    assert bench.page.sections.section == FIGURES
    assert not bench.page.sections.switch.button(PARTS).isEnabled()


def test_a_dear_piece_is_asked_of_the_table_that_it_costs_more(bench: Bench) -> None:
    costly = bench.page.sections.costly
    costly.switch.choose(1)
    assert costly.pieces
    bench.tables.set_current(bench.c)
    with bench.qtbot.waitSignal(bench.page.spanChosen):
        costly.view.selectRow(0)
    assert bench.tables.current is bench.b


def test_shares_differ_by_points(bench: Bench) -> None:
    found, view = bench.page.result.comparison, bench.page.sections.figures.view
    shares = [table.whole_words / found.words for table in found.tables[:2]]
    row = next(i for i, figure in enumerate(ALL_FIGURES) if figure.share)
    assert cell(view, row, "B against A").endswith(" points")
    told = float(cell(view, row, "B against A").split()[0].replace("−", "-"))
    assert told == pytest.approx(100 * (shares[1] - shares[0]), abs=0.051)


def test_that_it_was_stopped_is_told(bench: Bench, tmp_path: Path) -> None:
    def endless(*_: Any, **__: Any) -> Generator[UseProgress]:
        while True:
            time.sleep(0.001)
            yield UseProgress(1, 0)

    (tmp_path / "one.txt").write_text(PROSE)
    bench.page.comparing._compare = endless
    bench.page.compare_paths([tmp_path / "one.txt"])
    assert bench.page.running and not bench.page.compare_button.isEnabled()
    bench.page.stop()
    bench.qtbot.waitUntil(lambda: not bench.page.running)
    told = bench.page.notice.label.text()
    assert told.startswith(STOPPED) and "probe" in told
