"""The fields of a form, of one width and on the grid."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QFormLayout, QSpinBox

from bpe_studio.gui import theme

LEAST_WIDTH = 96
TEXT_MARGIN = theme.GRID + 2  # so that numbers begin where texts and choices do


def spin_box(low: int, high: int, value: int, *, step: int = 1, name: str) -> QSpinBox:
    spin = QSpinBox()
    spin.setRange(low, high)
    spin.setSingleStep(step)
    spin.setValue(value)
    spin.setGroupSeparatorShown(True)
    spin.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)
    spin.setMinimumWidth(LEAST_WIDTH)  # by itself it asks for its largest number
    spin.setAccessibleName(name)
    return spin


def percent_box(*, name: str) -> QDoubleSpinBox:
    spin = QDoubleSpinBox()
    spin.setRange(0, 90)
    spin.setDecimals(2)
    spin.setSuffix(" %")
    spin.setSpecialValueText("nothing")
    spin.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)
    spin.setMinimumWidth(LEAST_WIDTH)
    spin.setAccessibleName(name)
    return spin


def combo_box(choices: dict[str, str], *, name: str) -> QComboBox:
    combo = QComboBox()
    for value, text in choices.items():
        combo.addItem(text, value)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(8)
    combo.setAccessibleName(name)
    return combo


def put_on_grid(form: QFormLayout) -> None:
    form.setHorizontalSpacing(theme.GAP)
    form.setVerticalSpacing(theme.GRID)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
