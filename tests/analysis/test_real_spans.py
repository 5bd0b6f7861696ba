"""2,000 spans of real text under tables of every kind: each answer is what the oracle finds, the
rule that it names is what prevents the token, and its proof is the shortest text that shows it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from bpe_studio.analysis.explain import Reason, why_not_one_token
from bpe_studio.analysis.proof import Proof, find_proof
from bpe_studio.analysis.why import KINDS
from tests import oracle_analysis as oracle
from tests.analysis.real_tables import real_pairs, real_text
from tests.analysis.tables import Pair
from tests.oracle_why import Answer, answer, pieces

SPANS = 2_000
MOST_SHORTER = 60


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    return real_pairs(tmp_path_factory.mktemp("real"))


def test_every_answer_and_its_proof(tables: dict[str, Pair]) -> None:
    chance = random.Random(5)
    kinds: Counter[str] = Counter()
    each = -(-SPANS // len(tables))
    for name, pair in tables.items():
        for text, start, end in islice(_spans(pair, chance), each):
            allowed = tuple(pair.plain.specials) if name == "with specials" else ()
            where = f"{name}: {text!r} {start}:{end}"
            reason = why_not_one_token(
                pair.tokenizer, text, start, end, allowed_special=allowed or None
            )
            expected = answer(pair.plain, text, start, end, allowed)
            assert _is(reason, expected), f"{where}\n{reason}\n{expected}"
            assert _prevents(pair.plain, text, reason, allowed), f"{where}\n{reason}"
            proof = find_proof(pair.tokenizer, text, reason, allowed_special=allowed or None)
            assert proof is not None, f"{where}\n{reason}"
            _check_proof(pair.plain, text, reason, expected, proof, allowed, chance)
            kinds[reason.kind] += 1
    assert set(kinds) == set(KINDS) and kinds.total() >= SPANS


def _spans(pair: Pair, chance: random.Random) -> Iterator[tuple[str, int, int]]:
    """Stretches of real text with a span in each; every other span has the bytes of a token."""
    text = real_text()
    marks = ("", pair.plain.word_end.decode())
    while True:
        at = chance.randrange(len(text) - 120)
        part = text[at : at + chance.randint(20, 100)]
        start = chance.randrange(len(part))
        yield part, start, min(len(part), start + chance.randint(1, 10))
        known = [
            (a, b)
            for a in range(len(part))
            for b in range(a + 2, min(a + 12, len(part)) + 1)
            if any(pair.plain.find((part[a:b] + mark).encode()) is not None for mark in marks)
        ]
        if known:
            yield part, *chance.choice(known)


def _is(reason: Reason, expected: Answer) -> bool:
    same = reason.kind == expected.kind and reason.cuts == expected.cuts
    if expected.rank is not None:
        same = same and (reason.rank, reason.own_rank) == (expected.rank, expected.own)
    return same and (expected.named is None or expected.named in reason.ids)


def _prevents(
    table: oracle.PlainTable, text: str, reason: Reason, allowed: tuple[str, ...]
) -> bool:
    """Whether the rule that is named is why: without it there is another answer."""
    span = reason.start, reason.end
    if reason.kind == "special":
        name = next(n for n, number in table.specials.items() if number == reason.ids[0])
        without = tuple(n for n in allowed if n != name)
        return answer(table, text, *span, without) != Answer("special", named=reason.ids[0])
    if reason.kind == "normalized":
        unedited = replace(table, edits={}, prefix="")
        return answer(unedited, text, *span).kind != "normalized"
    if reason.kind == "pattern-cut":
        uncut = replace(table, expression=r"[\s\S]+")
        return answer(uncut, text, *span, allowed).kind != "pattern-cut"
    if reason.kind == "whole-piece":
        merging = replace(table, whole_piece_first=False)
        return answer(merging, text, *span, allowed).kind != "whole-piece"
    if reason.kind in ("absorbed", "taken"):
        return _joins_the_neighbour(table, text, reason, allowed)
    if reason.kind == "inner-merge" and reason.rank is not None:
        return _parts_the_parts(table, reason)
    return True


def _joins_the_neighbour(
    table: oracle.PlainTable, text: str, reason: Reason, allowed: tuple[str, ...]
) -> bool:
    """Replays the piece: at the named merge a symbol of the span goes together with one outside."""
    piece = next(
        p for p in pieces(table, text, allowed)
        if any(a < reason.end and b > reason.start for _, a, b in p.chars)
    )  # fmt: skip
    data = piece.text.encode()
    start, end = piece.inside(reason.start, reason.end)
    joins = [(s.rank, *place) for s in oracle.steps(table, data) for place in s.joined]
    there = {symbol[:2] for symbol in oracle.first_symbols(table, data)}
    for number, (rank, left, middle, right) in enumerate(joins):
        crosses = middle in (start, end) and left < end and right > start
        if rank == reason.rank and crosses:
            if reason.kind == "taken":
                return (start, end) not in there
            earlier = [r for r, *_ in joins[:number]]
            if max(earlier, default=-1) < rank:  # then with the merges before it, it is one token
                before = replace(table, merges=table.merges[:rank])
                now = replace(table, merges=table.merges[: rank + 1])
                whole = answer(before, text, reason.start, reason.end, allowed).kind
                then = answer(now, text, reason.start, reason.end, allowed).kind
                if (whole, then) != ("one-token", "absorbed"):
                    return False
            return (start, end) in there
        there -= {(left, middle), (middle, right)}
        there.add((left, right))
    return False


def _parts_the_parts(table: oracle.PlainTable, reason: Reason) -> bool:
    """In the span alone the named merge takes what lies between the parts of the other one."""
    data = reason.text.encode()
    left, right, _ = table.merges[reason.own_rank or 0]
    wanted = table.bytes_of(left) + table.bytes_of(right)
    borders = {
        at + len(table.bytes_of(left)) for at in range(len(data)) if data.startswith(wanted, at)
    }
    ends = {border + len(table.bytes_of(right)) for border in borders}
    begins = {border - len(table.bytes_of(left)) for border in borders}
    joins = [(step.rank, a, b) for step in oracle.steps(table, data) for a, _, b in step.joined]
    across = [rank for rank, a, b in joins if any(a < border < b for border in borders)]
    if min(across, default=len(table.merges)) < (reason.own_rank or 0):
        return reason.rank in across and reason.rank < (reason.own_rank or 0)
    return any(
        rank == reason.rank and any(a < border < b for border in borders | begins | ends)
        for rank, a, b in joins
    )


def _check_proof(
    table: oracle.PlainTable,
    text: str,
    reason: Reason,
    expected: Answer,
    proof: Proof,
    allowed: tuple[str, ...],
    chance: random.Random,
) -> None:
    shown = answer(table, proof.text, proof.start, proof.end, allowed)
    begin = reason.start - proof.start
    assert text[begin : begin + len(proof.text)] == proof.text
    assert _moved(shown, begin) == expected, f"{text!r} {reason}\n{proof}"
    shorter = [
        (a, b)
        for a in range(reason.start + 1)
        for b in range(reason.end, min(len(text), a + len(proof.text) - 1) + 1)
    ]
    for a, b in chance.sample(shorter, min(len(shorter), MOST_SHORTER)):
        found = answer(table, text[a:b], reason.start - a, reason.end - a, allowed)
        assert _moved(found, a) != expected, f"{text!r} {reason}\n{proof}\n{text[a:b]!r}"


def _moved(found: Answer, by: int) -> Answer:
    return replace(found, cuts=tuple(cut + by for cut in found.cuts))
