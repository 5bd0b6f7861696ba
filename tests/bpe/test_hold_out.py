"""Which documents are held out: by their text alone, however they come."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.corpus import Block
from bpe_studio.bpe.hold_out import LOOKED_AT, is_held_out, split_held_out
from tests import oracle
from tests.bpe.test_counting import blocks_of


def split_documents(blocks: list[Block], share: float) -> list[tuple[int, bool, str]]:
    """(number, held out, text) of every document, as the blocks give it."""
    found: list[tuple[int, bool, str]] = []
    texts: dict[int, bytes] = {}
    for held, block in split_held_out(blocks, share):
        texts[block.document] = texts.get(block.document, b"") + block.data
        if block.last:
            found.append((block.document, held, texts[block.document].decode()))
    return found


@given(
    documents=st.lists(st.text("ab é日\n", max_size=20), max_size=12),
    size=st.integers(1, 9),
    share=st.floats(0.01, 0.99),
)
def test_chosen_by_text_whatever_the_blocks(documents: list[str], size: int, share: float) -> None:
    expected = [
        (number, oracle.is_held_out(text, share), text) for number, text in enumerate(documents)
    ]
    assert split_documents(list(blocks_of(documents, size)), share) == expected
    backwards = split_documents(list(blocks_of(documents[::-1], size)), share)
    assert [(held, text) for _, held, text in backwards[::-1]] == [
        (held, text) for _, held, text in expected
    ]


def test_a_long_document_is_told_by_how_it_begins() -> None:
    begun = "é" * (LOOKED_AT // 2 - 1) + "a"  # the last byte looked at is the first of an é
    for share in (0.2, 0.5, 0.8):
        held = {
            held
            for rest in ("", "é", "éa", "éb" * 90_000)
            for size in (7, 5000, 1 << 18)
            for _, held, text in split_documents(list(blocks_of([begun + "é" + rest], size)), share)
            if len(text) > len(begun)
        }
        assert held == {oracle.is_held_out(begun + "é", share)}


def test_a_larger_share_holds_out_all_that_a_smaller_one_does() -> None:
    texts = [f"document {number}".encode() for number in range(3000)]
    shares = (0.0, 0.02, 0.1, 0.5, 0.98)
    chosen = [{text for text in texts if is_held_out(text, share)} for share in shares]
    assert all(less <= more for less, more in zip(chosen, chosen[1:], strict=False))
    for share, found in zip(shares, chosen, strict=True):
        assert abs(len(found) / len(texts) - share) < 0.03


def test_the_choice_never_changes() -> None:
    """What was held out from a table that somebody has must stay held out when it is continued."""
    chosen = [number for number in range(200) if is_held_out(f"text {number}".encode(), 0.05)]
    assert chosen == [33, 97, 109, 154, 159, 167, 183]


def test_blocks_that_only_say_that_reading_goes_on_pass() -> None:
    going_on = Block(0, 0, b"", False, 5)
    blocks = [going_on, Block(0, 0, b"ab", False, 9), going_on, Block(0, 0, b"", True, 9)]
    passed = list(split_held_out(blocks, 0.5))
    assert [block for _, block in passed] == [
        going_on, going_on, Block(0, 0, b"ab", True, 9)
    ]  # fmt: skip
