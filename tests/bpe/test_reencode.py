"""After an edit, a stretch encoded anew and spliced in is what encoding everything gives."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe import reencode as module
from bpe_studio.bpe.edits import Lowercase
from bpe_studio.bpe.encoder import Encoding
from bpe_studio.bpe.patterns import OTHERS, PRESETS, resolve_pattern
from bpe_studio.bpe.reencode import Edit, can_reencode, edit_between, reencode, stretch_of
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import AddedToken, TextRules
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.bpe.merge_tables import any_merges
from tests.texts import any_text, hard_text

PATTERNS = [*PRESETS.values(), OTHERS["words"], OTHERS["spaces"], resolve_pattern(r"\w+|\W")]
SPECIALS = {"<bos>": 1000, "<eos>": 1001, "<|x|>": 1002, "a b": 1003}
plain = st.lists(
    st.sampled_from([" a", "b", "ab ", "c", "\n", "\r\n", "1", "12", ".", "é", "  "]), max_size=30
).map("".join)
texts = any_text | plain | st.tuples(plain, hard_text, plain).map("".join)


def lists(encoding: Encoding) -> tuple[list[int], list[list[int]]]:
    return encoding.ids.tolist(), np.reshape(encoding.offsets, (-1, 2)).tolist()


@st.composite
def edits(draw: st.DrawFn, text: str) -> Edit:
    position = draw(st.integers(0, len(text)))
    removed = draw(st.integers(0, min(6, len(text) - position)))
    return Edit(position, removed, draw(hard_text | plain | st.just("")))


@given(st.data(), any_merges(), st.sampled_from(PATTERNS), texts)
def test_a_stretch_is_as_good_as_all(
    data: st.DataObject, merges: list[tuple[int, int, int]], pattern: object, text: str
) -> None:
    engine = data.draw(st.sampled_from(["merges", "whole-piece-first"]))
    table = MergeTable.build(byte_ids=range(256), merges=merges)
    tokenizer = Tokenizer(table, pattern, SPECIALS, engine=engine)
    allowed = data.draw(st.sampled_from([None, "all", ("<bos>", "<|x|>"), ()]))
    encoding = tokenizer.encode_with_offsets(text, allowed_special=allowed)
    for _ in range(3):  # what is spliced may be spliced again
        edit = data.draw(edits(text))
        encoding = reencode(tokenizer, text, encoding, edit, allowed_special=allowed)
        text = edit.applied_to(text)
        assert lists(encoding) == lists(
            tokenizer.encode_with_offsets(text, allowed_special=allowed)
        )


@pytest.mark.parametrize("pattern", PRESETS.values(), ids=lambda pattern: pattern.name)
@given(st.data())
def test_the_stretch_is_short_and_cut_where_pieces_begin(
    pattern: object, data: st.DataObject
) -> None:
    words = "the lowest newer\nwidest, 12 words. "
    text = words * 30
    edit = data.draw(edits(text))
    edit = replace(edit, added=edit.added[:10])
    part = stretch_of(pattern, text, edit.applied_to(text), edit)
    assert part.new_end - part.begin < 10 + 2 * len(words)
    assert part.begin <= edit.position
    assert part.old_end >= edit.position + edit.removed


def test_only_the_stretch_is_encoded() -> None:
    table = MergeTable.build(byte_ids=range(256), merges=[(97, 98, 256)])
    tokenizer = Tokenizer(table, PRESETS["gpt2"])
    text = "ab ba " * 5000
    encoding = tokenizer.encode_with_offsets(text)
    seen = []
    whole = Tokenizer.encode_with_offsets

    def noted(self: Tokenizer, text: str, **options: object) -> Encoding:
        seen.append(len(text))
        return whole(self, text, **options)

    with patch.object(Tokenizer, "encode_with_offsets", noted):
        found = reencode(tokenizer, text, encoding, Edit(15_000, 1, "xyz"))
    assert seen[0] < 30
    assert lists(found) == lists(
        tokenizer.encode_with_offsets(Edit(15_000, 1, "xyz").applied_to(text))
    )


def test_far_cuts_are_not_looked_for() -> None:
    with patch.object(module, "_REACH", 8):
        part = stretch_of(PRESETS["gpt2"], "a " + "b" * 50 + " c", "", Edit(30, 0, ""))
        assert part.begin == 0
        text = "b" * 50 + " c"
        assert stretch_of(PRESETS["gpt2"], text, text, Edit(3, 0, "")).new_end == len(text)


def test_what_cannot_be_known_is_encoded_whole() -> None:
    table = MergeTable.build(byte_ids=range(256), merges=[])
    plain = Tokenizer(table, PRESETS["gpt2"], SPECIALS)
    assert can_reencode(plain)
    assert can_reencode(plain, ("<bos>",))
    assert not can_reencode(plain, "all")  # "a b" holds a space
    assert not can_reencode(replace(plain, pattern=resolve_pattern("(?s:..?)")))
    assert not can_reencode(replace(plain, rules=TextRules(normalizer=(Lowercase(),))))
    stripping = TextRules(added=(AddedToken("<bos>", 1000, lstrip=True),))
    assert not can_reencode(replace(plain, rules=stripping))
    lower = replace(plain, rules=TextRules(normalizer=(Lowercase(),)))
    found = reencode(lower, "AB", lower.encode_with_offsets("AB"), Edit(1, 0, "C"))
    assert found.ids.tolist() == list(b"acb")


@given(any_text, any_text, any_text, any_text)
def test_the_edit_between_two_texts(before: str, old: str, new: str, after: str) -> None:
    a, b = before + old + after, before + new + after
    edit = edit_between(a, b)
    assert edit.applied_to(a) == b
    assert edit.removed <= len(old)
    assert len(edit.added) <= len(new)
    assert not (edit.removed and edit.added) or a[edit.position] != edit.added[0]


@given(st.integers(0, 300), st.integers(0, 300), st.sampled_from([1, 2, 64]))
def test_the_edit_in_a_long_text(place: int, length: int, compared: int) -> None:
    text = "ab" * 150
    new = text[:place] + "x" + text[place + length :]
    with patch.object(module, "_COMPARED", compared):
        edit = edit_between(text, new)
    assert (edit.position, edit.added) == (min(place, 300), "x")
