"""The rules of a tokenizer come back from a native file as they were, and are checked strictly."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio import formats
from bpe_studio.bpe.edits import (
    CharsMap,
    Lowercase,
    Nmt,
    Prepend,
    Replace,
    Strip,
    StripAccents,
    Unicode,
)
from bpe_studio.bpe.patterns import OTHERS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import AddedToken, Split, TextRules, Unknown
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats import studio
from tests.bpe.test_chars_map import trie
from tests.formats.test_studio_reader import small

MAP = trie({b"a": 0}, b"b\0")
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)
edits = st.one_of(
    st.builds(Unicode, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"])),
    st.builds(Replace, st.sampled_from(["a", r"\s+", "(?i:x)"]), words),
    st.builds(Prepend, words, st.booleans(), st.booleans()),
    st.builds(Strip, st.booleans(), st.booleans()),
    st.builds(CharsMap, st.just(MAP), st.booleans(), st.lists(words).map(tuple)),
    st.sampled_from([Lowercase(), Nmt(), StripAccents()]),
)
behaviors = ["isolated", "removed", "merged-with-previous", "merged-with-next", "contiguous"]
splits = st.builds(Split, st.sampled_from(["a", r"\s+"]), st.sampled_from(behaviors), st.booleans())
IDS = sorted(small().special_ids.values())
rules = st.builds(
    TextRules,
    added=st.lists(
        st.builds(AddedToken, words, st.sampled_from(IDS), *[st.booleans()] * 5), max_size=2
    ).map(tuple),
    normalizer=st.lists(edits, max_size=3).map(tuple),
    pre_tokenizer=st.lists(edits | splits, max_size=3).map(tuple),
    fixed=st.lists(st.tuples(words, st.sampled_from(IDS)), max_size=2).map(tuple),
    unknown=st.none() | st.builds(Unknown, st.sampled_from(IDS), st.booleans()),
    word_prefix=st.just("") | words,
    word_end=st.just("") | words,
    strip_left=st.integers(0, 3),
)


@given(rules, st.just("") | words, st.sampled_from(sorted(OTHERS)))
def test_there_and_back(rules: TextRules, view_only: str, pattern: str) -> None:
    tokenizer = dataclasses.replace(
        small(), rules=rules, view_only=view_only, pattern=OTHERS[pattern], training=None
    )
    data = studio.data_of(tokenizer)
    again = formats.read(data, "t.json")
    assert (again.rules, again.view_only, again.pattern) == (rules, view_only, OTHERS[pattern])
    assert studio.data_of(again) == data


def ruled() -> Tokenizer:
    rules = TextRules(
        added=(AddedToken("<bos>", 1),),
        normalizer=(Unicode("NFC"), Replace("a", "b"), CharsMap(MAP)),
        pre_tokenizer=(Split("a", "removed"),),
        fixed=(("x", 1),),
        unknown=Unknown(1),
    )
    return dataclasses.replace(small(), rules=rules)


def changed(change: Callable[[Any], None]) -> bytes:
    root = json.loads(studio.data_of(ruled()))
    change(root["rules"])
    return json.dumps(root).encode()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r.update(more=1), 'rules has the unknown key "more"'),
        (lambda r: r.update(added={}), "rules.added must be a list"),
        (lambda r: r["added"][0].update(id=True), r"added\[0\].id must be an integer"),
        (lambda r: r["added"][0].update(id=77_000), "the added token '<bos>' has the id 77000"),
        (lambda r: r["added"][0].update(content=""), r"added\[0\].content is empty"),
        (lambda r: r["added"][0].update(lstrip=1), r"added\[0\].lstrip must be true or false"),
        (lambda r: r["added"][0].pop("rstrip"), r"added\[0\] has no key 'rstrip'"),
        (lambda r: r["normalizer"][0].update(form="NFX"), r"normalizer\[0\].form must be"),
        (lambda r: r["normalizer"][0].update(type="Split"), r"normalizer\[0\] has"),
        (lambda r: r["normalizer"][0].update(type=3), r"normalizer\[0\].type must be"),
        (lambda r: r["normalizer"][1].update(expression="("), "expression is no valid expression"),
        (lambda r: r["normalizer"][1].update(text="\ud800"), "text holds a lone surrogate"),
        (lambda r: r["normalizer"][2].update(data="%"), r"normalizer\[2\].data is no base64"),
        (lambda r: r["normalizer"][2].update(data="YWJj"), r"\[2\].data is no map of characters"),
        (lambda r: r["normalizer"].append(r["pre_tokenizer"][0]), r"\[3\] is a Split, which cuts"),
        (lambda r: r["fixed"][0].pop(), r"fixed\[0\] must be a text and its id"),
        (lambda r: r["fixed"][0].__setitem__(1, 5000), "the fixed piece 'x' has the id 5000"),
        (lambda r: r["unknown"].update(id=9999), "the unknown token has the id 9999"),
        (lambda r: r.update(strip_left=-1), "strip_left must be an integer"),
    ],
)
def test_what_is_wrong(change: Callable[[Any], None], message: str) -> None:
    with pytest.raises(ValueError, match=rf"^t\.json: (?s:.*){message}"):
        formats.read(changed(change), "t.json")


def test_a_table_with_marks_of_words() -> None:
    names = ["a", "##b", "ab", "b</w>"]
    data = [name.encode() for name in names]
    table = MergeTable(
        base="chars",
        byte_ids=np.full(256, -1, np.int32),
        char_ids={},
        merges=np.array([(0, 1, 2)], np.int32),
        token_ids=np.arange(4, dtype=np.int32),
        token_data=np.frombuffer(b"".join(data), np.uint8),
        token_offsets=np.cumsum([0, *map(len, data)], dtype=np.int64),
    )
    rules = TextRules(word_prefix="##", word_end="</w>")
    tokenizer = Tokenizer(table, OTHERS["whole"], rules=rules)
    again = formats.read(studio.data_of(tokenizer), "t.json")
    assert [again.token_bytes(number).decode() for number in range(4)] == names
    assert again.merges == [(0, 1, 2)]
