"""Reasons by kind: every difference is in one group, and of many some are asked."""

from __future__ import annotations

from collections import Counter

from bpe_studio.analysis.compare_text import compare_text
from bpe_studio.analysis.difference_reasons import difference_reasons
from bpe_studio.analysis.reason_summary import summary_of
from tests.analysis.tables import make_pair, worked

_A, _B = worked().tokenizer, make_pair([(108, 111, 256), (49, 49, 257)], pattern="cl100k").tokenizer
_TEXT = "low lower 11 lowest 日本 1111 slow low\n" * 20


def test_groups_are_the_reasons_counted() -> None:
    found = compare_text(_A, _B, _TEXT)
    summary = summary_of(_A, _B, _TEXT, found)
    rows = [int(row) for row in found.kinds.nonzero()[0]]
    reasons = difference_reasons(_A, _B, _TEXT, found, rows)
    counts = Counter((reason.side, reason.kind) for reason in reasons)
    assert {(g.side, g.kind): g.count for g in summary.groups} == counts
    assert [g.count for g in summary.groups] == sorted(counts.values(), reverse=True)
    assert summary.asked == summary.differences == len(rows)
    assert sum(g.tokens_a for g in summary.groups) == sum(s.tokens_a for s in found.differences)
    assert sum(g.tokens_b for g in summary.groups) == sum(s.tokens_b for s in found.differences)
    assert all((g.example.side, g.example.kind) == (g.side, g.kind) for g in summary.groups)
    first = summary.groups[0]
    assert summary.sentence.startswith(
        f"Of {len(rows)} differences, {first.count} because {first.words}, "
    )


def test_of_many_some_are_asked_from_begin_to_end() -> None:
    found = compare_text(_A, _B, _TEXT)
    summary = summary_of(_A, _B, _TEXT, found, most=7)
    assert summary.asked == 7 < summary.differences == len(found.differences)
    assert "7 were asked, spread evenly: " in summary.sentence


def test_nothing_differs() -> None:
    summary = summary_of(_A, _A, _TEXT, compare_text(_A, _A, _TEXT))
    assert (summary.groups, summary.sentence) == ((), "Both cut the text alike.")
