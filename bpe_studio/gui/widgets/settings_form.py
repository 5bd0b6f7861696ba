"""The settings of a training as a form: the size in sight, the rest in a fold."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QWidget

from bpe_studio.api import DEFAULT_SPECIALS, Settings, smallest_vocab_size
from bpe_studio.bpe.patterns import PRESETS, resolve_pattern
from bpe_studio.bpe.scanner import split_pieces
from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import Button, label, lines, set_role
from bpe_studio.gui.widgets.fold import Fold
from bpe_studio.gui.widgets.form_fields import combo_box, percent_box, put_on_grid, spin_box
from bpe_studio.gui.widgets.rule_fields import RuleFields
from bpe_studio.gui.widgets.words import number

CUSTOM = "custom"
LARGEST_SIZE = 4_000_000
CHECK_MS = 150
PROPOSED_PERCENT = 2
PROBE = "It's 1,234 €.\r\n\tnaïve x=y  <b>नमस्ते</b> 世界 🙂\n"  # what a custom pattern must cover
TIES = {
    "first-seen": "first in the corpus",
    "smallest-ids": "smallest ids",
}
ORDERS = {"value": "by value", "gpt2": "GPT-2's alphabet"}
BASES = {"bytes": "bytes", "chars": "characters"}
ERRORS = {
    "drop": "drop the bytes",
    "skip-file": "skip the file",
    "strict": "stop",
}
TIPS = {
    "min_freq": "Learning ends where no pair is as frequent as this.",
    "pattern": "How text is cut into pieces; merges never cross a piece.",
    "base": "What the first symbols are. A character base keeps bytes as fallback.",
    "ties": "Which of equally frequent pairs is merged. Smallest ids is the rule of Hugging Face.",
    "byte_order": "Which ids the 256 bytes take; GPT-2's alphabet puts printable bytes first.",
    "specials": "Their names, with commas between; they take the first ids.",
    "hold_out": "The share of the documents to leave out of training, so that the curve shows "
    "how the table does on text that it has not seen.",
    "text_key": "The key of the text in the rows of .jsonl files, and its column in .parquet.",
    "errors": "What happens to invalid UTF-8; it is counted and listed in any case.",
}


class SettingsForm(QWidget):
    """Asks for what `api.Settings` needs, and says in a sentence what is wrong.

    Signals
    -------
    changed()
        A value is another one; `problem` says whether they will do.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.problem = ""
        self._own: dict[str, Any] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(CHECK_MS)
        self._timer.timeout.connect(self.check)
        self._build()
        self._defaults = self._advanced_state()
        self._wire()
        self.check()

    def _build(self) -> None:
        self.vocab_size = spin_box(0, LARGEST_SIZE, 8000, step=1000, name="Vocabulary size")
        self.smallest = label(role="muted", wrap=True)
        self.problem_label = label(role="danger", wrap=True)
        self.problem_label.hide()
        self.hold_out_button = Button(
            f"Hold out {PROPOSED_PERCENT} %", icon="add", look="quiet", tip=TIPS["hold_out"]
        )
        self.hold_out_button.setCheckable(True)
        self.hold_out_button.hide()
        self._proposes = False
        top = QFormLayout()
        put_on_grid(top)
        top.addRow("Vocabulary &size", self.vocab_size)
        top.addRow("", self.smallest)
        top.addRow("", self.hold_out_button)
        top.setAlignment(self.hold_out_button, Qt.AlignmentFlag.AlignLeft)
        self.fold = Fold("Advanced", self._advanced())
        self.setLayout(lines(top, self.fold, self.problem_label, margin=0, gap=theme.GRID))

    def _advanced(self) -> QWidget:
        self.min_freq = spin_box(1, 1_000_000_000, 2, name="Smallest pair count")
        patterns = {name: name for name in PRESETS} | {CUSTOM: "own expression …"}
        self.pattern = combo_box(patterns, name="Pattern that cuts text into pieces")
        self.expression = QLineEdit()
        self.expression.setFont(theme.mono_font())
        self.expression.setAccessibleName("Expression of the pattern")
        self.expression.setPlaceholderText(r"\w+|\s+|[^\w\s]+")
        self.expression.hide()
        self.base = combo_box(BASES, name="Base symbols")
        self.ties = combo_box(TIES, name="Rule for ties")
        self.byte_order = combo_box(ORDERS, name="Order of the bytes' ids")
        self.specials = QLineEdit(", ".join(DEFAULT_SPECIALS))
        self.specials.setAccessibleName("Special tokens, with commas between")
        self.specials.setCursorPosition(0)
        self.hold_out = percent_box(name="Share of the documents to hold out")
        self.rules = RuleFields(self)
        self.text_key = QLineEdit("text")
        self.text_key.setAccessibleName("Key of the text in JSONL rows")
        self.errors = combo_box(ERRORS, name="What to do with invalid text")
        self.defaults_button = Button(
            "Defaults", look="quiet", tip="Take back all that is advanced"
        )
        self.defaults_button.clicked.connect(self.take_defaults)
        content = QWidget()
        form = QFormLayout(content)
        put_on_grid(form)
        form.setContentsMargins(0, theme.GRID, 0, 0)
        for text, widget in (
            ("Pair count ≥", self.min_freq),
            ("Pattern", self.pattern),
            ("", self.expression),
            ("Base", self.base),
            ("Ties", self.ties),
            ("Byte ids", self.byte_order),
            ("Specials", self.specials),
            ("Hold out", self.hold_out),
            *self.rules.rows(),
            ("JSONL key", self.text_key),
            ("Bad UTF-8", self.errors),
        ):
            if widget is self.expression:
                form.addRow(widget)  # it needs all the width there is
            else:
                form.addRow(text, widget)
        form.addRow(self.defaults_button)
        form.setAlignment(self.defaults_button, Qt.AlignmentFlag.AlignRight)
        for name, tip in TIPS.items():
            getattr(self, name).setToolTip(tip)
        form.setRowVisible(self.expression, False)
        self._form = form
        return content

    def _wire(self) -> None:
        for spin in (self.vocab_size, self.min_freq):
            spin.valueChanged.connect(lambda _: self._timer.start())
        self.hold_out.valueChanged.connect(lambda _: self._timer.start())
        self.hold_out_button.clicked.connect(self._hold_out_proposed)
        self.rules.changed.connect(self._timer.start)
        for edit in (self.expression, self.specials, self.text_key):
            edit.textChanged.connect(lambda _: self._timer.start())
        for combo in (self.base, self.ties, self.byte_order, self.errors):
            combo.currentIndexChanged.connect(lambda _: self._timer.start())
        self.pattern.currentIndexChanged.connect(self._pattern_chosen)

    def values(self) -> dict[str, Any]:
        """The keyword arguments of `api.Settings`."""
        return {
            "vocab_size": self.vocab_size.value(),
            "min_freq": self.min_freq.value(),
            "pattern": self._pattern(),
            "base": self.base.currentData(),
            "ties": self.ties.currentData(),
            "byte_order": self.byte_order.currentData(),
            "specials": self._specials(),
            "hold_out": round(self.hold_out.value() / 100, 6),
            **self.rules.values(),
        }

    def propose_hold_out(self, proposes: bool) -> None:
        """Offer, with one click, to hold documents out; with another, to learn from all."""
        self._proposes = proposes
        self._show_proposal()

    def reading(self) -> dict[str, Any]:
        """How the corpus is read: `text_key` and `errors`."""
        return {"text_key": self.text_key.text() or "text", "errors": self.errors.currentData()}

    def state(self) -> dict[str, Any]:
        """Everything, as JSON can hold it; the user's own where a table decides."""
        if self._own is not None:
            return dict(self._own)
        return {**self.values(), **self.reading(), "specials": list(self._specials())}

    def restore(self, state: dict[str, Any]) -> None:
        """Take over what `state` gave, as far as it makes sense."""
        for name in ("vocab_size", "min_freq"):
            if isinstance(state.get(name), int):
                getattr(self, name).setValue(state[name])
        if isinstance(state.get("hold_out"), int | float):
            self.hold_out.setValue(100 * state["hold_out"])
        for name in ("base", "ties", "byte_order", "errors"):
            combo = getattr(self, name)
            combo.setCurrentIndex(max(0, combo.findData(state.get(name))))
        self.rules.restore(state)
        self._restore_texts(state)
        self.check()

    def follow(self, settings: dict[str, Any] | None) -> None:
        """Show what a table to continue decides; with None, what the user chose."""
        if settings is not None and self._own is None:
            self._own = self.state()
            self.restore({**self._own, **settings})
        elif settings is None and self._own is not None:
            own, self._own = self._own, None
            self.restore(own)

    def check(self) -> bool:
        """Look whether the values will do, and say so."""
        self._timer.stop()
        self.problem = self._find_problem()
        self._mark_changes()
        self._show_proposal()
        self.problem_label.setText(self.problem)
        self.problem_label.setVisible(bool(self.problem))
        smallest = smallest_vocab_size(self._specials())
        more = " and the characters" if self.base.currentData() == "chars" else ""
        self.smallest.setText(f"at least {number(smallest)}{more}")
        set_role(self.vocab_size, "wrong", self.vocab_size.value() < smallest)
        self.changed.emit()
        return not self.problem

    def take_defaults(self) -> None:
        """Take back all advanced settings."""
        self.restore({**self.state(), **self._defaults})

    def _advanced_state(self) -> dict[str, Any]:
        return {name: value for name, value in self.state().items() if name != "vocab_size"}

    def _show_proposal(self) -> None:
        """It stays when it is pressed: what is below must not jump under the mouse."""
        held = self.hold_out.value()
        percent = f"{held or PROPOSED_PERCENT:g} %"
        self.hold_out_button.setText(f"{percent} held out" if held else f"Hold out {percent}")
        self.hold_out_button.setAccessibleName(self.hold_out_button.text())
        self.hold_out_button.set_icon("done" if held else "add")
        self.hold_out_button.setChecked(bool(held))
        self.hold_out_button.setVisible(self._proposes)

    def _hold_out_proposed(self) -> None:
        self.hold_out.setValue(0 if self.hold_out.value() else PROPOSED_PERCENT)
        self.check()

    def _mark_changes(self) -> None:
        """A fold must not hide that something is not as usual."""
        changed = self._advanced_state() != self._defaults
        self.fold.set_title("Advanced · changed" if changed else "Advanced")
        self.defaults_button.setEnabled(changed)

    def _find_problem(self) -> str:
        pattern = self._problem_of_pattern()
        set_role(self.expression, "wrong", bool(pattern))
        if pattern:
            return pattern
        try:
            Settings(**self.values())
        except ValueError as error:
            return str(error)
        return ""

    def _problem_of_pattern(self) -> str:
        if self.pattern.currentData() != CUSTOM:
            return ""
        try:
            split_pieces(resolve_pattern(self.expression.text()), PROBE)
        except ValueError as error:
            return str(error)
        return ""

    def _pattern(self) -> str:
        chosen = self.pattern.currentData()
        return self.expression.text() if chosen == CUSTOM else chosen

    def _specials(self) -> tuple[str, ...]:
        names = (name.strip() for name in self.specials.text().split(","))
        return tuple(name for name in names if name)

    def _pattern_chosen(self) -> None:
        own = self.pattern.currentData() == CUSTOM
        self._form.setRowVisible(self.expression, own)
        if own and not self.expression.text():
            self.expression.setText(PRESETS["classic"].expression)
        if own:
            self.expression.setFocus()
        else:
            expression = PRESETS[self.pattern.currentData()].expression
            self.pattern.setToolTip(f"{TIPS['pattern']}\n{expression}")
        self.check()

    def _restore_texts(self, state: dict[str, Any]) -> None:
        pattern = state.get("pattern")
        if pattern in PRESETS:
            self.pattern.setCurrentIndex(self.pattern.findData(pattern))
        elif isinstance(pattern, str):
            self.expression.setText(pattern)
            self.pattern.setCurrentIndex(self.pattern.findData(CUSTOM))
        specials = state.get("specials")
        if isinstance(specials, list) and all(isinstance(name, str) for name in specials):
            self.specials.setText(", ".join(specials))
            self.specials.setCursorPosition(0)
        if isinstance(state.get("text_key"), str):
            self.text_key.setText(state["text_key"])
