"""Where a token begins to count as rare, concentrated or long: asked for in a small dialog."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDoubleSpinBox, QFormLayout, QHBoxLayout, QSpinBox, QWidget

from bpe_studio.analysis.thresholds import LIMITS, Limit, Thresholds
from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import Button, label, lines
from bpe_studio.gui.widgets.form_fields import LEAST_WIDTH, TEXT_MARGIN, put_on_grid, spin_box

WORDS = (
    "Judging by other limits takes no new pass over a corpus. They are remembered, and written "
    "into reports."
)
DECIMALS = 3
MOST = 2_000_000_000  # that a spin box can hold


class ThresholdsDialog(QDialog):
    """A number for each limit; Use judges by them, Defaults puts them back.

    Signals
    -------
    chosen(object)
        The `Thresholds` to judge by.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None, thresholds: Thresholds) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Thresholds")
        self.fields: dict[str, QSpinBox | QDoubleSpinBox] = {}
        form = QFormLayout()
        put_on_grid(form)
        for name, limit in LIMITS.items():
            self.fields[name] = _field(limit)
            form.addRow(limit.title, self.fields[name])
        self.set_values(thresholds)
        self.defaults_button = Button("Defaults", look="quiet")
        self.cancel_button, self.use_button = Button("Cancel"), Button("Use", look="primary")
        self.use_button.setDefault(True)
        self.defaults_button.clicked.connect(lambda _: self.set_values(Thresholds()))
        self.cancel_button.clicked.connect(self.reject)
        self.use_button.clicked.connect(self._use)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.GAP)
        buttons.addWidget(self.defaults_button)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.use_button)
        words = label(WORDS, role="muted", wrap=True)
        margin = 2 * theme.MARGIN
        column = lines(margin=margin, gap=theme.MARGIN)
        column.addLayout(form)
        column.addWidget(words)
        column.addLayout(buttons)
        self.setLayout(column)

    @property
    def thresholds(self) -> Thresholds:
        """What stands in the fields."""
        return Thresholds.from_dict({name: field.value() for name, field in self.fields.items()})

    def set_values(self, thresholds: Thresholds) -> None:
        """Write limits into the fields."""
        for name, value in thresholds.as_dict().items():
            self.fields[name].setValue(value)

    def _use(self) -> None:
        self.chosen.emit(self.thresholds)
        self.accept()


def _field(limit: Limit) -> QSpinBox | QDoubleSpinBox:
    if limit.whole:
        return spin_box(int(limit.lowest), min(int(limit.highest), MOST), 0, name=limit.title)
    field = QDoubleSpinBox()
    field.setRange(limit.lowest, limit.highest)
    field.setDecimals(DECIMALS)
    field.setSingleStep(0.01)
    field.setMinimumWidth(LEAST_WIDTH)
    field.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)
    field.setAccessibleName(limit.title)
    return field
