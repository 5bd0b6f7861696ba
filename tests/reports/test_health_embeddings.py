"""What the embeddings of a model say, in reports: numbers, the scatter, and hostile tokens."""

from __future__ import annotations

import json

import numpy as np

from bpe_studio.analysis.health import check_all
from bpe_studio.analysis.undertrained import iter_undertrained
from bpe_studio.bpe.generators import result_of
from bpe_studio.reports.health import HealthSubject, health_chunks
from bpe_studio.reports.health_plots import MOST_MARKS, MOST_POINTS, indicators_plot
from tests.analysis.made_matrices import Held, Model, made_rows, made_tokenizer
from tests.reports.html_page import parse, rows_of

TOKENS, ROWS = 600, 640
PLANTED = [300, 411, 599]


def _subject() -> HealthSubject:
    tokenizer = made_tokenizer(TOKENS)
    rows = made_rows(ROWS, 24, [*range(TOKENS + 1, ROWS), *PLANTED])
    found = result_of(iter_undertrained(tokenizer, Model(Held(rows, "<b>wte</b>"))))
    report = check_all(tokenizer, undertrained=found)
    return HealthSubject("mine.json", tokenizer, report)


def test_the_formats_agree() -> None:
    subject = _subject()
    found = subject.report.undertrained
    assert found is not None
    told = json.loads(b"".join(health_chunks(subject, "x.json")))["embeddings"]
    assert [one["id"] for one in told["candidates"]] == found.candidates.tolist()
    assert {one["id"] for one in told["candidates"][:3]} == set(PLANTED)
    assert (told["input"], told["tied"], told["rows"]) == ("<b>wte</b>", True, ROWS)
    assert told["reference"][0]["rows"] == list(found.reference[0].rows)
    page = parse(b"".join(health_chunks(subject, "x.html")))
    (table,) = [
        one
        for one in page.all("table")
        if one.attributes["aria-label"] == "Candidates for under-trained tokens"
    ]
    assert [row[1] for row in rows_of(table)] == [str(one["id"]) for one in told["candidates"]]
    for row, one in zip(rows_of(table), told["candidates"], strict=True):
        values = [f"{value:.3g}" for value in one["indicators"].values()]
        assert row[2:-1] == [f"{one['votes']} of {len(values)}", *values]
    assert found.confidence in page.text and "<b>wte</b>" in page.text
    markdown = b"".join(health_chunks(subject, "x.md")).decode()
    assert "## In the embeddings" in markdown and "`<b>wte</b>`" in markdown


def test_the_scatter_marks_what_is_flagged() -> None:
    subject = _subject()
    plot = indicators_plot(subject)
    assert plot is not None
    page = parse(plot.svg.encode())
    marked = [title.text for title in page.all("title")[1:]]
    (group,) = [one for one in page.all("g") if one.attributes["class"] == "mark violet"]
    names = [title.text for title in group.all("title")]
    told = {int(name.partition("id ")[2].partition(":")[0].replace(",", "")) for name in names}
    assert told & set(PLANTED)
    assert told <= {flag.id for flag in subject.report.of_kind("under-trained")}
    assert plot.text.startswith(f"{np.count_nonzero(subject.report.undertrained.judged):,} tokens")
    crowd = [path for path in page.all("path") if path.attributes.get("class", "")[:5] == "crowd"]
    assert 10 < crowd[0].attributes["d"].count("M") <= MOST_POINTS
    assert len(marked) <= 5 * MOST_MARKS
