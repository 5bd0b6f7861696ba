"""What a smaller vocabulary says of the tokens that it does not have yet, by brute force."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.building import missing_part
from bpe_studio.analysis.explain import explain, why_not_one_token
from bpe_studio.analysis.history import history
from bpe_studio.analysis.later import buildable_from, not_led_to, not_yet
from bpe_studio.analysis.merging import events
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.bpe.merge_tables import BYTES, any_piece, any_table

# ab and c become abc before there is a bb that waits for nothing; abc has a later second merge.
MERGES = [(256, 99, 257), (97, 98, 258), (258, 258, 259), (98, 98, 256), (98, 257, 260)]


def _tokenizer(table: MergeTable, **rest: object) -> Tokenizer:
    return Tokenizer(table=table, pattern=PRESETS["classic"], **rest)


@given(any_table())
def test_from_which_size_on_a_token_can_be_built(table: MergeTable) -> None:
    tokenizer = _tokenizer(table)
    prefixes = [table.prefix(k) for k in range(len(table.merges) + 1)]
    for token in table.ids.tolist():
        builds = (
            k for k, p in enumerate(prefixes) if token in p and missing_part(p, token) is None
        )
        assert buildable_from(tokenizer, token) == next(builds, None)


@given(any_table(), any_piece(), st.data())
def test_every_rank_that_is_told_is_one_of_the_whole_table(
    table: MergeTable, text: str, data: st.DataObject
) -> None:
    whole = _tokenizer(table)
    smaller = whole.prefix(data.draw(st.integers(0, len(table.merges))))
    piece = text.encode()
    for event in events(smaller, piece):
        assert event.is_base or table.merge_of(event.rank)[2] == event.id
    for story in explain(smaller, text).pieces:
        for step in story.steps:
            assert table.merge_of(step.rank) == (step.left, step.right, step.id)
            assert all(table.merge_of(rank)[:2] == (a, b) for rank, a, b in step.lost)
    for token in smaller.table.ids.tolist():
        told = history(smaller, token)
        for made in (*told.makings, *told.ancestry, *told.next_makings):
            assert table.merge_of(made.rank) == (made.left, made.right, made.id)
    if text:
        why_not_one_token(smaller, text, 0, len(text))  # names merges by rank, whatever it answers


def test_what_a_size_does_not_have_yet() -> None:
    whole = _tokenizer(MergeTable.build(byte_ids=BYTES, merges=MERGES), special_ids={"<pad>": 300})
    told = why_not_one_token(whole.prefix(1), "abab", 0, 4)
    assert (told.kind, told.own_rank, told.token) == ("no-such-token", 2, None)
    assert told.sentence == (
        "The vocabulary of this size does not have “abab” (id 259) yet: the merge of "
        "rank 2 (“ab” + "
        "“ab”) makes it, from a vocabulary of 260 on."
    )
    assert whole.prefix(3).vocab_size == 260
    nowhere = why_not_one_token(whole.prefix(1), "caba", 0, 4).sentence
    assert nowhere == "No token of this table has the bytes of “caba” (63 61 62 61)."
    assert not_yet(whole, b"abab") is None and not_yet(whole.prefix(3), b"abab") is None


def test_what_merges_of_a_size_do_not_lead_to_yet() -> None:
    """bbc is made by the first merge, of a bb that only the fourth makes."""
    whole = _tokenizer(MergeTable.build(byte_ids=BYTES, merges=MERGES))
    told = why_not_one_token(whole.prefix(1), "bbc", 0, 3)
    assert told.kind == "no-merge"
    assert told.sentence.startswith(
        "“bbc” (id 257) is in the vocabulary of this size, but its merges do not lead to it yet: "
        "the last one on the way is the merge of rank 3 (“b” + “b”), so they do from a "
        "vocabulary of "
        "260 on."
    )
    assert whole.prefix(4).vocab_size == 260
    assert whole.prefix(3).encode("bbc") != [257] == whole.prefix(4).encode("bbc")
    assert not_led_to(whole, 257) == ""


@pytest.mark.parametrize(("merges", "more"), [(0, True), (1, False)])
def test_a_token_that_is_there_before_its_merges_lead_to_it(merges: int, more: bool) -> None:
    """Then both sizes are told."""
    whole = _tokenizer(MergeTable.build(byte_ids=BYTES, merges=MERGES))
    told = why_not_one_token(whole.prefix(merges), "bbc", 0, 3)
    assert (told.kind == "no-such-token") is more
    assert (
        "from a vocabulary of 257 on. All merges that lead to it are there from 260 on."
        in told.sentence
    ) is more
