"""Two checks side by side: figures in their units, and dashes for what is not known."""

from __future__ import annotations

import pytest

from bpe_studio.analysis.health_change import FigureChange, HealthChange, KindChange
from bpe_studio.analysis.health_figures import Unit
from bpe_studio.gui.models.change_rows import UNLIKE, change_columns, figure_words, tokens_words


@pytest.mark.parametrize(
    ("before", "after", "unit", "words"),
    [
        (3.8123, 4.2, "ratio", "A figure: 3.812 → 4.200"),
        (12_345, 1, "count", "A figure: 12,345 → 1"),
        (0.5, 0.00001, "share", "A figure: 50.0 % → < 0.1 %"),
        (None, 2.5, "ratio", "A figure: – → 2.500"),
        (4.0001, 4.0002, "ratio", ""),  # no change that the line could show
    ],
)
def test_a_figure_has_the_digits_of_its_unit(
    before: float | None, after: float | None, unit: Unit, words: str
) -> None:
    figure = FigureChange("figure", "A figure", before, after, unit)
    assert figure_words(HealthChange((), (figure,))) == words


def test_what_only_one_table_was_asked_is_not_told_as_nothing() -> None:
    asked = KindChange("rare", before=None, after=3)
    both = KindChange("rare", before=1, after=1, gone=(b"low",), come=(b"new",))
    cells = {column.title: column.text for column in change_columns((asked, both))}
    assert [cells[title](0) for title in ("Before", "After", "Change", "Gone", "New")] == [
        "–", "3", "–", "–", "–",
    ]  # fmt: skip
    assert [cells[title](1) for title in ("Change", "Gone", "New")] == ["0", "1", "1"]
    assert "only in the table after" in " ".join(tokens_words(asked))
    assert tokens_words(both) == ("Gone (1): low", "New (1): new")
    assert figure_words(HealthChange((asked, both), ())).strip() == UNLIKE
    assert figure_words(HealthChange((both,), ())) == ""
