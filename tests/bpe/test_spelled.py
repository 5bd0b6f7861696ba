"""Specials in streamed text against a plain search in the whole text."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe import spelled
from bpe_studio.bpe.spelled import SpelledSearch

NAMES = ("<s>", "</s>", "<s><s>", "a", "ab|", "<|é|>b", "[x]", "é日", "日日日", "<|", "<|a|><|")
PARTS = (*NAMES, "<", "|", ">", "<|a|>", "<|日é|>", "<|\n|>", "\r", "s", "b", " ", "é")


def plain(names: tuple[str, ...], text: str) -> Counter[str]:
    """Leftmost, longest, one after another."""
    found: Counter[str] = Counter()
    place = 0
    while place < len(text):
        here = [name for name in names if text.startswith(name, place)] + shaped(text, place)
        name = max(here, key=len, default="")
        found[name] += bool(name)
        place += len(name) or 1
    return +found


def shaped(text: str, place: int) -> list[str]:
    end = text.find("|>", place + 2)
    inside = text[place + 2 : end]
    if not text.startswith("<|", place) or end < 0 or not 1 <= len(inside) <= 40:
        return []
    return [] if set(inside) & set("<>|\r\n") else [text[place : end + 2]]


documents = st.lists(
    st.tuples(st.integers(0, 2), st.lists(st.lists(st.sampled_from(PARTS)).map("".join))),
    max_size=5,
).map(lambda rows: sorted(rows, key=lambda row: row[0]))


@pytest.mark.parametrize("enough", [1, 7, 100, spelled._ENOUGH])
@given(
    names=st.sets(st.sampled_from(NAMES)).map(tuple),
    rows=documents,
    repeats=st.sampled_from([1, 40]),
)
def test_equals_a_plain_search(
    enough: int, names: tuple[str, ...], rows: list[tuple[int, list[str]]], repeats: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spelled, "_ENOUGH", enough)
        search = SpelledSearch(names)
        for document, (file, blocks) in enumerate(rows):
            for block in blocks * repeats:
                search.feed(document, file, block.encode(), False)
            search.feed(document, file, b"", True)
        found = {one.name: one for one in search.found()}
    counts = [plain(names, "".join(blocks * repeats)) for _, blocks in rows]
    assert {name: one.count for name, one in found.items()} == sum(counts, Counter())
    for name, one in found.items():
        assert one.documents == sum(name in count for count in counts)
        for file in range(3):
            of_file = [c for c, row in zip(counts, rows, strict=True) if row[0] == file]
            assert one.files.get(file, 0) == sum(count[name] for count in of_file)


def test_the_most_frequent_comes_first() -> None:
    search = SpelledSearch(["<s>"])
    search.feed(0, 0, b"<|b|> <s> <|b|> <|a|> <|", False)
    search.feed(0, 0, b"b|><|c", True)
    search.feed(1, 0, b"|>", True)
    assert [(one.name, one.count) for one in search.found()] == [
        ("<|b|>", 3), ("<s>", 1), ("<|a|>", 1),
    ]  # fmt: skip


def test_the_shape_has_a_longest() -> None:
    search = SpelledSearch([])
    for length in (1, 40, 41):
        search.feed(0, 0, f"<|{'é' * length}|> ".encode(), False)
    search.feed(0, 0, b"<||> <|a\r|> <|a<|b|>", True)
    assert {one.name: one.count for one in search.found()} == {
        "<|é|>": 1, f"<|{'é' * 40}|>": 1, "<|b|>": 1,
    }  # fmt: skip


def test_different_shapes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spelled, "_MOST_SHAPED", 3)
    search = SpelledSearch(["<|9|>"])
    for number in range(10):
        search.feed(number, 0, f"<|{number}|> <|0|>".encode(), True)
    assert {one.name: one.count for one in search.found()} == {
        "<|0|>": 11, "<|1|>": 1, "<|2|>": 1, "<|9|>": 1,
    }  # fmt: skip
