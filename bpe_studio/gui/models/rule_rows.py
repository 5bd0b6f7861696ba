"""What two tokenizers are besides their tokens, as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_studio.analysis.table_rules import Rule
from bpe_studio.gui.models.array_table import Column
from bpe_studio.gui.models.escaped import escaped_lines
from bpe_studio.gui.models.token_details import shorten

IN_CELL, IN_TIP = 200, 1500  # characters


def differing_first(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules, those first that are not the same in both."""
    return tuple(sorted(rules, key=lambda rule: rule.same))


def rule_columns(rules: Sequence[Rule]) -> list[Column]:
    """A sign where a rule differs, its name, and what it is in A and in B."""
    return [
        Column("", lambda row: "" if rules[row].same else "≠", sample="≠",
               hint="Marks what is not the same in both"),
        Column("Rule", lambda row: rules[row].name, sample="vocabulary size"),
        _side("A", rules, 0),
        _side("B", rules, 1),
    ]  # fmt: skip


def _side(title: str, rules: Sequence[Rule], side: int) -> Column:
    return Column(
        title,
        lambda row: shorten(rules[row].values[side], IN_CELL),
        sample=10 * "0",
        share=1,
        tip=lambda row: escaped_lines([shorten(rules[row].values[side], IN_TIP)]),
    )
