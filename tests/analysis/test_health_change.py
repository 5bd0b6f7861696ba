"""Two reports side by side, against plain Python on the bytes of their tokens."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings

from bpe_studio.analysis.flags import KINDS, Flag
from bpe_studio.analysis.health import HealthReport, check_all
from bpe_studio.analysis.health_change import compare_health, iter_compare_health
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.analysis.tables import Pair, make_pair, pairs


def _flagged(report: HealthReport, tokenizer: Tokenizer, kind: str) -> set[bytes]:
    return {tokenizer.token_bytes(flag.id) for flag in report.flags if flag.kind == kind}


@settings(max_examples=80)
@given(pairs(), pairs())
def test_any_two_tables(first: Pair, second: Pair) -> None:
    one, two = first.tokenizer, second.tokenizer
    before, after = check_all(one), check_all(two)
    change = compare_health(before, after, (one, two))
    assert [kind.kind for kind in change.kinds] == [
        kind for kind in KINDS if kind in before.counts or kind in after.counts
    ]
    tokens = [set(tokenizer.table.token_list) for tokenizer in (one, two)]
    for kind in change.kinds:
        was, now = (
            _flagged(report, table, kind.kind) for report, table in ((before, one), (after, two))
        )
        counts = (Counter(flag.kind for flag in report.flags) for report in (before, after))
        assert (kind.before, kind.after) == tuple(count[kind.kind] for count in counts)
        assert (set(kind.gone), set(kind.come)) == (was - now, now - was)
        assert len(kind.gone) == len(was - now) and len(kind.come) == len(now - was)
        assert kind.left == len((was - now) - tokens[1])
        assert kind.new == len((now - was) - tokens[0])
    assert change.gone == sum(len(kind.gone) for kind in change.kinds)
    assert change.come == sum(len(kind.come) for kind in change.kinds)


@settings(max_examples=30)
@given(pairs())
def test_a_table_and_itself(pair: Pair) -> None:
    tokenizer = pair.tokenizer
    report = check_all(tokenizer)
    change = compare_health(report, report, (tokenizer, tokenizer))
    assert change.gone == change.come == 0
    assert all(kind.difference == 0 for kind in change.kinds)
    assert all(figure.before == figure.after for figure in change.figures)


def test_what_went_and_what_came() -> None:
    one = make_pair([], extra={300: b"\xe2\x82", 301: b"----", 302: b"\xe2\x82"}).tokenizer
    two = make_pair([], extra={7_000: b"----", 7_001: b"====", 7_002: b"aaaa"}).tokenizer
    change = compare_health(check_all(one), check_all(two), (one, two))
    halves, runs = change.of("partial-utf8"), change.of("run")
    assert halves is not None and runs is not None
    assert (halves.before, halves.after, halves.difference) == (2, 0, -2)
    assert (halves.gone, halves.come, halves.left) == ((b"\xe2\x82",), (), 1)
    assert (runs.before, runs.after, runs.gone) == (1, 3, ())
    assert (runs.come, runs.new) == ((b"====", b"aaaa"), 2)
    figures = {figure.name: (figure.before, figure.after) for figure in change.figures}
    assert figures["tokens"] == (259, 259)
    assert figures["unmade"] == (3, 3) and figures["merges"] == (0, 0)
    told = {figure.name for figure in change.told_figures}
    assert "unmade" in told and "merges" not in told
    assert figures["partial_ends"] == (2, 0)
    assert change.of("scaffold") is None


def test_a_flag_that_went_from_a_token_that_stays() -> None:
    one = make_pair([], extra={300: b"ab", 301: b"ab"}).tokenizer
    two = make_pair([(97, 98, 300)]).tokenizer
    duplicates = compare_health(check_all(one), check_all(two), (one, two)).of("duplicate")
    assert duplicates is not None
    assert (duplicates.gone, duplicates.left) == ((b"ab",), 0)


def test_it_goes_in_slices() -> None:
    tokens = {1_000 + n: b"-" * 4 + b"\xe2" + n.to_bytes(2, "big") for n in range(9_000)}
    big, small = make_pair([], extra=tokens).tokenizer, make_pair([]).tokenizer
    report = check_all(big)
    assert len(report.flags) > 9_000
    steps = list(iter_compare_health(report, check_all(small), (big, small)))
    assert len(steps) > 3 and steps == sorted(steps) and steps[-1] >= len(report.flags)


def test_a_kind_that_only_one_has_looked_for() -> None:
    pair = make_pair([(97, 98, 256)])
    report = check_all(pair.tokenizer)
    without = HealthReport(
        flags=report.flags,
        counts={kind: count for kind, count in report.counts.items() if kind != "run"},
        tokens=report.tokens,
        partial=report.partial,
        trained_here=False,
    )
    change = compare_health(without, report, (pair.tokenizer, pair.tokenizer))
    runs = change.of("run")
    assert runs is not None
    assert (runs.before, runs.after, runs.difference) == (None, 0, None)


def test_totals_are_of_kinds_that_both_looked_for() -> None:
    pair = make_pair([], extra={300: b"\xe2\x82", 301: b"----"}).tokenizer
    alone = check_all(pair)
    rare = Flag(65, "rare", "info", "It is rare.")
    more = replace(alone, flags=(*alone.flags, rare), counts={**alone.counts, "rare": 1})
    assert more.flagged == alone.flagged + 1
    for before, after in ((more, alone), (alone, more)):
        figures = compare_health(before, after, (pair, pair)).figures
        flagged = next(figure for figure in figures if figure.name == "flagged")
        assert flagged.before == flagged.after == alone.flagged
        assert "both looked for" in flagged.title
