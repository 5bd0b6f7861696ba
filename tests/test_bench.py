"""The parts of the benchmark that measure nothing: sums, comparisons, tables, cuts, outcomes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.health import check_all
from bpe_studio.bpe.patterns import PRESETS
from tests.analysis.tables import make_pair
from tests.bench import growth, health_reference, table
from tests.bench.blocks import blocks, head, text_blocks
from tests.bench.encoders import CL100K
from tests.bench.encoding import compare_ids, pieces
from tests.bench.figures import OURS, Measured, Row, joined, load, ratio, save
from tests.bench.processes import Outcome, run_command, run_job
from tests.bench.rounds import in_rounds
from tests.bench.rules import Rules, compare_merges, read_merges, write_merges
from tests.bench.trainers import GPT2, TRAINERS
from tests.bench.training import as_rows

WORDS = st.lists(
    st.sampled_from(["It", "is", "so", "that", "'s", " ", "\n", "9", ",", "é", "日本"])
)


def test_the_median_of_ratios_goes_round_by_round() -> None:
    ours = Row("c", OURS, [{"s": 1.0}, {"s": 2.0}, {"s": 4.0}])
    other = Row("c", "a", [{"s": 2.0}, {"s": 2.0}, {"s": 12.0}])
    assert ratio(other, ours, "s") == 2.0
    assert ratio(Row("c", "b", [{}, {}, {"s": 2.0}]), ours, "s") == 0.5
    assert ratio(Row("c", "b", [{}]), ours, "s") is None
    assert ratio(Row("c", "b"), ours, "s") is None


def test_whoever_fails_or_is_slow_rests_and_the_rounds_stay_in_step() -> None:
    def runs(name: str) -> Outcome:
        outcomes = {
            "good": Outcome({"seconds": 1.0}),
            "slow": Outcome({"seconds": 9.0}),
            "bad": Outcome(error="killed by signal 9"),
        }
        return outcomes[name]

    names = ("good", "slow", "bad")
    competitors = {name: lambda _, name=name: runs(name) for name in names}
    good, slow, bad = in_rounds("case", competitors, rounds=3, once_above=5)
    assert good.values("seconds") == [1.0, 1.0, 1.0]
    assert slow.runs == [{"seconds": 9.0}, {}, {}] and not slow.error
    assert bad.runs == [{}, {}, {}] and bad.error == "killed by signal 9"


def test_merges_are_compared_as_far_as_both_go() -> None:
    mine = [(b"a", b"b"), (b"ab", b"c"), (b"x", b"y")]
    assert compare_merges(mine, mine[:2]) == "same 2"
    assert compare_merges(mine, [(b"a", b"b"), (b"a", b"bc")]) == "differs at 1 of 2"
    assert compare_merges(mine, [(b"ab",), (b"abc",), (b"xz",)]) == "differs at 2 of 3"
    assert compare_merges(mine, []) == "same 0"


def test_merges_survive_the_way_through_a_file(tmp_path: Path) -> None:
    learned = [(b"\n", b" "), (b"\x00", b"\xff"), (b"token",)]
    write_merges(learned, tmp_path / "m")
    assert read_merges(tmp_path / "m") == learned


def test_ids_are_compared_or_their_number_where_only_that_is_told() -> None:
    expected = np.array([1, 2, 3])
    assert compare_ids(np.array([1, 2, 3]), expected) == "same 3"
    assert compare_ids(np.array([1, 9, 3]), expected) == "differs at 1 of 3"
    assert compare_ids(np.array([1, 2]), expected) == "differs at 2 of 3"
    assert compare_ids(np.array(3), expected) == "as many, 3"
    assert compare_ids(np.array(4), expected) == "4, not 3"


@given(words=WORDS, size=st.integers(1, 40))
def test_blocks_keep_every_piece(words: list[str], size: int, tmp_path_factory: object) -> None:
    text = "".join(words)
    path = tmp_path_factory.mktemp("blocks") / "text.txt"  # type: ignore[attr-defined]
    path.write_text(text, "utf-8", newline="")
    for expression in (GPT2, CL100K):
        whole = regex.findall(expression, text)
        cuts = [list(blocks(path, size))]
        cuts += [list(text_blocks(text, size))] if expression == CL100K else []
        for cut in cuts:
            assert "".join(cut) == text
            assert [piece for part in cut for piece in regex.findall(expression, part)] == whole


def test_the_head_of_a_file_ends_at_a_cut(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("It is so, é 日本 that it is.", "utf-8")
    whole = path.read_bytes()
    assert head(path, 10**6) == whole == head(path, len(whole))
    for size in range(10, len(whole)):
        assert whole.startswith(head(path, size)) and len(head(path, size)) <= size
        head(path, size).decode()


def test_patterns_are_those_of_the_program() -> None:
    text = "I'll say: 12345 héllo\r\n\r\n  it's\tüber ... 日本語 'S \n "
    for name, expression in (("gpt2", GPT2), ("cl100k", CL100K)):
        assert regex.findall(expression, text) == regex.findall(PRESETS[name].expression, text)


def test_lines_become_documents_with_their_ends(tmp_path: Path) -> None:
    path, rows = tmp_path / "t.txt", tmp_path / "t.jsonl"
    path.write_text("a\r\n\n b\u2028c\nlast", "utf-8", newline="")
    as_rows(path, rows)
    texts = [json.loads(line)["text"] for line in rows.read_text("utf-8").split("\n")[:-1]]
    assert texts == ["a\r\n", "\n", " b\u2028c\n", "last"]


def test_tables_say_what_is_missing() -> None:
    ours = Row("en", OURS, [{"s": 2.0, "m": 100.0}])
    rows = [ours, Row("en", "a", [{"s": 5.0, "m": 9.0}]), Row("en", "b", [{}], error="over 9 s")]
    assert table.compact(rows, "s", "m", " MB").splitlines() == [
        "|            |                  en |",
        "| ---------- | ------------------: |",
        "| BPE Studio |       2.00 · 100 MB |",
        "| a          | 5.00 (2.50×) · 9 MB |",
        "| b          |            over 9 s |",
    ]
    assert "over 9 s" in table.details(rows, (("s", "seconds"),), "s")


def test_growth_is_judged_by_n_log_n() -> None:
    straight = [(10.0**n, 10.0**n) for n in range(1, 5)]
    assert growth.exponents(straight) == [1.0, 1.0, 1.0]
    assert growth.within_n_log_n(straight)
    assert growth.within_n_log_n([(x, x * np.log(x)) for x, _ in straight])
    assert not growth.within_n_log_n([(x, x**1.5) for x, _ in straight])


def test_growth_is_drawn() -> None:
    runs = [(10_000_000, 0.4), (100_000_000, 3.0), (1_000_000_000, 28.0)]
    rows = [
        Row("c", OURS, [{"amount": amount, "seconds": s, "counting": s / 2, "merging": s / 2}])
        for amount, s in runs
    ]
    for row in rows:
        row.given = growth.LARGE
    drawn = ElementTree.fromstring(growth.drawing(rows))
    assert len(drawn.findall(".//{*}circle")) == 9
    assert len(drawn.findall(".//{*}polyline")) == 4


def test_figures_survive_the_way_through_a_file(tmp_path: Path) -> None:
    one = Measured(
        "start", "2026-01-01", "cmd", "machine", {"a": "1"}, [Row("c", "w", [{"s": 1.0}])]
    )
    save([one], tmp_path / "raw.json")
    assert load(tmp_path / "raw.json") == [one]
    (both,) = joined([one, replace(one, command="again")])
    assert len(both.rows) == 2 and both.command == "cmd\nagain"
    assert joined([one, replace(one, subject="training")])[0] == one


def test_a_process_that_fails_or_hangs_is_an_outcome() -> None:
    import sys

    python = sys.executable
    assert run_command([python, "-c", "raise SystemExit('no luck')"], 60).error == "no luck"
    assert run_command([python, "-c", "while True: pass"], 0.2).error == "over 0 s"
    told = run_command([python, "-c", ""], 60)
    assert not told.error and told.figures["seconds"] > 0
    assert "error" in run_job("training", {"who": "nobody"}, 60).error.lower()


@pytest.mark.slow
def test_a_training_is_measured_and_told(tmp_path: Path) -> None:
    path, merges = tmp_path / "t.txt", tmp_path / "merges"
    path.write_text("low low lower lowest " * 20)
    job = {
        "who": OURS,
        "corpus": str(path),
        "warm": str(path),
        "size": 262,
        "rules": vars(Rules()),
        "merges": str(merges),
    }
    outcome = run_job("training", job, 600)
    assert not outcome.error and {"seconds", "cpu", "peak_mb"} <= outcome.figures.keys()
    assert read_merges(merges)[0] == (b"o", b"w") or read_merges(merges)[0] == (b"l", b"o")


def test_everyone_follows_rules_and_pieces_are_of_one_size() -> None:
    assert TRAINERS[OURS].rules == Rules()
    for case, text in pieces().items():
        assert 998_000 <= len(text.encode()) <= 999_999, case


def test_the_reference_figures_of_health() -> None:
    """Those of single bytes are the same for every table of 256 bytes."""
    pair = make_pair([(0xE2, 0x82, 256), (97, 32, 257)])
    found = health_reference.figures_of(check_all(pair.tokenizer))
    assert (found["partial"], found["end inside"], found["unreachable"]) == (1, 1, 1)
    expected = health_reference.EXPECTED["gpt2"]
    assert set(found) == set(expected)
    assert health_reference.differences(found, expected) == [
        "unreachable: 1, and not 0",
        "partial: 1, and not 216",
        "end inside: 1, and not 181",
        "begin inside: 0, and not 31",
        "both: 0, and not 4",
        "over 32 bytes: 0, and not 14",
    ]


def test_without_the_reference_tables_health_has_not_passed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert health_reference.main([str(tmp_path)]) == 1
    assert capsys.readouterr().err == "gpt2 is not there\ncl100k_base is not there\n"
