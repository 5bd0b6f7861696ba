"""What the menu of Compare holds."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QMainWindow

from bpe_studio.gui.menus import SEPARATOR, Item, Line, Menus
from bpe_studio.gui.widgets.compare_pages import CORPUS, PLOTS, TABLES, TEXT

PAGES = ("&Tables side by side", "&Plots of ranks", "Te&xt under both", "&Corpus under both")
NEED_TWO = tuple(
    f"compare_{name}"
    for name in (
        *(f"page_{page}" for page in range(len(PAGES))), "swap", "rules", "region", "explain_a",
        "explain_b", "next", "previous", "classes", "view", "lines", "source",
        "probe", "corpus", "files", "folder", "partner", "report",
    )
)  # fmt: skip
"""Actions that can do nothing as long as no two tables are open."""


def compare_menu(menus: Menus, window: QMainWindow) -> None:
    """Add the menu; what it does brings Compare to the front."""
    panel, actions = window.compare, window.compare_actions
    pages = panel.pages

    def front(done: object, page: int | None = None) -> None:
        window.show_panel(panel)
        if page is not None:
            pages.show_page(page)
        done()

    def item(
        name: str, text: str, done: object, keys: str | None = None, *, page: int | None = None
    ) -> Item:
        return Item(name=f"compare_{name}", text=text, keys=keys, done=partial(front, done, page))

    def on_corpus(name: str) -> None:
        getattr(pages.corpus, name)()

    lines: list[Line] = [
        item(f"page_{page}", words, partial(pages.show_page, page), f"Alt+{page + 1}")
        for page, words in enumerate(PAGES)
    ]
    menus.add(
        "&Compare",
        [
            *lines,
            SEPARATOR,
            item("swap", "&Swap A and B", panel.swap, "Ctrl+Shift+X"),
            item("rules", "&Rules side by side, or folded", pages.tables.rules.button.toggle,
                 "Ctrl+Alt+Z", page=TABLES),
            item("region", "Select no re&gion of the plot", pages.clear_region, "Ctrl+Shift+D",
                 page=PLOTS),
            SEPARATOR,
            item("explain_a", "Explain under &A", partial(panel.explain_under, 0), "F9"),
            item("explain_b", "Explain under &B", partial(panel.explain_under, 1), "Shift+F9"),
            SEPARATOR,
            item("next", "&Next difference of the text", partial(pages.text.go, 1), "F7",
                 page=TEXT),
            item("previous", "Pre&vious difference of the text", partial(pages.text.go, -1),
                 "Shift+F7", page=TEXT),
            item("classes", "Walk through one class of differences, or a&ll",
                 pages.text.legend.next_class, "Ctrl+Alt+F7", page=TEXT),
            item("view", "Text in two panes, or o&nce", pages.text.turn, "Ctrl+F7", page=TEXT),
            item("lines", "Lines of t&he text", pages.text.lines_button.toggle, "Alt+F7",
                 page=TEXT),
            item("source", "The text pane's text, or the next probe text",
                 pages.text.source.next_text, "Ctrl+Shift+F7", page=TEXT),
            SEPARATOR,
            item("probe", "Compare on the pr&obe texts", partial(on_corpus, "compare_probe"),
                 "Shift+F8", page=CORPUS),
            item("corpus", "Compare on the Corp&us panel's files",
                 partial(on_corpus, "compare_corpus"), "Shift+F6", page=CORPUS),
            item("files", "Compare on &files …", partial(on_corpus, "ask_files"), "Ctrl+Alt+J",
                 page=CORPUS),
            item("folder", "Compare on a fol&der …", partial(on_corpus, "ask_folder"),
                 "Ctrl+Shift+G", page=CORPUS),
            item("partner", "Train a WordPiece or Unigram pa&rtner …",
                 partial(on_corpus, "ask_partner"), "Shift+F5", page=CORPUS),
            SEPARATOR,
            item("report", "Sav&e a comparison …", actions.ask_report, "Ctrl+Alt+W"),
        ],
    )  # fmt: skip
