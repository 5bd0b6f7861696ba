"""What is said of two tables in words."""

from __future__ import annotations

from bpe_studio.analysis.compare import FirstDifference
from bpe_studio.gui.models.compare_words import first_words
from bpe_studio.reports.compare_words import merge_words


def test_a_table_without_merges_parts_at_no_rank() -> None:
    first = FirstDifference(0, (b" ", b"t"), None)
    assert first_words(first) == "B has no merges, so there is no rank to part at."
    assert merge_words(first) == "B has no merges, so there is no rank to part at"
    later = FirstDifference(5, None, (b" ", b"t"))
    assert "rank 5" in first_words(later) and "A has no more merges" in merge_words(later)
