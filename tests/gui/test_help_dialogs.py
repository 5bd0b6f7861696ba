"""What F1 and About show."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from bpe_studio.gui.widgets.help_dialogs import about_dialog, shortcuts_dialog


def texts(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel)]


def test_every_shortcut_is_listed(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    lines = [("File", f"Action {n}", f"Ctrl+{n}") for n in range(9)] + [("Help", "Keys", "F1")]
    shown = texts(shortcuts_dialog(parent, lines))
    assert {"Action 0", "Ctrl+8", "F1", "File", "Help"} <= set(shown)
    for part in ("Text", "Find bar", "Size slider", "Explain", "Merge tree"):
        assert any(text.startswith(f"{part}: ") for text in shown)


def test_about_names_the_program(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    assert any(text.startswith("BPE Studio") for text in texts(about_dialog(parent)))
