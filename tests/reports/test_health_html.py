"""The report as HTML: whole, closed in itself, and every text escaped."""

from __future__ import annotations

import base64
import hashlib

from hypothesis import given, settings

from bpe_studio.analysis.flags import KINDS
from bpe_studio.bpe.decoder import readable
from bpe_studio.reports.health import HealthSubject
from bpe_studio.reports.health_kinds import MOST_ROWS, kind_sections
from bpe_studio.reports.health_page import health_page
from bpe_studio.reports.html import html_chunks
from bpe_studio.reports.page import Table
from bpe_studio.reports.words import cut, safe_words
from tests.reports.health_subjects import HOSTILE, made_subject, plain_subject, subjects
from tests.reports.html_page import Element, parse, rows_of, walk

TAGS = {
    "", "html", "head", "meta", "title", "style", "body", "header", "main", "footer", "nav",
    "section", "h1", "h2", "h3", "h4", "p", "ul", "li", "a", "dl", "dt", "dd", "div", "span",
    "bdi", "mark",
    "table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption",
    "svg", "desc", "line", "text", "rect", "path", "g",
}  # fmt: skip
ATTRIBUTES = {
    "lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "aria-label",
    "aria-labelledby", "aria-hidden", "tabindex", "role", "scope", "viewbox", "text-anchor",
    "transform", "x", "y", "x1", "x2", "y1", "y2", "width", "height", "rx", "d",
}  # fmt: skip


def _page(subject: HealthSubject) -> Element:
    return parse(b"".join(html_chunks(health_page(subject))))


def _tables(page: Element) -> dict[str, Element]:
    return {table.attributes["aria-label"]: table for table in page.all("table")}


@settings(max_examples=60)
@given(subjects)
def test_it_is_whole_and_closed_in_itself(subject: HealthSubject) -> None:
    elements = walk(_page(subject))
    assert {element.tag for element in elements} <= TAGS
    ids = [element.attributes["id"] for element in elements if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    for element in elements:
        assert set(element.attributes) <= ATTRIBUTES, element.tag
        link = element.attributes.get("href", "#found")
        assert link.startswith("#") and link[1:] in ids
        for name in element.attributes.get("aria-labelledby", "").split():
            assert name in ids


def _shown(subject: HealthSubject, token: int) -> str:
    return safe_words(cut(readable(subject.tokenizer.token_bytes(token))))


@settings(max_examples=60)
@given(subjects)
def test_every_value_is_there_as_text(subject: HealthSubject) -> None:
    page = _page(subject)
    whole = page.text
    assert all(char.isprintable() or char == "\n" for char in whole)
    tables = _tables(page)
    for kind, count in subject.report.counts.items():
        if not count:
            assert f"Tokens: {KINDS[kind].title}" not in tables
            continue
        rows = rows_of(tables[f"Tokens: {KINDS[kind].title}"])
        flags = subject.report.of_kind(kind)[:MOST_ROWS]
        tokens = [_shown(subject, flag.id) for flag in flags]
        assert [row[0] for row in rows] == tokens
        assert [row[1] for row in rows] == [f"{flag.id:,}" for flag in flags]


def test_the_policy_allows_the_style_and_nothing_else() -> None:
    page = _page(made_subject([b"low"]))
    (style,) = page.all("style")
    digest = base64.b64encode(hashlib.sha256(style.text.encode()).digest()).decode()
    (policy,) = [meta for meta in page.all("meta") if "http-equiv" in meta.attributes]
    assert policy.attributes["http-equiv"] == "Content-Security-Policy"
    assert policy.attributes["content"] == f"default-src 'none'; style-src 'sha256-{digest}'"
    assert "url(" not in style.text and "@import" not in style.text


def test_plots_have_words() -> None:
    page = _page(made_subject([text.encode() for text in HOSTILE]))
    plots = [svg for svg in page.all("svg") if svg.attributes["class"] == "plot"]
    assert len(plots) == 2
    for plot in plots:
        title, text = plot.children[:2]
        assert (title.tag, text.tag) == ("title", "desc")
        named = f"{title.attributes['id']} {text.attributes['id']}"
        assert plot.attributes["aria-labelledby"] == named
        assert len(title.text) > 10 and len(text.text) > 40
    bars = [word.text for word in plots[0].all("text")]
    assert {KINDS[kind].title for kind in made_subject([b"low"]).report.counts} <= set(bars)


def test_what_is_not_known_has_no_section() -> None:
    page = _page(plain_subject(b"aaaa"))
    titles = [head.text for head in page.all("h2")]
    assert titles == ["What was found", "The table", "Tokens by kind", "How this report was made"]
    assert "Not known without a corpus: concentrated" in page.text
    assert page.all("title")[0].text == "Health of mine.json"
    full = [head.text for head in _page(made_subject([b"aaaa"])).all("h2")]
    assert full[1] == "Before and after" and "In the corpus" in full


def test_a_long_kind_is_cut_and_says_so() -> None:
    tokens = [b"-" * (4 + number) for number in range(MOST_ROWS + 30)]
    subject = made_subject(tokens)
    page = _page(subject)
    runs = rows_of(_tables(page)["Tokens: Run"])
    assert len(runs) == MOST_ROWS
    assert f"and {subject.report.counts['run'] - MOST_ROWS} more flags" in page.text
    (section,) = [one for one in kind_sections(subject) if one.anchor == "kind-run"]
    assert sum(len(block.rows) for block in section.blocks if isinstance(block, Table)) == MOST_ROWS
