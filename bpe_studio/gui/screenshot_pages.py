"""What a picture of Health or of Compare is to show: a corpus that was read, and a page."""

from __future__ import annotations

from pathlib import Path

from bpe_studio.bpe.corpus import Corpus, find_files
from bpe_studio.gui.main_window import MainWindow
from bpe_studio.gui.widgets.compare_pages import CORPUS
from bpe_studio.gui.widgets.compare_pages import PAGES as COMPARE_PAGES
from bpe_studio.gui.widgets.health_pages import PAGES


def turn(window: MainWindow, corpus: list[Path], page: str | None) -> None:
    """Read a corpus in the panel in front that has use for it, and turn to a page of it.

    Raises
    ------
    ValueError
        There is no such page, or no table.
    """
    if window.tabs.currentWidget() is window.compare:
        _compare_on(window, corpus, page)
    else:
        _check_health(window, find_files(corpus), page)


def _compare_on(window: MainWindow, corpus: list[Path], page: str | None) -> None:
    if len(window.tables) < 2:
        raise ValueError("Compare has no two tables; name two with --tokenizer.")
    pages = window.compare.pages
    if corpus:
        pages.show_page(CORPUS)
        pages.corpus.compare_paths(corpus)
    if page is not None:
        pages.show_page(_page_number(COMPARE_PAGES, page, "Compare"))


def chose_difference(window: MainWindow) -> bool:
    """Choose a difference of the text, where its page of Compare is in front."""
    page = window.compare.pages.text
    if page.isVisible():
        page.go(1)
    return bool(page.isVisible())


def _page_number(pages: tuple[tuple[str, str], ...], page: str, panel: str) -> int:
    names = [name.lower() for name, _ in pages]
    if page not in names:
        raise ValueError(f"{panel} has no page {page!r}; its pages are {', '.join(names)}.")
    return names.index(page)


def _check_health(window: MainWindow, corpus: Corpus, page: str | None) -> None:
    """Check the current table on a corpus, and turn to a page of what was found."""
    if window.tables.current is None:
        raise ValueError("Health has no table to check; name one with --tokenizer.")
    if corpus.files:
        window.health.check_table(window.tables.current, corpus)
    if page is not None:
        window.health.pages.show_page(_page_number(PAGES, page, "Health"))
