"""A file of HTML as its elements and texts, by a parser that knows nothing of how it was made."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "img", "br", "hr", "input"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    parent: Element | None = None
    children: list[Element] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text inside, in order of its pieces."""
        return "".join(self.words)

    def all(self, tag: str) -> list[Element]:
        found = [child for child in self.children if child.tag == tag]
        return [*found, *(one for child in self.children for one in child.all(tag))]


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self.open[-1])
        assert len(element.attributes) == len(attrs), f"an attribute of {tag} is there twice"
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> ends <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.words.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data!r}")


def parse(data: bytes) -> Element:
    """The document; fails where elements are not balanced."""
    parser = _Parser()
    parser.feed(data.decode("utf-8"))
    parser.close()
    assert [element.tag for element in parser.open] == [""], "an element is never ended"
    return parser.root


def rows_of(table: Element) -> list[list[str]]:
    """The cells of the body of a table."""
    (body,) = table.all("tbody")
    return [[cell.text for cell in row.all("td")] for row in body.all("tr")]


def walk(element: Element) -> list[Element]:
    return [element, *(one for child in element.children for one in walk(child))]
