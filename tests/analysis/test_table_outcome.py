"""What differs of a table and itself: as it is, through every format and back, with other ids."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bpe_studio import formats
from bpe_studio.analysis.compare import compare_tables
from bpe_studio.analysis.table_outcome import outcome
from bpe_studio.analysis.table_rules import rules_beside
from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import TextRules, Unknown
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.analysis.tables import make_pair, marked_tokenizer, pairs
from tests.bpe.test_trainer import trained
from tests.texts import few_letters

#: What a format cannot hold of a table that was trained here, by the name of the rule.
LOST = {
    "studio": set[str](),
    "huggingface": {"added tokens"},  # it cuts every text at its specials
    "tiktoken": {"specials", "ids of specials", "roles", "vocabulary size", "id bound", "engine"},
    "gpt2": set[str](),
}


def _outcome(a: Tokenizer, b: Tokenizer) -> str:
    return outcome(compare_tables(a, b), rules_beside([a, b]))


@st.composite
def trained_tables(draw: st.DrawFn) -> Tokenizer:
    return trained(
        [*draw(few_letters), "low low lower"],
        vocab_size=draw(st.integers(266, 280)),
        min_freq=1,
        pattern=draw(st.sampled_from(("classic", "gpt2", "llama3"))),
        base=draw(st.sampled_from(("bytes", "chars"))),
        byte_order=draw(st.sampled_from(("value", "gpt2"))),
        ties=draw(st.sampled_from(("first-seen", "smallest-ids"))),
    )


def _with_ids(tokenizer: Tokenizer, seed: int) -> Tokenizer:
    """The same table and specials on other ids."""
    table = tokenizer.table
    old = [*table.ids.tolist(), *tokenizer.special_ids.values()]
    new = random.Random(seed).sample(range(2 * len(old)), len(old))
    other = dict(zip(old, new, strict=True))
    moved = MergeTable.build(
        base=table.base,
        byte_ids=[other.get(number, -1) for number in table.byte_ids.tolist()],
        char_ids={char: other[number] for char, number in table.char_ids.items()},
        merges=[(other[a], other[b], other[c]) for a, b, c in tokenizer.merges],
        tokens={other[n]: tokenizer.token_bytes(n) for n in table.ids.tolist()},
    )
    specials = {name: other[number] for name, number in tokenizer.special_ids.items()}
    return replace(tokenizer, table=moved, special_ids=specials)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_with_itself_nothing_differs(data: st.DataObject) -> None:
    tokenizer = data.draw(pairs().map(lambda pair: pair.tokenizer) | trained_tables())
    assert _outcome(tokenizer, replace(tokenizer)) == "Nothing differs."


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(trained_tables(), st.sampled_from(sorted(formats.WRITERS)))
def test_through_every_format_and_back(tmp_path: Path, tokenizer: Tokenizer, name: str) -> None:
    path = tmp_path / ("t.tiktoken" if name == "tiktoken" else "vocab.json")
    try:
        written = formats.save(tokenizer, path, name)
    except ValueError:
        # Bases of characters, and tokens that merges make twice, are not for every format.
        assert name in ("tiktoken", "gpt2")
        return
    assume(not any("merges that never" in loss for loss in written.losses))
    back = formats.load(path, pattern=tokenizer.pattern.expression)
    found, rules = compare_tables(tokenizer, back), rules_beside([tokenizer, back])
    assert found.same and found.jaccard == 1 and found.ids_moved == found.ranks_moved == 0
    differ = {rule.name for rule in rules if rule.tells and not rule.same}
    assert differ <= LOST[name]
    said = outcome(found, rules)
    if differ:
        assert said.startswith("The tables do not differ: tokens, merges and ids are the same;")
    else:
        assert said == "Nothing differs."


def test_what_a_format_loses_is_told(tmp_path: Path) -> None:
    tokenizer = trained(["low low lower lowest"], vocab_size=280)
    said = {}
    for name, file in (("tiktoken", "t.tiktoken"), ("huggingface", "t.json"), ("gpt2", "v.json")):
        formats.save(tokenizer, tmp_path / file, name)
        said[name] = _outcome(tokenizer, formats.load(tmp_path / file, pattern="classic"))
    same = (
        "The tables do not differ: tokens, merges and ids are the same; around them, what differs"
    )
    assert said == {
        "tiktoken": f"{same} is engine, specials and roles.",
        "huggingface": f"{same} is added tokens.",
        "gpt2": "Nothing differs.",
    }


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers())
def test_with_other_ids_only_ids_differ(data: st.DataObject, seed: int) -> None:
    tokenizer = data.draw(pairs().map(lambda pair: pair.tokenizer) | trained_tables())
    moved = _with_ids(tokenizer, seed)
    found = compare_tables(tokenizer, moved)
    assert found.same_but_ids and found.first_difference is None and found.ranks_moved == 0
    new = {moved.token_bytes(n): n for n in reversed(moved.table.ids.tolist())}
    old = {tokenizer.token_bytes(n): n for n in reversed(tokenizer.table.ids.tolist())}
    assert found.ids_moved == sum(old[token] != new[token] for token in old)
    if found.ids_moved:
        assert not found.same
        said = outcome(found, rules_beside([tokenizer, moved]))
        assert said.startswith(f"Only ids differ: {found.ids_moved:,} of {found.shared:,} token")
        assert "around" not in said


def test_bytes_in_the_order_of_gpt2() -> None:
    settings = {"pattern": "gpt2", "ties": "first-seen"}
    one, other = (
        trained(["low low lower lowest"] * 2, vocab_size=270, byte_order=order, **settings)
        for order in ("value", "gpt2")
    )
    assert _outcome(one, other) == "Only ids differ: 256 of 263 tokens have another in B."


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"pattern": resolve_pattern("gpt2")},
            "The tables do not differ: tokens, merges and ids are the same; around them, what "
            "differs is pattern and expression.",
        ),
        (
            {"special_ids": {"<a>": 901}},
            "Only ids differ: those of specials are others in B.",
        ),
        (
            {"rules": TextRules(unknown=Unknown(97))},
            "The tables do not differ: tokens, merges and ids are the same; around them, what "
            "differs is unknown token.",
        ),
    ],
)
def test_what_is_around_the_tables(change: dict[str, object], said: str) -> None:
    a = make_pair([(97, 98, 256)], specials={"<a>": 900}).tokenizer
    assert _outcome(a, replace(a, **change)) == said  # type: ignore[arg-type]


def test_what_else_differs() -> None:
    a = make_pair([(97, 98, 256), (256, 99, 257)]).tokenizer
    shorter, other = a.prefix(1), make_pair([(97, 98, 256), (99, 97, 257)]).tokenizer
    assert _outcome(a, shorter) == "257 of 258 tokens are in both, 1 only in A and 0 only in B."
    assert _outcome(a, other) == "257 of 259 tokens are in both, 1 only in A and 1 only in B."
    swapped = make_pair([(120, 121, 256), (97, 98, 257)]).tokenizer
    straight = make_pair([(97, 98, 257), (120, 121, 256)]).tokenizer
    assert _outcome(swapped, straight) == "The tokens are the same; the merges differ from rank 0."
    twice = make_pair([(97, 98, 256)], extra={300: b"ab"}).tokenizer
    once = make_pair([(97, 98, 256)]).tokenizer
    assert _outcome(twice, once) == (
        "The merges are the same, and the tokens but for copies on several ids."
    )


def test_tables_without_merges_are_compared_by_bytes() -> None:
    # As WordPiece and Unigram files are read: marks of word parts stay in the token.
    def of(*tokens: bytes) -> Tokenizer:
        table = MergeTable.build(
            base="chars", byte_ids=[-1] * 256, tokens=dict(enumerate(tokens, start=5))
        )
        return Tokenizer(table, resolve_pattern("classic"))

    found = compare_tables(of(b"ing", b"##ing", b" the"), of(b"##ing", b" the", b"the"))
    assert (found.shared, found.only_a, found.only_b) == (2, 1, 1)
    assert found.first_difference is None and not found.has_shift.any()
    assert len(found.overlap()) == 0 and found.rank_correlation != found.rank_correlation
    marked = compare_tables(marked_tokenizer(), marked_tokenizer())
    assert marked.same and marked.parts_a(marked.data.tolist().index(b"low</w>")) == (
        b"lo",
        b"w</w>",
    )
