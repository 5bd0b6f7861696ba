"""Why two tables differ: every reason on random tables, checked by trying everything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.compare_text import compare_text
from bpe_studio.analysis.difference_reason import CUT_KINDS, CutReason, DifferenceReason
from bpe_studio.analysis.difference_reasons import difference_reasons, iter_reasons
from bpe_studio.bpe.edits import Edit, Lowercase, Prepend, Replace, Strip, Unicode
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.text_rules import AddedToken, TextRules
from bpe_studio.bpe.tokenizer import Tokenizer
from tests import oracle_analysis as oracle
from tests import oracle_why
from tests.analysis.tables import ALPHABETS, PATTERNS, Pair, make_pair, pairs, worked


def _reasons(a: Tokenizer, b: Tokenizer, text: str) -> tuple[DifferenceReason, ...]:
    found = compare_text(a, b, text)
    return difference_reasons(a, b, text, found, [int(n) for n in found.kinds.nonzero()[0]])


@st.composite
def kin(draw: Any) -> tuple[Pair, Pair]:
    """Two tables, mostly of the same tokens: by other merges, in another order, with gaps."""
    alphabet = (draw(st.sampled_from((*ALPHABETS, "ab", "abc", "aé"))),)
    patterns = draw(st.sampled_from(((r"[\s\S]+",), PATTERNS)))
    ordinary = draw(st.booleans())
    a = draw(pairs(alphabets=alphabet, patterns=patterns, ordinary=ordinary))
    if draw(st.integers(0, 4)) == 0:
        return a, draw(pairs(alphabets=alphabet))
    merges = draw(st.permutations(a.plain.merges))
    if draw(st.booleans()):
        merges = merges[: draw(st.integers(0, len(merges)))]
    made = {new for _, _, new in merges}
    kept = draw(st.sets(st.sampled_from([t for t in a.plain.known if t >= 300] or [300])))
    extra = {t: a.plain.known[t] for t in kept - made if t in a.plain.known}
    known = {**a.plain.base, **extra}
    while rows := [m for m in merges if {*m[:2]} <= {*known} and m[2] not in known]:
        known |= {new: known[left] + known[right] for left, right, new in rows}
    b = make_pair(
        [row for row in merges if {*row} <= {*known}],
        pattern=draw(st.sampled_from(patterns)),
        engine=draw(st.sampled_from(("merges", "whole-piece-first"))),
        char_ids={data.decode(): t for t, data in a.plain.base.items() if t >= 256},
        extra=extra,
        specials=draw(st.sampled_from((a.plain.specials, {"ab": 950}))),
        alphabet=a.alphabet,
    )
    return (a, b) if draw(st.booleans()) else (b, a)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_every_reason_is_the_one_that_trying_everything_gives(data: st.DataObject) -> None:
    a, b = data.draw(kin())
    words = [
        t.decode() for t in a.plain.known.values() if t.decode("utf-8", "ignore").encode() == t
    ]
    words = [word for word in words if {*word} <= {*a.alphabet}]
    text = "".join(data.draw(st.lists(st.sampled_from(words), min_size=2, max_size=12)))
    names = sorted({*a.plain.specials} & {*b.plain.specials})
    allowed = tuple(data.draw(st.sets(st.sampled_from(names)))) if names else ()
    found = compare_text(a.tokenizer, b.tokenizer, text, allowed_special=allowed or None)
    numbers = [int(n) for n in found.kinds.nonzero()[0]]
    steps = iter_reasons(
        a.tokenizer, b.tokenizer, text, found, numbers, allowed_special=allowed or None
    )
    for reason in result_of(steps):
        cuts = {cut.cutter: cut for cut in (reason.because, reason.also) if cut is not None}
        expected = {"a-splits": {"A"}, "b-splits": {"B"}, "different-cuts": {"A", "B"}}
        assert set(cuts) == expected[reason.span.kind]
        order = list(CUT_KINDS)
        strengths = [(order.index(cut.kind), cut.border) for cut in cuts.values()]
        assert (order.index(reason.kind), reason.because.border) == min(strengths)
        assert reason.sentence.endswith(".") and "A" in reason.sentence and "B" in reason.sentence
        for letter, cut in cuts.items():
            sides = (a, b) if letter == "A" else (b, a)
            _check_cut(cut, *sides, text, allowed, reason)


def _check_cut(
    cut: CutReason, cutter: Pair, keeper: Pair, text: str, allowed: tuple[str, ...],
    reason: DifferenceReason,
) -> None:  # fmt: skip
    """The first cut in the span, the token across it, and why it is not one, by plain replays."""
    ours, theirs = (oracle.encode(side.plain, text, allowed) for side in (cutter, keeper))
    begin, stop = (len(text[:place].encode()) for place in (reason.span.start, reason.span.end))
    others = {end for _, end, _ in theirs}
    border = min(end for _, end, _ in ours if begin < end <= stop and end not in others)
    start, end, token = next(t for t in theirs if t[0] < border < t[1])
    raw = text.encode()
    assert (cut.data, cut.kept) == (raw[start:end], token)
    assert cut.border == len(raw[:border].decode("utf-8", "ignore"))
    made = reason.tokens_a if cut.cutter == "A" else reason.tokens_b
    assert b"".join(made) == raw[begin:stop]
    if token in keeper.plain.specials.values():
        assert (cut.kind, cut.side) == ("special", keeper_of(cut))
        return
    assert cut.side == cut.cutter
    _CHECKS[cut.kind](cut, cutter, raw, start, end, text, allowed)
    first, last = _characters(raw, start, end)
    if (first, last) == (cut.start, cut.end) and raw[start:end] == text[first:last].encode():
        answer = oracle_why.answer(cutter.plain, text, first, last, allowed)
        assert answer.kind == cut.kind
        assert answer.rank is None or answer.rank == cut.rank


def keeper_of(cut: CutReason) -> str:
    return "B" if cut.cutter == "A" else "A"


def _characters(raw: bytes, start: int, end: int) -> tuple[int, int]:
    """The characters that hold some of the bytes."""
    first = len(raw[:start].decode("utf-8", "ignore"))
    before = raw[:end].decode("utf-8", "ignore")
    return first, len(before) + (len(before.encode()) < end)


def _piece(
    cutter: Pair, text: str, allowed: tuple[str, ...], start: int, end: int
) -> tuple[bytes, int]:
    """The piece of the pattern that holds the bytes, and where it begins."""
    for part in oracle.parts(cutter.plain, text, allowed):
        begin = len(text[: part.start].encode())
        if begin <= start and end <= begin + len(part.text.encode()):
            assert part.special is None
            return part.text.encode(), begin
    raise AssertionError("no piece holds it")


def _is_special(cut, cutter, raw, start, end, text, allowed) -> None:  # type: ignore[no-untyped-def]
    spans = [(p.start, p.end) for p in oracle.parts(cutter.plain, text, allowed) if p.special]
    assert any(a < cut.end and b > cut.start for a, b in spans)


def _is_cut(cut, cutter, raw, start, end, text, allowed) -> None:  # type: ignore[no-untyped-def]
    """The expression, run over what is between specials, cuts inside the stretch."""
    ends, pieces = set(), []
    for part in oracle.parts(cutter.plain, text, allowed, cutter.alternatives):
        assert part.special is None or part.end <= cut.start or part.start >= cut.end
        ends.add(len(text[: part.end].encode()))
        if part.start < cut.end and part.end > cut.start:
            pieces.append((part.text, part.alternative))
    assert any(start < place < end for place in ends)
    assert cut.pieces == tuple(piece for piece, _ in pieces[:4])
    assert [number for number, _ in cut.alternatives] == [by for _, by in pieces[:4]]
    assert all(cutter.alternatives[number] == made for number, made in cut.alternatives)


def _is_missing(cut, cutter, raw, start, end, text, allowed) -> None:  # type: ignore[no-untyped-def]
    assert cutter.plain.find(raw[start:end]) is None and cut.token is None


def _is_no_merge(cut, cutter, raw, start, end, text, allowed) -> None:  # type: ignore[no-untyped-def]
    token = cutter.plain.find(raw[start:end])
    assert token == cut.token is not None and not cutter.plain.can_build(token)
    assert cutter.plain.whole_piece_first == (cut.kind == "whole-piece")
    if cut.kind == "whole-piece":
        assert _piece(cutter, text, allowed, start, end)[0] != raw[start:end]


def _is_taken(cut, cutter, raw, start, end, text, allowed) -> None:  # type: ignore[no-untyped-def]
    """A plain replay has a join of that rank across one of the two borders of the stretch."""
    piece, begin = _piece(cutter, text, allowed, start, end)
    joins = [(s.rank, *j) for s in oracle.steps(cutter.plain, piece) for j in s.joined]
    across = [(r, m) for r, _, m, _ in joins if m in (start - begin, end - begin)]
    assert cut.rank in [r for r, _ in across]
    assert cut.own_rank is not None and cutter.plain.merges[cut.own_rank][2] == cut.token
    left, right, _ = cutter.plain.merges[cut.rank]
    assert cut.joined == (cutter.plain.bytes_of(left), cutter.plain.bytes_of(right))


def _is_inner(cut, cutter, raw, start, end, text, allowed) -> None:  # type: ignore[no-untyped-def]
    """By itself the stretch does not merge to the token either; the named merge happens there."""
    alone = oracle.merged(cutter.plain, raw[start:end])
    assert len(alone) > 1 or cutter.plain.base_ids.get(raw[start:end]) == alone[0][2]
    ranks = {step.rank for step in oracle.steps(cutter.plain, raw[start:end])}
    assert cut.rank is None or cut.rank in ranks


_CHECKS = {
    "special": _is_special,
    "pattern-cut": _is_cut,
    "no-such-token": _is_missing,
    "whole-piece": _is_no_merge,
    "no-merge": _is_no_merge,
    "taken": _is_taken,
    "inner-merge": _is_inner,
}
"""A token that forms is absorbed whole or stays: neither cuts it."""


def _one(a: Tokenizer, b: Tokenizer, text: str) -> DifferenceReason:
    (found,) = _reasons(a, b, text)
    return found


_WHOLE = r"[\s\S]+"
_LOW = [(108, 111, 256), (256, 119, 257)]


def test_no_such_token() -> None:
    a = make_pair([]).tokenizer
    found = _one(a, make_pair(_LOW).tokenizer, "low!")
    assert (found.span.kind, found.kind, found.side) == ("a-splits", "no-such-token", "A")
    assert (found.because.border, found.because.start, found.because.end) == (1, 0, 3)
    assert (found.tokens_a, found.tokens_b) == ((b"l", b"o", b"w"), (b"low",))
    assert found.sentence == (
        "A has no token “low”, which is one token of B; it has “l”, “o” and “w” there."
    )
    other = _one(make_pair(_LOW).tokenizer, a, "low!")
    assert (other.span.kind, other.side, other.because.cutter) == ("b-splits", "B", "B")


def test_the_pattern_cuts() -> None:
    merges = [(49, 50, 256)]
    a = make_pair(merges, pattern=r"\d|\D+").tokenizer
    found = _one(a, make_pair(merges, pattern=_WHOLE).tokenizer, "x12")
    assert (found.kind, found.because.pieces) == ("pattern-cut", ("1", "2"))
    assert found.because.alternatives == ((0, r"\d"), (0, r"\d"))
    assert found.sentence == (
        "A's pattern cuts “12” into the pieces “1” (alternative 1) and “2” (alternative 1), and "
        "merges never cross a cut; B's keeps it in one piece."
    )


def test_merges_in_another_order() -> None:
    a = make_pair([(97, 98, 256), (98, 99, 257)], pattern=_WHOLE).tokenizer
    b = make_pair([(98, 99, 256), (97, 98, 257)], pattern=_WHOLE).tokenizer
    found = _one(a, b, "abc")
    assert (found.span.kind, found.kind, found.side) == ("different-cuts", "taken", "B")
    assert found.also is not None and (found.also.kind, found.also.side) == ("taken", "A")
    assert (found.because.rank, found.because.own_rank) == (0, 1)
    assert found.because.joined == (b"b", b"c")
    assert found.because.sentence == (
        "In B, the merge of rank 0 (“b” + “c”) comes before the one of rank 1 that makes “ab”, and "
        "joined a part of it with what stands after it; A keeps it whole."
    )


def test_another_merge_inside() -> None:
    a = make_pair([(98, 99, 256), (97, 98, 257), (257, 99, 258)], pattern=_WHOLE).tokenizer
    b = make_pair([(97, 98, 257), (257, 99, 258)], pattern=_WHOLE).tokenizer
    found = _one(a, b, "abc")
    assert found.kind == "inner-merge"
    assert found.sentence == (
        "Inside “abc”, A's merge of rank 0 (“b” + “c”) came first, so “ab” and “c” never met for "
        "its merge of rank 2; B keeps it whole."
    )


def test_engines() -> None:
    b = make_pair([], extra={300: b"ab"}, engine="whole-piece-first").tokenizer
    found = _one(replace(b, engine="merges"), b, "ab ")
    assert found.kind == "no-merge"
    assert found.sentence == (
        "A has “ab” in its table, but its merges do not lead to it; B makes it. "
        "B takes whole pieces first; A only merges."
    )
    merges = make_pair([(97, 98, 256)]).tokenizer
    part = _one(b, merges, "abx")
    assert (part.kind, part.because.token) == ("whole-piece", 300)


def test_specials_of_either() -> None:
    text = "x<a>y"
    plain = make_pair([], pattern=_WHOLE).tokenizer
    rules = TextRules(added=(AddedToken("<a>", 900),))
    special = replace(plain, special_ids={"<a>": 900}, rules=rules)
    found = _one(plain, special, text)
    assert (found.kind, found.side, found.because.cutter) == ("special", "B", "A")
    merged = make_pair([(120, 60, 256)], pattern=_WHOLE).tokenizer
    both = _one(merged, special, text)
    assert (both.span.kind, both.kind, both.side) == ("different-cuts", "special", "B")
    assert (both.because.cutter, both.because.offset) == ("B", 1)
    assert both.also is not None
    assert (both.also.cutter, both.also.kind, both.also.side) == ("A", "special", "B")


def test_halves_of_characters() -> None:
    """The token across the cut is no text: it is told by its bytes."""
    mark = "日".encode()
    b = make_pair([(mark[0], mark[1], 256)]).tokenizer
    found = _one(make_pair([]).tokenizer, b, "a日")
    assert found.because.data == mark[:2] and found.kind == "no-such-token"
    assert (found.because.start, found.because.end, found.because.border) == (1, 2, 1)
    other = make_pair([(mark[1], mark[2], 256), (mark[0], mark[1], 257)], pattern=_WHOLE).tokenizer
    taken = _one(other, b, "a日")
    assert taken.because.cutter == "A" or taken.also is not None
    kinds = {cut.cutter: cut.kind for cut in (taken.because, taken.also) if cut is not None}
    assert kinds == {"A": "taken", "B": "no-such-token"}


def test_far_into_a_long_text_and_across_blocks() -> None:
    """What stands around a place decides, wherever it is."""
    a, b = worked().tokenizer, make_pair(_LOW, pattern="gpt2").tokenizer
    text = " lowest lower no low 日本 slow\n"
    near = _reasons(a, b, text)
    many = _reasons(a, b, text * 2_000)
    assert len(near) == 3 and len(many) == 2_000 * len(near)
    for number in (*range(len(near)), *range(len(many) - len(near), len(many))):
        one, other = near[number % len(near)], many[number]
        by = other.span.start - one.span.start
        assert by % len(text) == 0
        assert (one.kind, one.sentence, one.tokens_a) == (
            other.kind,
            other.sentence,
            other.tokens_a,
        )
        assert other.because.border == one.because.border + by


def test_a_span_across_blocks() -> None:
    """Of a token of 12,288 characters that the other table cuts in several blocks."""
    letters = "ab " * 4_096
    rows = [(97, 98, 256), (256, 32, 257), *((n, n, n + 1) for n in range(257, 269))]
    a = make_pair(rows, pattern="gpt2").tokenizer
    found = _one(a, make_pair(rows, pattern=_WHOLE).tokenizer, letters)
    assert found.kind == "pattern-cut" and found.because.pieces[:2] == ("ab", " ab")
    assert (len(found.tokens_a), len(found.tokens_b)) == (100, 1)
    assert found.because.end == len(letters)


def test_a_span_that_is_the_same() -> None:
    a = make_pair([]).tokenizer
    found = compare_text(a, a, "ab")
    with pytest.raises(ValueError, match="alike"):
        difference_reasons(a, a, "ab", found, [0])


_EDITS = (
    Replace(" +", " "), Replace(" ", "▁"), Replace("aa", "a"), Replace("b", ""), Strip(),
    Prepend(" "), Prepend("▁", unless_there=True), Lowercase(), Unicode("NFKC"), Unicode("NFD"),
)  # fmt: skip
_ROWS = ((32, 97, 256), (97, 98, 257), (256, 98, 258), (97, 97, 259), (32, 32, 260))


@settings(max_examples=200, deadline=None)
@given(
    edits=st.lists(st.sampled_from(_EDITS), max_size=3),
    others=st.lists(st.sampled_from(_EDITS), max_size=1),
    merges=st.permutations(_ROWS),
    count=st.integers(0, 5),
    pattern=st.sampled_from((_WHOLE, r" *[^ ]+| +", "gpt2")),
    text=st.text("aAbé\u0301ﬁ \t", min_size=1, max_size=9),
)
def test_tables_that_edit_the_text(
    edits: list[Edit], others: list[Edit], merges: list[tuple[int, int, int]], count: int,
    pattern: str, text: str,
) -> None:  # fmt: skip
    """Every difference has a reason, whatever is squeezed, dropped, put in or composed."""
    a, b = (
        replace(
            make_pair([m for m in rows if m[:2] != (256, 98) or m[0] in {r[2] for r in rows}],
                      pattern=pattern).tokenizer,
            rules=TextRules(normalizer=tuple(steps)),
        )
        for rows, steps in ((merges, edits), (merges[:count], others))
    )  # fmt: skip
    found = compare_text(a, b, text)
    assert sum(s.tokens_a for s in found.spans) == found.tokens_a == len(a.encode(text))
    assert sum(s.tokens_b for s in found.spans) == found.tokens_b == len(b.encode(text))
    swapped = compare_text(b, a, text)
    turned = {"a-splits": "b-splits", "b-splits": "a-splits"}
    assert [(s.start, s.end, turned.get(s.kind, s.kind)) for s in swapped.spans] == [
        (s.start, s.end, s.kind) for s in found.spans
    ]
    for reason in _reasons(a, b, text):
        cut = reason.because
        assert reason.kind in CUT_KINDS and reason.sentence.endswith(".")
        assert reason.span.start <= cut.start <= cut.end <= reason.span.end
        if cut.kind == "no-such-token":
            assert cut.token is None


@dataclass(frozen=True)
class _Words:
    """A model of a library: words, and those it knows no more than letters of."""

    kind: str = "Unigram"
    library: str = "words"

    def ids(self, text: str) -> Any:
        return self.encode(text)[0]

    def encode(self, text: str) -> tuple[Any, Any]:
        spans = [(n, n + 1) for n in range(len(text))]
        if text.startswith("low"):
            spans = [(0, 3), *spans[3:]]
        ids = [300 if b - a == 3 else ord(text[a]) for a, b in spans]
        return np.array(ids, np.int32), np.array(spans, np.int64)

    def decode(self, ids: Any, skip_specials: bool) -> str:
        return ""


def test_a_model_that_a_library_runs() -> None:
    table = make_pair([], extra={300: b"low", 301: b"st"}, pattern=_WHOLE).tokenizer
    a, b = replace(table, outside=_Words()), make_pair([*_LOW, (115, 116, 258), (257, 101, 259)])
    first, second = _reasons(a, b.tokenizer, "lowest")
    assert (first.kind, second.kind) == ("no-such-token", "outside")
    assert first.sentence == (
        "A has no token “lowe”, which is one token of B; it has “low” and “e” there."
    )
    assert second.sentence == (
        "A is a Unigram model that words runs, so only its cuts are known: it has the token “st”, "
        "but makes “s” and “t” of “st” here."
    )
    kept = _one(make_pair([]).tokenizer, a, "low")
    assert (kept.side, kept.kind) == ("A", "no-such-token")
