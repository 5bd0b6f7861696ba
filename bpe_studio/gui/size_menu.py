"""The vocabulary slider, and what can be done with where it stands, as a menu."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow, QMenu

from bpe_studio.gui.menus import Item, Menus


def size_menu(menus: Menus, window: QMainWindow) -> QMenu:
    """Make the submenu."""
    sizes, slide = window.sizes, window.text_panel.slide
    menu = menus.submenu(
        "&Vocabulary size",
        [
            Item(
                name="size",
                text="&Choose a size",
                keys="Ctrl+K",
                done=lambda: window.show_panel(window.text_panel) or slide.bar.focus(),
            ),
            Item(name="size_all", text="Use &all merges", keys="Ctrl+Shift+K", done=sizes.use_all),
            Item(name="save_size", text="&Save this size …", keys="Ctrl+Alt+K", done=sizes.save),
            Item(
                name="open_size",
                text="&Open this size as a table",
                keys="Ctrl+Alt+O",
                done=sizes.open_as_table,
            ),
        ],
    )
    return menu
