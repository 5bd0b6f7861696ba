"""What can be done with what Explain shows, as a menu."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow, QMenu

from bpe_studio.gui.menus import Item, Menus


def explanation_menu(menus: Menus, window: QMainWindow) -> QMenu:
    """Make the submenu."""
    panel = window.explain
    tree = Item(
        name="merges_tree",
        text="Merges as a &tree",
        keys="Ctrl+Shift+T",
        done=lambda wanted: panel.view.set_merges("tree" if wanted else "steps"),
        checkable=True,
    )
    actions = (
        ("explain_copy", "&Copy as text", "Ctrl+Alt+C", panel.copy),
        ("tree_copy", "Copy the tree as a &picture", "Ctrl+Shift+P", panel.copy_tree),
        ("tree_save", "&Save the tree as a picture …", "Ctrl+Alt+S", panel.save_tree),
        ("explain_proof", "&Look at the shortest text", "Ctrl+Shift+L", panel.look_at_proof),
        ("explain_earned", "&Find what earned the token", "Ctrl+Shift+E", panel.find_earned),
        ("symbols_before", "Symbols &before", "Ctrl+Shift+PgUp", lambda: panel.go_in_piece(-1)),
        ("symbols_after", "Symbols &after", "Ctrl+Shift+PgDown", lambda: panel.go_in_piece(1)),
    )
    items = [Item(name=name, text=text, keys=keys, done=done) for name, text, keys, done in actions]
    menu = menus.submenu("Ex&planation", [tree, *items])
    panel.view.mergesChanged.connect(
        lambda merges: menus["merges_tree"].setChecked(merges == "tree")
    )
    return menu
