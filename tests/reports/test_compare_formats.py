"""The four formats of a report on two tables: they agree, and hostile text comes as it is."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt

from bpe_studio.analysis.table_uses import uses_by_row
from bpe_studio.bpe.decoder import readable
from bpe_studio.reports.compare import CompareSubject, compare_chunks
from bpe_studio.reports.compare_rows import COLUMNS
from bpe_studio.reports.words import safe_words, whole
from tests.reports.compare_subjects import full_subject, subjects
from tests.reports.health_subjects import HOSTILE
from tests.reports.html_page import Element, parse, rows_of, walk
from tests.reports.test_health_html import ATTRIBUTES, TAGS


def _made(subject: CompareSubject, suffix: str) -> bytes:
    return b"".join(compare_chunks(subject, f"report{suffix}"))


def _rendered(markdown: str) -> Element:
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown)
    return parse(html.replace("<br>", " ").encode())


def _csv(subject: CompareSubject) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(_made(subject, ".csv").decode("utf-8"), newline="")))


def _tables(page: Element) -> dict[str, Element]:
    return {table.attributes["aria-label"]: table for table in page.all("table")}


@settings(max_examples=40)
@given(subjects)
def test_html_is_whole_and_closed_in_itself(subject: CompareSubject) -> None:
    elements = walk(parse(_made(subject, ".html")))
    assert {element.tag for element in elements} <= TAGS
    ids = [element.attributes["id"] for element in elements if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    for element in elements:
        assert set(element.attributes) <= ATTRIBUTES, element.tag
        link = element.attributes.get("href", "#glance")
        assert link.startswith("#") and link[1:] in ids


@settings(max_examples=40)
@given(subjects)
def test_markdown_has_the_rows_of_html(subject: CompareSubject) -> None:
    html, markdown = (
        [
            [[" ".join(cell.split()) for cell in row[:3]] for row in rows_of(table)]
            for table in page.all("table")
        ]
        for page in (parse(_made(subject, ".html")), _rendered(_made(subject, ".md").decode()))
    )
    assert html == markdown and len(html) >= 2


@settings(max_examples=40)
@given(subjects)
def test_csv_and_json_have_every_token(subject: CompareSubject) -> None:
    told = json.loads(_made(subject, ".json"))
    rows = _csv(subject)
    assert len(told["tokens"]) == len(rows) == len(subject.tables)
    for place, (token, row) in enumerate(zip(told["tokens"], rows, strict=True)):
        data = subject.tables.token(place)
        assert row["bytes"] == token["bytes"] == data.hex() and token["token"] == readable(data)
        assert row["token"] in (token["token"], f"'{token['token']}")
        for name in ("id_a", "id_b", "rank_a", "rank_b", "shift"):
            assert row[name] == ("" if token[name] is None else str(token[name]))
        assert (token["id_a"] is not None) == (subject.tables.id_a[place] >= 0)
    assert told["shared"] == sum(t["id_a"] is not None and t["id_b"] is not None
                                 for t in told["tokens"])  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_csv_cells_run_nothing(text: str) -> None:
    subject = replace(full_subject(), names=(text, "=x"))
    for line in csv.reader(io.StringIO(_made(subject, ".csv").decode("utf-8"), newline="")):
        assert len(line) == len(COLUMNS)
        assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for cell in line)


def test_every_section_is_there() -> None:
    page = parse(_made(full_subject(), ".html"))
    assert [head.text for head in page.all("h2")] == [
        "At a glance", "The tables", "Ranks", "Tokens", "In the text", "On the corpus",
        "Languages", "How this report was made",
    ]  # fmt: skip
    assert {head.text for head in page.all("h3")} >= {
        "By kind of file", "By script", "File by file", "Digits", "Dearer under A",
    }  # fmt: skip
    plots = [svg for svg in page.all("svg") if svg.attributes["class"] == "plot"]
    assert len(plots) == 6
    assert all(plot.children[0].tag == "title" and plot.all("desc") for plot in plots)
    assert page.all("title")[0].text == "Comparison of a.json and b.json"
    assert "A has <b>no</b> such |token|." in page.text and "C cannot encode." in page.text
    assert "The files have different numbers of lines" in page.text


def test_figures_are_those_of_the_corpus() -> None:
    subject = full_subject()
    assert subject.corpus is not None
    a, b = subject.corpus.tables
    told = json.loads(_made(subject, ".json"))["corpus"]
    assert [table["tokens"] for table in told["tables"]] == [a.tokens, b.tokens]
    assert told["tables"][0]["characters_per_token"] == subject.corpus.characters / a.tokens
    assert sum(kind["tokens"][1] for kind in told["kinds"]) == b.tokens
    assert {kind["name"] for kind in told["kinds"]} == {"Plain text", "Python"}
    tables = _tables(parse(_made(subject, ".html")))
    rows = rows_of(tables["Figures of each table on the corpus"])
    assert [row[3] for row in rows[:2]] == [whole(a.tokens), whole(b.tokens)]
    uses = uses_by_row(subject.tables, subject.corpus)
    named = [json.loads(_made(subject, ".json"))["tokens"][row] for row in range(300 - 44)]
    assert [token["uses_a"] for token in named] == uses[0][: len(named)].tolist()


def test_json_has_what_programs_need() -> None:
    subject = full_subject()
    told = json.loads(_made(subject, ".json"))
    assert (told["format"], told["version"], told["program"]) == ("bpe-studio compare", 1, "1.2.3")
    assert (told["a"], told["b"], told["same"]) == ("x/a.json", "b.json", False)
    assert told["first_difference"]["a"] == ["61", "62"] and told["first_difference"]["rank"] == 0
    assert told["other_merge"] == int(subject.tables.other_merge.sum()) == 1
    curve = subject.tables.overlap()
    assert told["overlap"] == [
        {"k": k, "shared": shared}
        for k, shared in zip(curve.k.tolist(), curve.shared.tolist(), strict=True)
    ]
    assert {rule["name"] for rule in told["rules"]} >= {"pattern", "merges", "specials"}
    text = told["text"]
    assert (text["tokens_a"], text["tokens_b"]) == tuple(text["tokens"])
    assert sum(text["differences"].values()) == len(text["spans"])
    assert sum(one["times"] for one in text["frequent"]) == len(text["spans"])
    assert text["spans"][0]["reason"] == "no-such-token"
    assert told["parallel"]["ratios"][0][0] == 1.0 and told["parallel"]["lines"] == [1, 5]
    assert told["notes"] == ["C cannot encode."]
    bare = CompareSubject(subject.names, subject.tokenizers, subject.tables)
    plain = json.loads(_made(bare, ".json"))
    assert plain["text"] is plain["corpus"] is plain["parallel"] is None
    assert plain["tokens"][0]["uses_a"] is None


def test_frequent_differences_come_first() -> None:
    texts = full_subject().text
    assert texts is not None
    times = [group.times for group in texts.frequent]
    assert times == sorted(times, reverse=True) and times[0] > 1
    first = texts.frequent[0].first
    assert sum(one.text == first.text for one in texts.spans) >= times[0]
    assert np.count_nonzero([one.text == safe_words(one.text) for one in texts.spans])


def test_a_text_may_be_cut_by_the_first_two_only() -> None:
    full = full_subject()
    third = replace(
        full, names=(*full.names, "c"), tokenizers=(*full.tokenizers, full.tokenizers[0])
    )
    subject = replace(third, corpus=None, corpus_facts=None, parallel=None)
    page = parse(_made(subject, ".html"))
    rows = rows_of(_tables(page)["Figures of each table on the text"])
    assert [row[0] for row in rows] == ["A", "B", "C"] and rows[2][2:] == ["–", "", "–"]
    assert _rendered(_made(subject, ".md").decode()).all("table")
    assert len(json.loads(_made(subject, ".json"))["text"]["tokens"]) == 2
