"""Specials of the table and of others in text, with their ids and files."""

from __future__ import annotations

from bpe_studio.analysis import spelled_specials as module
from bpe_studio.analysis.corpus_use import SpelledSpecial
from bpe_studio.analysis.spelled_specials import special_search, spelled_specials
from tests.analysis.tables import make_pair


def test_ids_and_files() -> None:
    specials = {"<tool>": 300, "\n\n": 301, "é": 302}
    search = special_search(make_pair([], specials=specials).tokenizer)
    search.feed(0, 0, "a<tool>\n\né <|im_start|>".encode(), True)
    search.feed(1, 2, b"<|im_start|> [INST]<|im_start|>", True)
    search.feed(2, 2, b"<|im_start|>", True)
    assert spelled_specials(search, ("a.txt", "b.txt", "c.jsonl"), specials) == (
        SpelledSpecial("<|im_start|>", None, 4, 3, (("c.jsonl", 3), ("a.txt", 1))),
        SpelledSpecial("<tool>", 300, 1, 1, (("a.txt", 1),)),
        SpelledSpecial("[INST]", None, 1, 1, (("c.jsonl", 1),)),
    )


def test_own_specials_are_always_told(monkeypatch: object) -> None:
    monkeypatch.setattr(module, "_MOST", 1)
    specials = {"<|z|>": 300}
    search = special_search(make_pair([], specials=specials).tokenizer)
    search.feed(0, 0, b"<|a|><|a|><|b|><|z|>", True)
    told = spelled_specials(search, ["x"], specials)
    assert [(one.name, one.id) for one in told] == [("<|a|>", None), ("<|z|>", 300)]


def test_files_are_those_with_most_of_it() -> None:
    search = special_search(make_pair([]).tokenizer)
    for file in range(12):
        search.feed(file, file, b"<s>" * file, True)
    (told,) = spelled_specials(search, [str(file) for file in range(12)], {})
    assert told.files == tuple((str(file), file) for file in range(11, 1, -1))
