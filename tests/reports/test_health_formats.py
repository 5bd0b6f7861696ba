"""The four formats of a report on tokens: they agree, and each gives hostile text back as it is."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt

from bpe_studio.analysis.flags import KINDS
from bpe_studio.bpe.decoder import readable
from bpe_studio.reports.health import (
    SUFFIXES,
    HealthSubject,
    health_chunks,
    health_format,
    write_health,
)
from bpe_studio.reports.health_csv import COLUMNS
from bpe_studio.reports.health_kinds import MOST_ROWS
from bpe_studio.reports.markdown import code, escaped
from bpe_studio.reports.words import percent, safe_words, whole
from tests.reports.health_subjects import (
    HOSTILE,
    SPECIAL,
    file_names,
    made_subject,
    plain_subject,
    subjects,
)
from tests.reports.html_page import Element, parse, rows_of


def _made(subject: HealthSubject, suffix: str) -> bytes:
    return b"".join(health_chunks(subject, f"report{suffix}"))


def _rendered(markdown: str) -> Element:
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown)
    return parse(html.replace("<br>", " ").encode())


def _csv(subject: HealthSubject) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(_made(subject, ".csv").decode("utf-8"), newline="")))


def _unquoted(cell: str) -> str:
    """Without the apostrophe that keeps a spreadsheet from running a cell."""
    return cell[1:] if cell.startswith("'") and cell[1:2] in ("=", "+", "-", "@") else cell


@settings(max_examples=50)
@given(subjects)
def test_the_formats_agree(subject: HealthSubject) -> None:
    told = json.loads(_made(subject, ".json"))
    html, markdown = parse(_made(subject, ".html")), _rendered(_made(subject, ".md").decode())
    table = _csv(subject)
    assert told["counts"] == subject.report.counts
    assert len(told["flags"]) == len(table) == len(subject.report.flags)
    found = [
        [KINDS[kind["kind"]].title, whole(kind["count"]), percent(kind["share"])]
        for kind in told["kinds"]
        if kind["count"]
    ]
    (by_html, by_markdown) = (page.all("table")[0] for page in (html, markdown))
    assert [[row[0], *row[2:4]] for row in rows_of(by_html)] == found
    assert [[row[0].split(" ", 1)[1], *row[2:4]] for row in rows_of(by_markdown)] == found
    for flag, row in zip(told["flags"], table, strict=True):
        for name in ("id", "rank", "other_engine", "final", "created", "documents", "share"):
            assert row[name] == ("" if flag[name] is None else str(flag[name]))
        assert (row["kind"], row["bytes"]) == (flag["kind"], flag["bytes"])
        assert flag["token"] == readable(bytes.fromhex(flag["bytes"]))
        assert flag["token"] in (row["token"], _unquoted(row["token"]))


@settings(max_examples=50)
@given(subjects)
def test_markdown_shows_every_token_as_html_does(subject: HealthSubject) -> None:
    pages = (parse(_made(subject, ".html")), _rendered(_made(subject, ".md").decode()))
    heads = ("Token", "Id", "Rank", "F1", "DF", "Share", "Evidence")
    html, markdown = (
        [
            [_bare(cell) for cell in row[:6]]
            for table in page.all("table")
            if _titles(table) == heads
            for row in rows_of(table)
        ]
        for page in pages
    )
    assert markdown == html and len(html) == len(subject.report.flags)


def _titles(table: Element) -> tuple[str, ...]:
    return tuple(cell.text for cell in table.all("th"))


def _bare(cell: str) -> str:
    """A browser shows spaces in a row as one."""
    return " ".join(cell.split())


@settings(max_examples=300)
@given(file_names)
def test_text_as_markdown_is_that_text(text: str) -> None:
    for shown in (escaped(text), code(text)):
        page = _rendered(f"| a | b |\n| --- | --- |\n| {shown} | x{shown}y |\n")
        ((first, second),) = rows_of(page.all("table")[0])
        assert _bare(first) == _bare(safe_words(text))
        assert _bare(second) == _bare(f"x{safe_words(text)}y")
        assert not page.all("a") and not page.all("img") and not page.all("em")


@pytest.mark.parametrize("text", HOSTILE)
def test_csv_cells_run_nothing(text: str) -> None:
    subject = made_subject([text.encode()], files=(text, "=x.csv"))
    for line in csv.reader(io.StringIO(_made(subject, ".csv").decode("utf-8"), newline="")):
        assert len(line) == len(COLUMNS)
        assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for cell in line)
        assert not any("\n" in cell or "\u202e" in cell for cell in line)


def test_json_has_what_programs_need() -> None:
    told = json.loads(_made(made_subject([b"a" * 9, b"<a>"], seed=1), ".json"))
    assert (told["format"], told["version"], told["program"]) == ("bpe-studio health", 1, "1.2.3")
    assert told["use"]["specials"][0] == {
        "name": "<a>", "id": SPECIAL, "count": 12, "documents": 3,
        "files": [{"file": "a.txt", "count": 4}, {"file": "b.txt", "count": 4}],
    }  # fmt: skip
    assert told["use"]["failure_count"] == 120
    assert told["use"]["failures"] == [{"file": "a.txt", "row": 1}]
    assert told["use"]["scripts"][0]["characters_per_token"] == 90 / 40
    assert told["thresholds"]["rare_uses"] == 4
    assert told["corpus"] == {
        "name": "a.txt, b.txt", "fingerprint": "0123abcd", "problems": ["a.txt: left out."],
    }  # fmt: skip
    assert {kind["kind"] for kind in told["change"]["kinds"]} == set(told["counts"])
    gone = {token["bytes"] for kind in told["change"]["kinds"] for token in kind["gone"]}
    assert b"gone      ".hex() in gone
    whole_table = told["integrity"]
    assert sum(size["count"] for size in whole_table["sizes"]) == told["tokenizer"]["vocab_size"]
    page = parse(_made(made_subject([b"a" * 9, b"<a>"], seed=1), ".html")).text
    assert whole_table["size_sentence"] in page
    assert all(sentence in page for sentence in whole_table["sentences"])
    context = next(flag["context"] for flag in told["flags"] if flag["context"])
    assert (context["file"], context["row"], context["offset"]) == ("a.txt", 1, 1_234)
    plain = json.loads(_made(plain_subject(b"aaaa"), ".json"))
    assert plain["use"] is plain["corpus"] is plain["change"] is plain["used"] is None
    assert plain["flags"][0]["final"] is None


def test_a_long_table_is_written_in_parts() -> None:
    subject = made_subject([b"-" * (4 + n) for n in range(1_500)], with_change=False)
    chunks = list(health_chunks(subject, "x.json"))
    assert len(chunks) > 2
    assert len(json.loads(b"".join(chunks))["flags"]) == len(subject.report.flags) > 1_500
    assert len(_csv(subject)) == len(subject.report.flags)
    (rows,) = [
        rows_of(table)
        for table in parse(_made(subject, ".html")).all("table")
        if table.attributes["aria-label"] == "Tokens: Run"
    ]
    assert len(rows) == MOST_ROWS


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_report_is_saved_by_its_suffix(tmp_path: Path, suffix: str) -> None:
    subject, path = plain_subject(b"aaaa"), tmp_path / f"report{suffix.upper()}"
    write_health(subject, path)
    assert path.read_bytes() == _made(subject, suffix) != b""
    assert health_format(path)


@pytest.mark.parametrize("name", ["report.txt", "report", "report.html.gz"])
def test_another_suffix_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"a report is \.html, \.md, \.csv or \.json; name it"):
        write_health(plain_subject(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []
