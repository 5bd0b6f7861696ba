"""Whole tokenizers with rules give the ids and offsets of Hugging Face."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.edits import Edit, Form, Lowercase, Prepend, Replace, Strip, Unicode
from bpe_studio.bpe.patterns import OTHERS, PRESETS
from bpe_studio.bpe.scanner import cut_blocks
from bpe_studio.bpe.stretch import byte_places
from bpe_studio.bpe.table import MergeTable, gpt2_byte_order
from bpe_studio.bpe.text_rules import AddedToken, Split, TextRules, Unknown
from bpe_studio.bpe.tokenizer import Tokenizer

tokenizers = pytest.importorskip("tokenizers")
norm = pytest.importorskip("tokenizers.normalizers")
pre = pytest.importorskip("tokenizers.pre_tokenizers")
Regex = tokenizers.Regex

MERGES = [
    (b"a", b"b"),
    (b" ", b"a"),
    (b" a", b"b"),
    (b"\xc3", b"\xa9"),
    (b"ab", b"ab"),
    (b"l", b"o"),
]
GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LETTERS = dict(
    zip(
        gpt2_byte_order(),
        [*map(chr, gpt2_byte_order()[:188]), *map(chr, range(256, 324))],
        strict=True,
    )
)

ADDED = [
    AddedToken("<s>", 900),
    AddedToken("<l>", 901, lstrip=True),
    AddedToken("<r>", 902, rstrip=True, special=False),
    AddedToken("lb", 903, single_word=True, special=False),
    AddedToken("<s><s>", 904),
    AddedToken("É", 905, normalized=True, special=False),
]

NORMALIZERS: list[tuple[tuple[Edit, ...], Any]] = [
    ((), None),
    ((Unicode("NFC"),), norm.NFC()),
    ((Unicode("NFKD"), Lowercase()), norm.Sequence([norm.NFKD(), norm.Lowercase()])),
    ((Strip(), Prepend("ab")), norm.Sequence([norm.Strip(), norm.Prepend("ab")])),
    ((Replace(" +", " "),), norm.Replace(Regex(" +"), " ")),
]


def level(add_prefix_space: bool = False, use_regex: bool = False) -> Any:
    return pre.ByteLevel(add_prefix_space=add_prefix_space, use_regex=use_regex)


PRE_TOKENIZERS: list[tuple[tuple[Edit | Split, ...], Any]] = [
    ((), level()),
    ((Split(GPT2),), level(use_regex=True)),
    ((Prepend(" ", unless_there=True), Split(GPT2)), level(True, True)),
    (
        (Split(r"\p{N}"), Prepend(" ", unless_there=True)),
        pre.Sequence([pre.Split(Regex(r"\p{N}"), "isolated"), level(True)]),
    ),
    (
        (Split(r"\p{White_Space}", "removed"), Split("b", "merged-with-previous")),
        pre.Sequence([pre.WhitespaceSplit(), pre.Split("b", "merged_with_previous"), level()]),
    ),
]


def literal(data: bytes) -> str:
    return "".join(LETTERS[byte] for byte in data)


@cache
def both(normalizer: int, pre_tokenizer: int) -> tuple[Tokenizer, Any]:
    edits, theirs_edits = NORMALIZERS[normalizer]
    cuts, theirs_cuts = PRE_TOKENIZERS[pre_tokenizer]
    ids = {bytes([byte]): byte for byte in range(256)}
    rows = []
    for left, right in MERGES:
        ids.setdefault(left + right, 256 + len(rows))
        rows.append((ids[left], ids[right], ids[left + right]))
    table = MergeTable.build(byte_ids=range(256), merges=rows)
    names = {token.content: token.id for token in ADDED}
    rules = TextRules(added=tuple(ADDED), normalizer=edits, pre_tokenizer=cuts)
    ours = Tokenizer(table, OTHERS["whole"], names, rules=rules)
    vocab = {literal(data): number for data, number in ids.items()}
    vocab |= names  # with the ids that they have here
    theirs = tokenizers.Tokenizer(
        tokenizers.models.BPE(vocab, [(literal(a), literal(b)) for a, b in MERGES])
    )
    theirs.normalizer, theirs.pre_tokenizer = theirs_edits, theirs_cuts
    for token in ADDED:
        add = theirs.add_special_tokens if token.special else theirs.add_tokens
        flags = ("single_word", "lstrip", "rstrip", "normalized")
        options = {name: getattr(token, name) for name in flags}
        add([tokenizers.AddedToken(token.content, **options)])
    return ours, theirs


texts = st.lists(
    st.sampled_from(
        ["<s>", "<l>", "<r>", "lb", "ab", "É", "é", "e\u0301", " ", "  ", "\n", "a", "b", "ＡＢ",
         "1", "12", "\u2003", "low", "_", "ﬁ", "日", "<", "s>", "'s", "\u0301"]
    ),
    max_size=14,
).map("".join)  # fmt: skip


@pytest.mark.parametrize("normalizer", range(len(NORMALIZERS)))
@pytest.mark.parametrize("pre_tokenizer", range(len(PRE_TOKENIZERS)))
@given(text=texts)
def test_like_hugging_face(normalizer: int, pre_tokenizer: int, text: str) -> None:
    ours, theirs = both(normalizer, pre_tokenizer)
    found = ours.encode_with_offsets(text)
    want = theirs.encode(text, add_special_tokens=False)
    assert found.ids.tolist() == want.ids
    assert ours.encode(text) == want.ids
    _check_offsets(
        text, found.offsets.tolist(), want.offsets, edited=bool(NORMALIZERS[normalizer][0])
    )


def _check_offsets(
    text: str, ours: list[list[int]], theirs: list[tuple[int, int]], *, edited: bool
) -> None:
    """Theirs are whole characters; where text was composed they tell only a part of it."""
    places = byte_places(text).tolist()
    size = len(text.encode())
    for (begin, end), (first, last) in zip(ours, theirs, strict=True):
        assert 0 <= begin <= end <= size
        if begin == end or first == last:
            continue
        whole = (
            max(place for place in places if place <= begin),
            min(place for place in places if place >= end),
        )
        if edited:
            assert whole[0] <= places[first] and places[last] <= whole[1]
        else:
            assert whole == (places[first], places[last])


@given(text=st.text("ab é日", max_size=12))
@pytest.mark.parametrize("fuse", [False, True])
def test_unknown_characters(fuse: bool, text: str) -> None:
    vocab = {"<unk>": 0, "a": 1, "b": 2, "ab": 3, " ": 4}
    theirs = tokenizers.Tokenizer(
        tokenizers.models.BPE(vocab, [("a", "b")], unk_token="<unk>", fuse_unk=fuse)
    )
    byte_ids = [-1] * 256
    for char in "ab ":
        byte_ids[ord(char)] = vocab[char]
    table = MergeTable.build(base="chars", byte_ids=byte_ids, merges=[(1, 2, 3)])
    rules = TextRules(unknown=Unknown(0, fuse))
    ours = Tokenizer(table, OTHERS["whole"], {"<unk>": 0}, rules=rules)
    want = theirs.encode(text)
    found = ours.encode_with_offsets(text)
    assert found.ids.tolist() == want.ids == ours.encode(text)
    places = byte_places(text)
    if not fuse:  # they give a fused token the place of its first character
        assert found.offsets.tolist() == [[places[a], places[b]] for a, b in want.offsets]


@pytest.mark.parametrize(("prefix", "end"), [("", "</w>"), ("##", ""), ("##", "</w>")])
@given(text=st.text("ab日", max_size=12), fuse=st.booleans())
def test_marks_of_words(prefix: str, end: str, fuse: bool, text: str) -> None:
    parts = ["a", "b", prefix + "a", prefix + "b", "a" + end, "b" + end, prefix + "a" + end]
    parts += [prefix + "b" + end, "ab", "ab" + end, prefix + "ab", prefix + "ab" + end, "aab" + end]
    vocab = {"<unk>": 0}
    for part in parts:
        vocab.setdefault(part, len(vocab))
    merges = [("a", prefix + "b"), ("a", prefix + "b" + end), (prefix + "a", prefix + "b" + end)]
    merges += [("a", prefix + "ab" + end)]
    merges = [
        (left, right)
        for left, right in dict.fromkeys(merges)
        if left in vocab and right in vocab and left + right.removeprefix(prefix) in vocab
    ]
    theirs = tokenizers.Tokenizer(
        tokenizers.models.BPE(
            vocab, merges, unk_token="<unk>", fuse_unk=fuse, continuing_subword_prefix=prefix,
            end_of_word_suffix=end,
        )
    )  # fmt: skip
    names = [name for name in vocab if name != "<unk>"]
    ids = [vocab[name] for name in names]
    data = [name.encode() for name in names]
    import numpy as np

    rows = [
        (vocab[left], vocab[right], vocab[left + right.removeprefix(prefix)])
        for left, right in merges
    ]
    table = MergeTable(
        base="chars",
        byte_ids=np.full(256, -1, np.int32),
        char_ids={},
        merges=np.array(rows, np.int32).reshape(-1, 3),
        token_ids=np.array(ids, np.int32),
        token_data=np.frombuffer(b"".join(data), np.uint8),
        token_offsets=np.cumsum([0, *map(len, data)]).astype(np.int64),
    )
    rules = TextRules(unknown=Unknown(0, fuse), word_prefix=prefix, word_end=end)
    ours = Tokenizer(table, OTHERS["whole"], {"<unk>": 0}, rules=rules)
    want = theirs.encode(text)
    assert ours.encode(text) == want.ids
    if not fuse:
        places = byte_places(text)
        found = ours.encode_with_offsets(text).offsets.tolist()
        assert found == [[places[a], places[b]] for a, b in want.offsets]


def test_allowed_special_and_decoding() -> None:
    ours, _ = both(0, 0)
    assert ours.encode("<s>ab", allowed_special=()) == [60, 115, 62, 256]
    assert ours.encode("<s>ab", allowed_special="<s>") == [900, 256]
    assert ours.encode("<s> lb ") == [900, 32, 903, 32]
    assert ours.decode([900, 97, 902], skip_specials=True) == "a<r>"
    with pytest.raises(ValueError, match="no special '<x>'"):
        ours.encode("a", allowed_special=["<x>"])


def test_one_that_can_only_be_viewed() -> None:
    tokenizer = replace(both(0, 0)[0], view_only="It has rules that are not known.")
    with pytest.raises(ValueError, match="It has rules that are not known"):
        tokenizer.encode("a")
    assert tokenizer.decode([97]) == "a"


@pytest.mark.parametrize("pattern", list(PRESETS))
@given(
    parts=st.lists(
        st.sampled_from(["<s>", "<l>", " ", "\n", "\n\n", "\r\n", "\u2003", "e\u0301", "\u0301"])
        | st.sampled_from(["a", "ab", "/", ".", "1", "É", "'s", "\u1100\u1161", "\t"]),
        max_size=24,
    ),
    size=st.integers(1, 6),
    form=st.sampled_from(["NFC", "NFD"]),
)
def test_a_text_may_be_encoded_in_parts(
    pattern: str, parts: list[str], size: int, form: Form
) -> None:
    rules = TextRules(
        added=(AddedToken("<s>", 900), AddedToken("<l>", 901)), normalizer=(Unicode(form),)
    )
    ours = replace(
        both(0, 0)[0], pattern=PRESETS[pattern], rules=rules, special_ids={"<s>": 900, "<l>": 901}
    )
    assert ours.may_cut()
    text = "".join(parts)
    blocks = [text[a:b] for a, b in cut_blocks(ours.pattern, text, size)]
    assert [i for block in blocks for i in ours.encode(block)] == ours.encode(text)


def test_what_may_not_be_encoded_in_parts() -> None:
    ours, _ = both(0, 0)
    assert not ours.may_cut() and ours.may_cut(()) and ours.may_cut("<s>")
    assert not both(2, 0)[0].may_cut(()) and not both(0, 1)[0].may_cut(())
    assert not replace(ours, special_ids={"a b": 900}, rules=TextRules()).may_cut("all")


def test_a_long_list_of_specials_is_cut_short() -> None:
    names = {f"<{number}>": 900 + number for number in range(20)}
    ours = replace(both(0, 0)[0], special_ids=names, rules=TextRules())
    with pytest.raises(ValueError, match=r"it has <0>, <1>, .*<7> and 12 more\.$"):
        ours.encode("a", allowed_special="<x>")


def test_a_smaller_table_looks_only_for_tokens_that_it_has() -> None:
    rules = TextRules(added=(AddedToken("ab", 256), AddedToken("<s>", 900)))
    ours = replace(both(0, 0)[0], special_ids={"<s>": 900}, rules=rules)
    assert ours.encode("ab<s>") == [256, 900]
    smaller = ours.prefix(0)
    assert smaller.encode("ab<s>") == [97, 98, 900]
    assert smaller.rules.added == rules.added[1:]


@pytest.mark.parametrize("pre_tokenizer", range(4))
@given(text=texts)
def test_trimmed_offsets_are_those_of_hugging_face(pre_tokenizer: int, text: str) -> None:
    ours, theirs = both(0, pre_tokenizer)
    trim = tokenizers.processors.ByteLevel(
        trim_offsets=True, add_prefix_space=pre_tokenizer in (2, 3), use_regex=False
    )
    want = trim.process(theirs.encode(text, add_special_tokens=False)).offsets
    found = ours.encode_with_offsets(text, trim_offsets=True)
    assert found.ids.tolist() == ours.encode(text)
    _check_offsets(text, found.offsets.tolist(), want, edited=False)
    empty = [begin == end for begin, end in found.offsets.tolist()]
    assert empty == [first == last for first, last in want]
