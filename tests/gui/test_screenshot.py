"""A picture of the window."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from bpe_studio import api, formats
from bpe_studio.bpe.lesson import Lesson
from bpe_studio.gui.screenshot import MERGES_SHOWN, screenshot
from bpe_studio.gui.widgets.elided_label import SteadyLabel
from bpe_studio.gui.widgets.lesson_score import LessonScore
from tests.gui.small_tables import small_tokenizer


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "small.json"
    api.save(replace(small_tokenizer(), training=None), path)
    return path


@pytest.mark.parametrize("theme_name", ["light", "dark"])
def test_size_theme_and_content(
    qapp: QApplication, tmp_path: Path, table: Path, theme_name: str
) -> None:
    text = tmp_path / "a.txt"
    text.write_text("the lowest")
    out = screenshot(
        tmp_path / "a.png", [table], text, "merges", (1024, 700), theme_name=theme_name
    )
    image = QImage(str(out))
    assert (image.width(), image.height()) == (1024, 700)
    assert (image.pixelColor(2, 690).lightness() < 128) is (theme_name == "dark")
    other = screenshot(tmp_path / "b.png", [], text, "text", (1024, 700), theme_name=theme_name)
    assert QImage(str(other)) != image


def test_a_lesson_is_shown_some_steps_in(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[int] = []
    monkeypatch.setattr(LessonScore, "show_lesson", lambda _, lesson: places.append(place(lesson)))
    screenshot(tmp_path / "a.png", panel="lesson")
    assert places[0] == 0 and places[-1] == MERGES_SHOWN > 1


def place(lesson: Lesson) -> int:
    return len(lesson.state.merges)


def test_an_unknown_panel_is_refused_with_the_names(qapp: QApplication, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no panel 'x'.*text, lesson, compare, health"):
        screenshot(tmp_path / "a.png", panel="x")


def test_a_second_table_is_compared_with_the_first(
    qapp: QApplication, tmp_path: Path, table: Path
) -> None:
    other = formats.find_table("worked-example")
    one = screenshot(tmp_path / "a.png", [table], None, "compare", (1100, 760))
    two = screenshot(tmp_path / "b.png", [table, other], None, "compare", (1100, 760))
    assert QImage(str(one)) != QImage(str(two))


def test_a_size_below_the_least_is_refused(qapp: QApplication, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot be 300x200; the least is [0-9]+x[0-9]+\.$"):
        screenshot(tmp_path / "a.png", size=(300, 200))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("data", "message"), [(None, "x cannot be read: there is no"), (b"\0\1", "x is a binary file")]
)
def test_a_text_that_is_none_is_refused(
    qapp: QApplication, tmp_path: Path, data: bytes | None, message: str
) -> None:
    if data is not None:
        (tmp_path / "x").write_bytes(data)
    with pytest.raises((ValueError, OSError), match=message):
        screenshot(tmp_path / "a.png", text=tmp_path / "x")
    assert not (tmp_path / "a.png").exists()


def test_a_place_that_cannot_be_written_is_refused(qapp: QApplication, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"a\.png"):
        screenshot(tmp_path / "none" / "a.png")


def test_a_span_is_selected_and_explain_begins_where_that_is_asked(
    qapp: QApplication, tmp_path: Path, table: Path
) -> None:
    text = tmp_path / "a.txt"
    text.write_text("the lowest lower")
    how = [[table], text, "explain", (1024, 760)]
    pictures = [
        QImage(str(screenshot(tmp_path / f"{number}.png", *how, select=span, view=view)))
        for number, (span, view) in enumerate(
            [((4, 10), None), ((3, 10), None), ((4, 10), "tree"), ((4, 10), "steps")]
        )
    ]
    for place, one in enumerate(pictures):
        assert all(one != other for other in pictures[:place])
    with pytest.raises(ValueError, match=r"4:17 is not in the text, which has 16 characters"):
        screenshot(tmp_path / "x.png", *how, select=(4, 17))


def test_the_slider_stands_at_a_size(
    qapp: QApplication, tmp_path: Path, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, figures = tmp_path / "a.txt", []
    text.write_text("the lowest")
    show = SteadyLabel.setText
    monkeypatch.setattr(
        SteadyLabel, "setText", lambda label, words: (figures.append(words), show(label, words))
    )
    screenshot(tmp_path / "a.png", [table], text, vocab_size=270)
    tokens = len(small_tokenizer().prefix(270 - 259).encode("the lowest"))
    assert f"size 270 of 287  ·  {tokens} tokens" in figures[-2] + figures[-1]
    with pytest.raises(ValueError, match="259 to 287 tokens, not of 9,000"):
        screenshot(tmp_path / "a.png", [table], text, vocab_size=9000)


def test_health_checks_a_corpus_and_shows_a_page(
    qapp: QApplication, tmp_path: Path, table: Path
) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "a.txt").write_text("the lowest lower " * 40)
    how = [[table], None, "health", (1024, 760)]
    pictures = [
        QImage(str(screenshot(tmp_path / f"{page}.png", *how, corpus=corpus, page=page)))
        for page, corpus in (("table", ()), ("corpus", [tmp_path / "corpus"]), ("plots", ()))
    ]
    assert all(one != other for one, other in combinations(pictures, 2))
    with pytest.raises(ValueError, match="Health has no table to check"):
        screenshot(tmp_path / "x.png", panel="health", page="plots")


def test_compare_shows_a_page_and_reads_a_corpus(
    qapp: QApplication, tmp_path: Path, table: Path
) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "a.txt").write_text("the lowest of them all " * 9)
    other = tmp_path / "other.json"
    api.save(replace(small_tokenizer(merges=12), training=None), other)
    how = [[table, other], None, "compare", (1024, 760)]
    pictures = [
        QImage(str(screenshot(tmp_path / f"{page}.png", *how, corpus=corpus, page=page)))
        for page, corpus in (("tables", ()), ("corpus", [tmp_path / "corpus"]), ("plots", ()))
    ]
    assert all(one != other for one, other in combinations(pictures, 2))
    with pytest.raises(ValueError, match="its pages are tables, plots, text, corpus"):
        screenshot(tmp_path / "x.png", *how, page="change")
    with pytest.raises(ValueError, match="no two tables"):
        screenshot(tmp_path / "x.png", [table], None, "compare", page="plots")
