"""health: the analysis's flags, as text, as JSON and as reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bpe_studio as bs
from bpe_studio.analysis.flags import KINDS
from bpe_studio.analysis.health import check_all
from bpe_studio.analysis.thresholds import LIMITS
from bpe_studio.cli.output import width
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def polluted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of many documents, of which one repeats a word; a table trained on it beside it."""
    folder = tmp_path_factory.mktemp("polluted")
    corpus = folder / "corpus"
    corpus.mkdir()
    for number in range(40):
        (corpus / f"{number}.txt").write_text(f"the low lower lowest of {number} low <bos> the\n")
    (corpus / "forum.txt").write_text("posted by zorgblat: low\n" * 60 + "a|b <|im_start|>\n")
    bs.save(bs.train(corpus, vocab_size=330), folder / "table.json")
    bs.save(bs.train(corpus, vocab_size=275), folder / "small.json")
    return folder


def test_without_a_corpus(run: Run, low: Path) -> None:
    result = run("health", low)
    assert result.status == 0
    report = check_all(bs.load(low))
    share = f"{100 * report.flagged / report.tokens:.1f} %"
    assert result.out.startswith(f"260 tokens; {report.flagged} flagged ({share})\n")
    assert "Not known without a corpus: concentrated, absent, never emitted, rare" in result.out
    assert "The self-test holds" in result.out
    told = json.loads(run("health", low, "--json").out)
    assert told["counts"] == report.counts
    assert [flag["id"] for flag in told["flags"]] == [flag.id for flag in report.flags]
    assert told["use"] is told["corpus"] is told["used"] is told["change"] is None


def test_what_the_size_is_made_of_is_told(run: Run, low: Path) -> None:
    told = " ".join(run("health", low).out.split())
    sentences = check_all(bs.load(low)).integrity.sentences
    assert len(sentences) > 1
    for sentence in sentences:
        assert sentence in told


def test_unused_base_symbols_are_told_to_be_apart(run: Run, low: Path, tmp_path: Path) -> None:
    report = tmp_path / "r.md"
    result = run("health", low, "--corpus", low.with_name("low.txt"), "-o", report)
    told = json.loads(run("health", low, "--corpus", low.with_name("low.txt"), "--json").out)
    unused = told["counts"]["unused-base"]
    assert unused == told["unused_base"] > 200
    assert result.out.splitlines()[0].endswith(f" %), {unused} unused base symbols apart")
    assert f"{unused} unused base symbols apart" in report.read_text()
    assert "The tokens are in r.md; --kind KIND lists those of a kind here." in result.out


@pytest.mark.parametrize("name", ["never-emitted", "Never emitted", "never Emitted "])
def test_reports_list_the_kinds_that_are_asked_for(
    run: Run, low: Path, tmp_path: Path, name: str
) -> None:
    corpus = ("--corpus", low.with_name("low.txt"))
    whole = json.loads(run("health", low, *corpus, "--json").out)
    told = json.loads(run("health", low, *corpus, "--json", "--kind", name).out)
    assert whole["only_kinds"] is None and told["only_kinds"] == ["never-emitted"]
    expected = [flag for flag in whole["flags"] if flag["kind"] == "never-emitted"]
    assert 0 < len(expected) < len(whole["flags"])
    assert [flag["id"] for flag in told["flags"]] == [flag["id"] for flag in expected]
    assert told["counts"] == whole["counts"]
    places = [tmp_path / f"r{suffix}" for suffix in (".csv", ".md", ".html")]
    options = [word for place in places for word in ("-o", place)]
    result = run("health", low, *corpus, "--kind", name, *options)
    assert result.status == 0 and "The tokens are in" not in result.out
    rows = places[0].read_text().splitlines()[1:]
    assert len(rows) == len(expected) and all(row.startswith("never-emitted,") for row in rows)
    assert "### Unused base symbol" not in places[1].read_text()
    page = places[2].read_text()
    assert 'id="kind-never-emitted"' in page and "#kind-unused-base" not in page


def test_with_a_corpus(run: Run, low: Path) -> None:
    text = low.with_name("low.txt")
    result = run("health", low, "--corpus", text, text)
    assert result.status == 0
    assert result.err.startswith("bpe-studio: low.txt is there twice, and is read twice.\n")
    assert "Not known without a corpus" not in result.out
    assert "Corpus: 2 documents in 2 files, 40 bytes, 14 tokens" in result.out
    assert "6 different tokens in use" in " ".join(result.out.split())
    assert "\n  262  lo  " in result.out.partition("\nNever emitted: ")[2]
    told = json.loads(run("health", "--json", "--corpus", text, low).out)
    assert told["used"] == told["use"]["used"] == 6
    assert (told["use"]["documents"], told["use"]["bytes"], told["use"]["tokens"]) == (1, 20, 7)
    flag = next(flag for flag in told["flags"] if flag["kind"] == "never-emitted")
    assert (flag["id"], flag["token"], flag["bytes"]) == (262, "lo", b"lo".hex())
    assert (flag["final"], flag["created"], flag["rank"]) == (0, 4, 0)


def test_the_same_bytes_from_standard_input(
    run: Run, low: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with low.with_name("low.txt").open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        told = json.loads(run("health", low, "--corpus", "-", "--json").out)
    assert told["corpus"]["name"] == "stdin"
    assert (told["use"]["tokens"], told["use"]["documents"]) == (7, 1)
    other = json.loads(run("health", low, "--corpus", low.with_name("low.txt"), "--json").out)
    assert told["corpus"]["fingerprint"] == other["corpus"]["fingerprint"]


def test_pollution_is_told_with_its_place(run: Run, polluted: Path) -> None:
    words = ("health", polluted / "table.json", "--corpus", polluted / "corpus")
    result = run(*words)
    assert result.status == 0
    body = result.out.partition("\nConcentrated: ")[2]
    assert "forum.txt:1:" in body and "zorgblat" in body.partition("\n\n")[0]
    # The line of a new training is to be copied as one.
    told = result.out.partition("Trained again")[0]
    assert max(width(line) for line in told.splitlines()) <= 120
    assert "  <bos>         40 times  in 40 documents  1 in 0.txt\n" in result.out
    data = json.loads(run(*words, "--json").out)
    first = next(flag for flag in data["flags"] if flag["kind"] == "concentrated")
    assert first["document"] == {"file": "forum.txt", "row": None} and first["share"] >= 0.9
    context = first["context"]
    assert context["text"] == bytes.fromhex(first["bytes"]).decode()
    text = (polluted / "corpus" / "forum.txt").read_text()
    assert text[context["offset"] :].startswith(context["text"] + context["after"])
    specials = {special["name"]: special for special in data["use"]["specials"]}
    assert (specials["<bos>"]["count"], specials["<bos>"]["documents"]) == (40, 40)
    assert specials["<|im_start|>"]["files"] == [{"file": "forum.txt", "count": 1}]


def test_one_kind_in_full(run: Run, polluted: Path) -> None:
    words = ("health", polluted / "table.json", "--corpus", polluted / "corpus")
    told = json.loads(run(*words, "--json").out)
    name, count = max(told["counts"].items(), key=lambda item: item[1])
    result = run(*words, "--kind", name)
    body = result.out.partition(f"\n{KINDS[name].title}: {count:,} flags\n")[2]
    ids = [flag["id"] for flag in told["flags"] if flag["kind"] == name]
    assert count > 8 and all(f" {token} " in body for token in ids)
    others = [kind for kind, many in told["counts"].items() if many and kind != name]
    assert others and all(f"\n{KINDS[kind].title}: " not in result.out for kind in others)
    wrong = run("health", polluted / "table.json", "--kind", "glitch")
    assert wrong.status == 2 and "there is no kind 'glitch'; there are unreachable," in wrong.err


def test_thresholds(run: Run, polluted: Path) -> None:
    words = ("health", polluted / "table.json", "--corpus", polluted / "corpus", "--json")
    usual = json.loads(run(*words).out)
    strict = json.loads(
        run(*words, "--threshold", "rare_uses=1000", "--threshold", "long-bytes=3").out
    )
    assert strict["thresholds"] == usual["thresholds"] | {"rare_uses": 1_000, "long_bytes": 3}
    assert strict["counts"]["rare"] > usual["counts"]["rare"]
    assert strict["counts"]["over-long"] > usual["counts"]["over-long"] == 0


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("rare_uses", "'rare_uses' is no threshold; write it as rare_uses=3"),
        ("rarity=3", f"threshold “rarity”; there are {', '.join(LIMITS)}"),
        ("rare_uses=2.5", "The threshold “rare_uses” is '2.5'; it must be a whole number"),
        ("scaffold_ratio=nan", "The threshold “scaffold_ratio” is not finite; it must be"),
        ("scaffold_ratio=2", "The threshold “scaffold_ratio” is 2.0; it must be a number from 0"),
    ],
)
def test_wrong_thresholds(run: Run, low: Path, given: str, told: str) -> None:
    result = run("health", low, "--threshold", given)
    assert result.status == 2 and result.out == ""
    assert told in result.err


def test_before_and_after(run: Run, polluted: Path) -> None:
    tables = (polluted / "small.json", "--before", polluted / "table.json")
    words = ("health", *tables, "--corpus", polluted / "corpus")
    result = run(*words)
    assert f"Before and after: {polluted / 'table.json'} → {polluted / 'small.json'}" in result.out
    told = json.loads(run(*words, "--json").out)
    change = told["change"]
    assert change["before"] == str(polluted / "table.json")
    kinds = {kind["kind"]: kind for kind in change["kinds"]}
    one = json.loads(run("health", *tables[2:], "--corpus", polluted / "corpus", "--json").out)
    assert {name: kind["before"] for name, kind in kinds.items()} == one["counts"]
    assert {name: kind["after"] for name, kind in kinds.items()} == told["counts"]
    concentrated = {flag["bytes"] for flag in one["flags"] if flag["kind"] == "concentrated"} - {
        flag["bytes"] for flag in told["flags"] if flag["kind"] == "concentrated"
    }
    assert concentrated == {token["bytes"] for token in kinds["concentrated"]["gone"]} != set()
    assert "no longer concentrated: " in result.out
    figures = {figure["name"]: figure for figure in change["figures"]}
    assert figures["used"]["before"] == one["used"] and figures["used"]["after"] == told["used"]


def test_reports_are_saved(run: Run, polluted: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"report.{suffix}" for suffix in ("html", "md", "csv", "json")]
    options = [word for file in files for word in ("-o", file)]
    words = ("health", *options, "--corpus", polluted / "corpus", polluted / "table.json")
    result = run(*words)
    assert result.status == 0
    assert f"Saved {files[0]}: HTML, " in result.err and f"Saved {files[3]}: JSON, " in result.err
    assert "\nConcentrated: " not in result.out and " Concentrated\n" in result.out
    told = json.loads(files[3].read_text())
    assert len(files[2].read_text().splitlines()) == 1 + len(told["flags"])
    assert "zorgblat" in files[0].read_text() and "zorgblat" in files[1].read_text()
    assert files[3].read_text() == run("health", *words[9:], "--json").out
    again = run(*words)
    assert again.status == 0  # a report may be replaced


def test_what_is_no_report_is_not_replaced(run: Run, low: Path, tmp_path: Path) -> None:
    other = tmp_path / "notes.md"
    other.write_text("# Notes\n")
    result = run("health", low, "-o", other)
    assert result.status == 1
    assert f"{other} is there and is no report of health; name another file." in result.err
    assert other.read_text() == "# Notes\n"
    result = run("health", low, "-o", tmp_path / "report.txt")
    assert result.status == 1 and "a report is .html, .md, .csv or .json" in result.err
    result = run("health", low, "-o", tmp_path / "no" / "report.md")
    assert result.status == 1 and "there is no folder" in result.err
    assert result.out == ""


def test_text_key(run: Run, low: Path, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"body": "low lower"}\n')
    result = run("health", low, "--text-key", "body", "--corpus", tmp_path / "a.jsonl", "--json")
    assert json.loads(result.out)["used"] == 3
    result = run("health", low, "--text-key", "body")
    assert result.status == 2
    assert "--text-key goes with --corpus" in result.err


def test_what_cannot_be_looked_at(run: Run, low: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = run("health", low, "--corpus", tmp_path / "empty")
    assert result.status == 1
    assert result.err.splitlines()[-1] == "bpe-studio: The corpus holds no text."
    result = run("health", low, "--corpus", tmp_path / "nothing")
    assert result.status == 1
    assert "nothing cannot be read: there is no such file or folder." in result.err


def test_what_was_left_out_is_told(run: Run, low: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("low lower")
    (tmp_path / "b.txt").write_bytes(b"low\0low")
    result = run("health", low, "--corpus", tmp_path, "--json")
    told = json.loads(result.out)
    assert len(told["corpus"]["problems"]) == 1
    assert f"bpe-studio: {told['corpus']['problems'][0]}" in result.err.splitlines()
