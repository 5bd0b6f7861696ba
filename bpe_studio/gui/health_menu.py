"""What the menu of Health holds."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QMainWindow

from bpe_studio.gui.menus import SEPARATOR, Item, Line, Menus

PAGES = ("&Table of tokens", "&Plots", "&Embeddings", "C&orpus", "&Change against another table")
NEED_TABLE = (
    *(f"health_{name}" for name in ("check", "files", "folder", "training", "panel", "table")),
    *(f"health_page_{page}" for page in range(len(PAGES))),
    *(f"health_{name}" for name in ("embeddings", "open_text", "copy_place", "open_use")),
)
"""Actions that can do nothing as long as no table is open."""
FIRST_KEY = 4  # those before are of the lesson


def health_menu(menus: Menus, window: QMainWindow) -> None:
    """Add the menu; what it does brings Health to the front."""
    panel, actions = window.health, window.health_actions
    source = panel.head.source

    def front(done: object) -> None:
        window.show_panel(panel)
        done()

    def item(name: str, text: str, done: object, keys: str | None = None) -> Item:
        return Item(name=f"health_{name}", text=text, keys=keys, done=partial(front, done))

    pages: list[Line] = [
        item(f"page_{page}", words, partial(panel.pages.show_page, page), f"Ctrl+Alt+{key}")
        for page, (words, key) in enumerate(zip(PAGES, range(FIRST_KEY, 9), strict=True))
    ]
    detail = panel.pages.table.detail
    menus.add(
        "He&alth",
        [
            item("check", "Chec&k", panel.check, "F6"),
            item("files", "Check on &files …", panel.check_on_files, "Ctrl+Alt+F"),
            item("folder", "Check on a fol&der …", panel.check_on_folder, "Ctrl+Alt+D"),
            item("training", "Choose the trai&ning corpus", partial(source.choose, "training"),
                 "Ctrl+Alt+N"),
            item("panel", "Choose the files of the Corp&us panel", partial(source.choose, "panel"),
                 "Ctrl+Alt+U"),
            item("table", "Choose the table &alone", partial(source.choose, "table"),
                 "Ctrl+Alt+A"),
            SEPARATOR,
            *pages,
            SEPARATOR,
            item("thresholds", "Thres&holds …", actions.ask_thresholds, "Ctrl+Alt+H"),
            item("embeddings", "Open e&mbeddings …", panel.pages.open_embeddings, "Ctrl+Alt+M"),
            menus["retrain"],
            SEPARATOR,
            item("open_text", "Open the te&xt of the token", detail.open_text, "Ctrl+Alt+T"),
            item("copy_place", "Cop&y its place", detail.copy_place, "Ctrl+Alt+Y"),
            SEPARATOR,
            item("report", "&Save a report …", actions.ask_report, "Ctrl+Alt+R"),
            item("save_use", "Sa&ve what the corpus has told …", actions.ask_use, "Ctrl+Alt+B"),
            item("open_use", "Open what a corpus has to&ld …", actions.ask_open_use,
                 "Ctrl+Alt+I"),
        ],
    )  # fmt: skip
