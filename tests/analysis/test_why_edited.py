"""Why not one token, where a tokenizer squeezes, strips, prepends or drops: one answer a span."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.explain import why_not_one_token
from bpe_studio.analysis.why import KINDS
from bpe_studio.bpe.edits import (
    Edit,
    Lowercase,
    Nmt,
    Prepend,
    Replace,
    Strip,
    StripAccents,
    Unicode,
)
from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.text_rules import Split, TextRules
from tests.analysis.tables import make_pair

_EDITS = (
    Replace(" +", " "), Replace(" ", "▁"), Replace("aa", "a"), Replace("b", ""), Replace("a", "ab"),
    Strip(), Strip(left=False), Prepend(" "), Prepend("▁", unless_there=True), Lowercase(), Nmt(),
    Prepend(" ", first_only=True), StripAccents(), Unicode("NFC"), Unicode("NFD"), Unicode("NFKC"),
)  # fmt: skip
_MERGES = (
    (32, 97, 256), (97, 98, 257), (256, 98, 258), (97, 97, 259), (32, 32, 260), (32, 257, 261),
    (260, 97, 262),
)  # fmt: skip
_CUTS = (Split(" ", "removed"), Split("a", "isolated"), Split(" +", "merged-with-next"))


@settings(max_examples=150, deadline=None)
@given(
    edits=st.lists(st.sampled_from(_EDITS), max_size=3),
    cuts=st.lists(st.sampled_from(_CUTS), max_size=1),
    pattern=st.sampled_from((r"[\s\S]+", r" *[^ ]+| +", r" ?\w+|\s+|(?s:.)")),
    merges=st.permutations(_MERGES),
    engine=st.sampled_from(("merges", "whole-piece-first")),
    text=st.text("aAbé\u0301 \t", min_size=1, max_size=7),
)
def test_every_span_has_one_answer(
    edits: list[Edit], cuts: list[Split], pattern: str, merges: list[tuple[int, int, int]],
    engine: str, text: str,
) -> None:  # fmt: skip
    rules = TextRules(normalizer=tuple(edits), pre_tokenizer=tuple(cuts))
    table = make_pair(list(merges), pattern=pattern, engine=engine).tokenizer
    tokenizer = replace(table, rules=rules, pattern=resolve_pattern(pattern))
    encoding = tokenizer.encode_with_offsets(text)
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            reason = why_not_one_token(tokenizer, text, start, end)
            assert reason.kind in KINDS and reason.text == text[start:end]
            assert reason.sentence.endswith(".") and ".." not in reason.sentence
            if reason.kind == "one-token":
                place = (len(text[:start].encode()), len(text[:end].encode()))
                assert (encoding.offsets == place).all(axis=1).any()


def test_a_part_of_what_is_squeezed_and_the_letter_after_it() -> None:
    table = make_pair([(32, 97, 256)], pattern=" *[^ ]+").tokenizer
    tokenizer = replace(table, rules=TextRules(normalizer=(Replace(" +", " "),)))
    reason = why_not_one_token(tokenizer, "a  a", 2, 4)
    assert reason.kind == "normalized"
    assert reason.sentence == (
        "“␠a” (id 256) stands for characters 1 to 4 here, of which the tokenizer changes some "
        "together before it merges; so no token stands for “␠a” alone."
    )
    assert why_not_one_token(tokenizer, "a  a", 1, 4).kind == "one-token"
