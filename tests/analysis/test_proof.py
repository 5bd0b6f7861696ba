"""The shortest text on which a reason can be seen, against trying every part of the text."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.explain import why_not_one_token
from bpe_studio.analysis.proof import find_proof, iter_proof
from tests import oracle_analysis as oracle
from tests import oracle_why
from tests.analysis.tables import make_pair, pairs, texts, worked


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_shorter_part_shows_it(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    text = data.draw(texts(pair.alphabet))
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    reason = why_not_one_token(pair.tokenizer, text, start, end)
    proof = find_proof(pair.tokenizer, text, reason)
    assert proof is not None and proof.text[proof.start : proof.end] == text[start:end]
    assert proof.text in text
    wanted = oracle_why.why(pair.plain, text, start, end)
    assert oracle_why.why(pair.plain, proof.text, proof.start, proof.end) == wanted
    assert list(proof.ids) == [token for _, _, token in oracle.encode(pair.plain, proof.text)]
    if reason.kind in ("absorbed", "taken", "one-token", "no-such-token", "no-merge"):
        for left in range(start + 1):
            for right in range(end, len(text) + 1):
                if right - left < len(proof.text):
                    part = text[left:right]
                    assert oracle_why.why(pair.plain, part, start - left, end - left) != wanted


def test_the_worked_example() -> None:
    tokenizer, text = worked().tokenizer, "the lowest of all"
    proof = find_proof(tokenizer, text, why_not_one_token(tokenizer, text, 4, 7))
    assert proof is not None
    assert (proof.text, proof.start, proof.end, proof.ids) == (" low", 1, 4, (258,))


def test_the_same_rank_further_left() -> None:
    tokenizer = make_pair([(97, 97, 256)]).tokenizer
    text = "b" + "a" * 101
    proof = find_proof(tokenizer, text, why_not_one_token(tokenizer, text, 100, 102))
    assert proof is not None and (proof.text, proof.start) == ("aaa", 1)


def test_far_from_the_ends_of_a_long_piece() -> None:
    """More is beside the span than all shorter texts that are tried have."""
    piece = "lowering" * 20
    tokenizer = make_pair([(108, 111, 256)], extra={300: piece.encode()}).tokenizer
    tokenizer = replace(tokenizer, engine="whole-piece-first")
    bare = f"{piece} there"
    reason = why_not_one_token(tokenizer, bare, 80, 82)
    assert (reason.kind, reason.ids) == ("whole-piece", (300,))
    proof = find_proof(tokenizer, bare, reason)
    assert proof is not None and (proof.text, proof.start, proof.ids) == (piece, 80, (300,))


def test_a_span_of_a_megabyte() -> None:
    tokenizer = make_pair([]).tokenizer
    text = "low " * 20_000
    reason = why_not_one_token(tokenizer, text, 3, len(text) - 3)
    proof = find_proof(tokenizer, text, reason)
    assert reason.kind == "pattern-cut" and proof is not None
    assert (proof.text, proof.start) == (reason.text, 0)


def test_slices_come_often() -> None:
    tokenizer = make_pair([(97, 97, 256)]).tokenizer
    text = "b" + "a" * 101
    reason = why_not_one_token(tokenizer, text, 100, 102)
    assert sum(1 for _ in iter_proof(tokenizer, text, reason)) > 3
