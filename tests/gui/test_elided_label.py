"""Labels of one line."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bpe_studio.gui.widgets.elided_label import SteadyLabel


class Requests(QObject):
    """Counts how often a widget is to be laid out."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


def test_another_text_of_a_steady_label_lays_nothing_out(qtbot: QtBot) -> None:
    panel, label, requests = QWidget(), SteadyLabel("one"), Requests()
    qtbot.addWidget(panel)
    QVBoxLayout(panel).addWidget(label)
    panel.resize(200, 60)
    panel.show()
    qtbot.wait(20)
    panel.installEventFilter(requests)
    before = panel.grab().toImage()
    label.setText("another text, and a much longer one")
    qtbot.wait(20)
    assert label.text() == "another text, and a much longer one"
    assert panel.grab().toImage() != before
    assert requests.count == 0
