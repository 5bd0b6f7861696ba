"""Whatever is shown at a size is what the tokenizer of the first merges makes of the text."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.compression import vocab_sizes
from bpe_studio.bpe.edits import Lowercase, Prepend, Unicode
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import AddedToken, TextRules
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.traced_text import trace_text
from bpe_studio.gui.models.text_at_sizes import (
    TextAtSizes,
    byte_at,
    iter_text_at_sizes,
    line_start,
)
from bpe_studio.gui.models.token_layout import TextPlaces, TokenLayout, lay_out, show_text
from tests.bpe.merge_tables import any_merges
from tests.gui.small_tables import small_tokenizer
from tests.gui.test_token_layout import TEXTS as ANY_TEXTS

TEXTS = st.text("abc é\n1<s>\u0301😀", max_size=60)
SPECIAL = {"<s>": 900, "a<": 901}
RULES = (
    TextRules(),
    TextRules(added=(AddedToken("<s>", 900),)),
    TextRules(normalizer=(Unicode("NFC"), Lowercase()), added=(AddedToken("<s>", 900),)),
    TextRules(pre_tokenizer=(Prepend(" "),)),
)
ENGINES = st.sampled_from(["merges", "whole-piece-first"])


def at_sizes(tokenizer: Tokenizer, text: str) -> TextAtSizes:
    return TextAtSizes(trace_text(tokenizer, text), text)


def assert_equal(found: TokenLayout, expected: TokenLayout) -> None:
    for field in fields(TokenLayout):
        ours, theirs = getattr(found, field.name), getattr(expected, field.name)
        assert np.array_equal(ours, theirs), field.name


@given(TEXTS, any_merges(repeats=False), st.sampled_from(RULES), ENGINES)
def test_every_size_equals_the_prefix(
    text: str, merges: list[tuple[int, int, int]], rules: TextRules, engine: str
) -> None:
    table = MergeTable.build(byte_ids=range(256), merges=merges)
    tokenizer = Tokenizer(table, PRESETS["gpt2"], SPECIAL, rules=rules, engine=engine)
    found = at_sizes(tokenizer, text)
    for k in range(len(merges) + 1):
        expected = lay_out(tokenizer.prefix(k), text)
        assert_equal(found.lay_out(k), expected)
        assert found.counts[k] == len(expected)
        assert found.ids(k, 5).tolist() == expected.ids[:5].tolist()


@given(st.text("lowest \n😀é", max_size=80), st.integers(0, 40), st.data())
def test_a_part_is_a_part_of_the_whole(text: str, merges: int, data: st.DataObject) -> None:
    found = at_sizes(small_tokenizer(), text)
    whole = found.lay_out(merges)
    units = len(text.encode("utf-16-le")) // 2
    start = data.draw(st.integers(0, units))
    stop = data.draw(st.integers(start, units))
    part = found.lay_out_part(merges, start, stop)
    inside = (whole.positions[:, 1] > start) & (whole.positions[:, 0] < stop)
    places = {tuple(row): number for number, row in enumerate(part.bytes.tolist())}
    for row in np.flatnonzero(inside).tolist():
        number = places[tuple(whole.bytes[row].tolist())]
        for name in ("ids", "positions", "partial", "hues", "special"):
            assert (getattr(part, name)[number] == getattr(whole, name)[row]).all(), name


def test_the_middle_of_one_long_line() -> None:
    text = "low lowest newer " * 4_000
    found = at_sizes(small_tokenizer(), text)
    whole = found.lay_out(12)
    part = found.lay_out_part(12, 40_000, 40_200)
    assert len(part) < 400
    first = int(np.searchsorted(whole.bytes[:, 0], part.bytes[0, 0]))
    assert part.hues.tolist() == whole.hues[first : first + len(part)].tolist()
    assert part.positions.tolist() == whole.positions[first : first + len(part)].tolist()


def test_the_curve_of_a_text() -> None:
    tokenizer, text = small_tokenizer(), "the lowest löw"
    curve = at_sizes(tokenizer, text).curve
    assert curve.vocab_sizes.tolist() == vocab_sizes(tokenizer).tolist()
    assert curve.tokens[7] == len(tokenizer.prefix(7).encode(text))
    assert (curve.characters, curve.bytes) == (14, 15)


def test_a_table_that_makes_its_added_tokens_is_exact_from_there_on() -> None:
    table = MergeTable.build(byte_ids=range(256), merges=[(97, 98, 256), (97, 99, 257)])
    rules = TextRules(added=(AddedToken("ac", 257, special=False),))
    tokenizer = replace(Tokenizer(table, PRESETS["classic"]), rules=rules)
    assert at_sizes(tokenizer, "ac").exact_from == 2


def test_it_is_made_in_slices() -> None:
    made = iter_text_at_sizes(small_tokenizer(), "low " * 10)
    slices = 0
    while True:
        try:
            next(made)
        except StopIteration as stop:
            assert stop.value.counts[0] == 40
            break
        slices += 1
    assert slices > 1


@given(ANY_TEXTS)
def test_bytes_of_positions_and_of_lines(text: str) -> None:
    places = TextPlaces.of(text)
    for character in range(len(text) + 1):
        before = text[:character]
        byte = byte_at(places, len(before.encode("utf-16-le")) // 2)
        assert byte == len(before.encode())
        assert line_start(places, byte) == len(before[: before.rfind("\n") + 1].encode())


def test_bytes_of_positions_in_a_line_that_is_broken() -> None:
    text = "aé" * 30_000
    places = TextPlaces.of(text)
    document = show_text(text).document
    for position in (0, 999, 1_001, 30_500, len(document)):
        before = document[:position].replace("\n", "")
        assert byte_at(places, position) == len(before.encode())
