"""The menus as data, and the actions made of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

Keys = QKeySequence.StandardKey | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One line of a menu. `name` is how the window finds the action again."""

    name: str
    text: str
    keys: Keys = None
    done: Callable[..., object] | None = None
    checkable: bool = False
    checked: bool = False
    group: str = ""


SEPARATOR = None
Line = Item | QAction | QMenu | None


class Menus:
    """Builds menus on a window and keeps the actions by name."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self._groups: dict[str, QActionGroup] = {}
        self.actions: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {}

    def __getitem__(self, name: str) -> QAction:
        return self.actions[name]

    def add(self, title: str, lines: list[Line]) -> QMenu:
        """Add a menu to the menu bar."""
        menu = self._window.menuBar().addMenu(title)
        self.menus[title.replace("&", "")] = menu
        for line in lines:
            if line is SEPARATOR:
                menu.addSeparator()
            elif isinstance(line, QMenu):
                menu.addMenu(line)
            elif isinstance(line, QAction):
                menu.addAction(line)
            else:
                menu.addAction(self._action(line))
        return menu

    def submenu(self, title: str, items: list[Item]) -> QMenu:
        """A menu to be put into another one."""
        menu = QMenu(title, self._window)
        self.menus[title.replace("&", "")] = menu
        for item in items:
            menu.addAction(self._action(item))
        return menu

    def shortcuts(self) -> list[tuple[str, str, str]]:
        """Menu, action and key of everything that has a key, where it comes first."""
        found, seen = [], set()
        for title, menu in self.menus.items():
            for action in menu.actions():
                if action.isSeparator() or action in seen:
                    continue
                seen.add(action)
                words, _, shown = action.text().replace("&", "").partition("\t")
                if shown:
                    found.append((title, words, shown))
                elif not action.shortcut().isEmpty():
                    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
                    found.append((title, action.text().replace("&", "").rstrip(" …"), keys))
        return found

    def _action(self, item: Item) -> QAction:
        action = QAction(item.text, self._window)
        action.setObjectName(item.name)
        if item.keys is not None:
            action.setShortcut(QKeySequence(item.keys))
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setCheckable(item.checkable)
        action.setChecked(item.checked)
        if item.done is not None:
            wanted = item.done
            signal = action.toggled if item.checkable and not item.group else action.triggered
            signal.connect(wanted if item.checkable and not item.group else lambda _: wanted())
        if item.group:
            group = self._groups.setdefault(item.group, QActionGroup(self._window))
            group.addAction(action)
        self.actions[item.name] = action
        return action
