"""What is read besides pieces and ids: kinds, roles, notes, wrong files, what is not understood."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio import formats
from bpe_studio.bpe.patterns import OTHERS, PRESETS
from bpe_studio.formats import huggingface
from bpe_studio.formats.ranks.byte_alphabet import LETTERS
from tests.formats.hf_files import (
    BYTE_LEVEL,
    added,
    byte_level,
    data_of,
    file,
    library,
    model,
    pairs,
    read,
)

MERGES = ("l o", "lo w", "Ġ low", "e r")
GOOD = file(byte_level(*MERGES), pre_tokenizer=BYTE_LEVEL)


def test_the_table_is_that_of_the_file() -> None:
    tokenizer = read(GOOD)
    assert tokenizer.vocab_size == tokenizer.id_bound == 260
    assert tokenizer.merges == [(108, 111, 256), (256, 119, 257), (32, 257, 258), (101, 114, 259)]
    assert tokenizer.token_bytes(258) == b" low"
    assert tokenizer.pattern is PRESETS["gpt2"] and tokenizer.engine == "merges"
    assert tokenizer.rules.pre_tokenizer == () and not tokenizer.view_only


@pytest.mark.parametrize(
    "merges", [["l o", "lo w"], [["l", "o"], "lo w"], ["#version: 0.2", "l o"]]
)
def test_merges_as_strings_and_pairs(merges: list[Any]) -> None:
    tokenizer = read(file(model([*LETTERS, "lo", "low"], merges), pre_tokenizer=BYTE_LEVEL))
    assert tokenizer.merges[0] == (108, 111, 256)


def test_marks_are_spaces_and_bytes_are_themselves() -> None:
    tokens = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "l", "▁l", "日", "A"]
    llama = model(tokens, pairs("▁ l"), byte_fallback=True, unk_token="<unk>")
    prepend = {"type": "Prepend", "prepend": "▁"}
    marks = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    normalizer = {"type": "Sequence", "normalizers": [prepend, marks]}
    tokenizer = read(file(llama, normalizer=normalizer, added_tokens=[added("<unk>", 0)]))
    table = tokenizer.table
    assert tokenizer.base == "chars" and tokenizer.pattern is OTHERS["words"]
    assert table.token_bytes(259) == b" l" and table.char_ids == {"日": 260}
    assert table.byte_ids[0x20] == 257 and table.byte_ids[0x0A] == 1 + 0x0A
    assert table.byte_ids[0x41] == 261 and table.token_bytes(1 + 0x41) == b"A"
    assert tokenizer.encode("l é") == [259, 257, 1 + 0xC3, 1 + 0xA9]
    assert tokenizer.rules.unknown is None


def test_ids_stay_sparse() -> None:
    vocab = {letter: number for number, letter in enumerate(LETTERS)} | {"lo": 10**9}
    content = file(
        model(vocab, pairs("l o")),
        pre_tokenizer=BYTE_LEVEL,
        added_tokens=[added("<s>", 2**31 - 1), added("<e>", 700)],
    )
    tokenizer = read(content)
    assert tokenizer.id_bound == 2**31 and tokenizer.vocab_size == 259
    assert tokenizer.encode("lo<s><e>") == [10**9, 2**31 - 1, 700]
    assert library(content).encode("lo<s><e>").ids == [10**9, 257, 258]
    assert "here the file counts" in tokenizer.notes[0]


def test_an_added_token_of_the_vocabulary_is_counted_once() -> None:
    tokens = [*LETTERS, "lo", "<s>", "ĊĊ"]
    content = file(
        model(tokens, pairs("l o", "Ċ Ċ")),
        pre_tokenizer=BYTE_LEVEL,
        added_tokens=[added("<s>", 257), added("ĊĊ", 258), added("<e>", 259), added("lo", 7)],
    )
    tokenizer = read(content)
    assert tokenizer.vocab_size == 260 == library(content).get_vocab_size()
    assert dict(tokenizer.special_ids) == {"<s>": 257, "<e>": 259}
    assert [token.id for token in tokenizer.rules.added] == [257, 258, 259, 256]
    assert "vocabulary's id counts" in tokenizer.notes[0]
    for text in ("<s>lo<e>", "\n\nĊĊ"):
        assert tokenizer.encode(text) == library(content).encode(text).ids


def test_tokens_that_no_text_gives() -> None:
    tokens = [*LETTERS, "lo", "a b", "日", "日日"]
    made = model(tokens, pairs("l o", "日 日"), ignore_merges=True)
    content = file(made, pre_tokenizer=BYTE_LEVEL)
    tokenizer = read(content)
    assert "left out" in tokenizer.notes[0]
    assert tokenizer.vocab_size == 260
    for text in ("a b", "日", "日日"):
        assert tokenizer.encode(text) == library(content).encode(text).ids


# Roles, decoding, notes


SPECIALS = [added("<a>", 260), added("<b>", 261), added("<eos>", 262)]


def template(*single: str) -> dict[str, Any]:
    parts: list[Any] = [
        {"Sequence": {"id": name, "type_id": 0}}
        if name == "A"
        else {"SpecialToken": {"id": name, "type_id": 0}}
        for name in single
    ]
    names = {name for name in single if name != "A"}
    ids = {token["content"]: token["id"] for token in SPECIALS}
    specials = {n: {"id": n, "ids": [ids[n]], "tokens": [n]} for n in names}
    both = [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}]
    return {"type": "TemplateProcessing", "single": parts, "pair": both, "special_tokens": specials}


POST = {
    "template": (template("<a>", "A", "<b>"), {"bos": "<a>", "eos": "<b>"}),
    "in front only": (template("<a>", "A"), {"bos": "<a>", "eos": "<eos>"}),
    "bert": (
        {"type": "BertProcessing", "sep": ["<b>", 261], "cls": ["<a>", 260]},
        {"bos": "<a>", "eos": "<b>"},
    ),
    "roberta": (
        {"type": "RobertaProcessing", "sep": ["<b>", 261], "cls": ["<a>", 260]}
        | {"trim_offsets": True, "add_prefix_space": False},
        {"bos": "<a>", "eos": "<b>"},
    ),
    "sequence": (
        {"type": "Sequence", "processors": [BYTE_LEVEL, template("<a>", "A")]},
        {"bos": "<a>", "eos": "<eos>"},
    ),
    "none": (None, {"eos": "<eos>"}),
}


@pytest.mark.parametrize("name", POST)
def test_roles(name: str) -> None:
    post, roles = POST[name]
    tokenizer = read(GOOD | {"post_processor": post, "added_tokens": SPECIALS})
    assert tokenizer.roles == roles
    added_here = tokenizer.encode("low", add_bos="bos" in roles, add_eos=roles["eos"] == "<b>")
    theirs = library(GOOD | {"post_processor": post, "added_tokens": SPECIALS})
    assert added_here == theirs.encode("low").ids


def test_two_tokens_in_front_are_told() -> None:
    content = GOOD | {"post_processor": template("<a>", "<b>", "A"), "added_tokens": SPECIALS}
    tokenizer = read(content)
    assert tokenizer.roles["bos"] == "<a>" and "adds 2 tokens as bos" in tokenizer.notes[0]


@pytest.mark.parametrize("eos", ["<b>", {"content": "<b>"}])
def test_the_configuration_beside_the_file_tells_roles(tmp_path: Path, eos: Any) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(data_of(GOOD | {"added_tokens": SPECIALS}))
    config = {"bos_token": None, "eos_token": eos, "pad_token": "none of them"}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    assert formats.load(path).roles == {"eos": "<b>"}
    (tmp_path / "tokenizer_config.json").write_text("{]")
    assert formats.load(path).roles == {"eos": "<eos>"}


NOTES = {
    "dropout": (file(byte_level(dropout=0.1), pre_tokenizer=BYTE_LEVEL), "dropout"),
    "padding": (GOOD | {"padding": {"strategy": "BatchLongest"}}, "padding"),
    "a key": (GOOD | {"later": 1}, '"later"'),
    "no decoder": (GOOD, "Without a decoder"),
    "decoder": (GOOD | {"decoder": {"type": "CTC"}}, "CTC"),
    "twice": (
        file(model(["a", "b", "ab"], pairs("a b", "a b"))),
        "1 of the merges is there again later (merge 0 as merge 1)",
    ),
    "lacking": (file(model(["a", "b"], [])), "does not spell every text"),
    "unknown": (file(model(["a"], [], unk_token="u")), "not in the vocabulary"),
    "empty": (file(model(["a", ""], [])), "is empty"),
}


@pytest.mark.parametrize("name", NOTES)
def test_notes(name: str) -> None:
    content, part = NOTES[name]
    assert any(part in note for note in read(content).notes)


def test_decoding() -> None:
    decoder = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    metaspace = file(model(["▁", "l", "▁l"], pairs("▁ l")), pre_tokenizer=decoder, decoder=decoder)
    tokenizer = read(metaspace)
    assert (
        tokenizer.decode(tokenizer.encode("l ll")) == "l ll" == library(metaspace).decode([2, 2, 1])
    )


# What is not understood

UNCLEAR: dict[str, tuple[dict[str, Any], str]] = {
    "pre-tokenizer": (GOOD | {"pre_tokenizer": {"type": "UnicodeScripts"}}, "UnicodeScripts"),
    "normalizer": (
        GOOD
        | {
            "normalizer": {
                "type": "BertNormalizer",
                "clean_text": True,
                "handle_chinese_chars": True,
                "strip_accents": None,
                "lowercase": True,
            }
        },
        "normalizer is a BertNormalizer",
    ),
    "expression": (
        GOOD
        | {
            "pre_tokenizer": {
                "type": "Split",
                "pattern": {"Regex": r"(a)\1"},
                "behavior": "Isolated",
                "invert": False,
            }
        },
        r"the escape \1",
    ),
    "cut between bytes": (
        GOOD
        | {
            "pre_tokenizer": {
                "type": "Sequence",
                "pretokenizers": [BYTE_LEVEL, {"type": "Digits", "individual_digits": False}],
            }
        },
        "is a Digits after ByteLevel",
    ),
    "merges of bytes": (
        file(
            model(["<0xE2>", "<0x96>", "<0xE2><0x96>"], pairs("<0xE2> <0x96>"), byte_fallback=True)
        ),
        "tokens of single bytes",
    ),
}


UNCLEAR["an added token that is normalized away"] = (
    GOOD
    | {
        "normalizer": {"type": "Strip", "strip_left": True, "strip_right": True},
        "added_tokens": [added("  ", 260, normalized=True)],
    },
    "leaves nothing of an added token",
)


@pytest.mark.parametrize("name", UNCLEAR)
def test_what_is_not_understood_opens_for_viewing(name: str) -> None:
    content, part = UNCLEAR[name]
    library(content)
    tokenizer = read(content)
    assert part in tokenizer.view_only and len(tokenizer.table)
    with pytest.raises(ValueError, match="cannot encode"):
        tokenizer.encode("low")


# Wrong files


def spoiled(**parts: Any) -> dict[str, Any]:
    return GOOD | parts


def with_model(**parts: Any) -> dict[str, Any]:
    return GOOD | {"model": GOOD["model"] | parts}


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "model": (spoiled(model=[]), 'it is no tokenizer of Hugging Face: it has no object "model"'),
    "kind": (with_model(type="CharBPE"), 'model is of the kind "CharBPE"'),
    "vocab": (with_model(vocab=[1]), "model.vocab must be an object of tokens and ids, not [1]"),
    "negative": (with_model(vocab={"a": -1}), 'model.vocab["a"] must be an integer from 0 to'),
    "large": (with_model(vocab={"a": 2**32}), 'model.vocab["a"] must be an integer from 0 to'),
    "fraction": (with_model(vocab={"a": 1.0}), 'model.vocab["a"] must be an integer from 0 to'),
    "truth": (with_model(vocab={"a": True}), 'model.vocab["a"] must be an integer from 0 to'),
    "shared": (with_model(vocab={"a": 1, "b": 1}), 'model.vocab["b"] is 1, the id of "a" too'),
    "surrogate": (with_model(vocab={"\ud800": 1}), "model.vocab: the token"),
    "three": (with_model(merges=["l o w"]), 'model.merges[0] must be two tokens ("a b" or'),
    "part": (with_model(merges=["l o", "xx l"]), 'model.merges[1] uses "xx", which is no token'),
    "result": (with_model(merges=[["l", "l"]]), 'model.merges[0] makes "ll", which is no token'),
    "number": (with_model(merges=[1]), "model.merges[0] must be two tokens"),
    "no merges": (
        spoiled(model={"type": "BPE", "vocab": {}}),
        "model has no key 'merges'",
    ),
    "flag": (with_model(ignore_merges=1), "model.ignore_merges must be true or false, not 1"),
    "added id": (spoiled(added_tokens=[added("<s>", 3)]), "added_tokens[0].id is 3, the id of"),
    "added twice": (
        spoiled(added_tokens=[added("<s>", 300), added("<s>", 301)]),
        'added_tokens[1].content is "<s>" a second time',
    ),
    "added flag": (
        spoiled(added_tokens=[{"id": 300, "content": "<s>"}]),
        "added_tokens[0] has no key",
    ),
    "behavior": (
        spoiled(
            pre_tokenizer={"type": "Split", "pattern": {"String": "a"}}
            | {"behavior": "isolated", "invert": False}
        ),
        'pre_tokenizer.behavior must be "Isolated" or',
    ),
    "pattern": (
        spoiled(pre_tokenizer={"type": "Split", "pattern": "a"}),
        'pre_tokenizer.pattern must be an object with "String" or "Regex"',
    ),
    "mark": (
        spoiled(pre_tokenizer={"type": "Metaspace", "replacement": "ab"}),
        "pre_tokenizer.replacement must be one character",
    ),
    "schemes": (
        spoiled(
            pre_tokenizer={"type": "Metaspace", "replacement": "▁", "add_prefix_space": False}
            | {"prepend_scheme": "always"}
        ),
        "pre_tokenizer has an add_prefix_space of false that contradicts",
    ),
    "map": (
        spoiled(normalizer={"type": "Precompiled", "precompiled_charsmap": "AAAA"}),
        "normalizer.precompiled_charsmap cannot be used",
    ),
    "type": (spoiled(decoder={"kind": 1}), "decoder has no key 'type'"),
    "template": (
        spoiled(post_processor={"type": "TemplateProcessing", "single": [{"Other": 1}]}),
        "post_processor.single[0] must be an object",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_files(name: str) -> None:
    content, message = WRONG[name]
    with pytest.raises(ValueError, match=r"^t\.json: [^\n]+\.$") as raised:
        read(content)
    assert str(raised.value).startswith(f"t.json: {message}")


def test_sniffing() -> None:
    data = data_of(GOOD)
    assert huggingface.sniff(data) and huggingface.sniff(data[: 1 << 16])
    assert huggingface.sniff(b"\xef\xbb\xbf" + data)
    assert not huggingface.sniff(b'{"model": 19849, "padding": 3, "added_tokens": 7}')
    assert not huggingface.sniff(b"") and not huggingface.sniff(b"[1]")


@given(st.binary(max_size=200))
def test_sniffing_never_raises(data: bytes) -> None:
    huggingface.sniff(data)


@pytest.mark.parametrize(
    "parts",
    [
        {"pre_tokenizer": {"type": "UnicodeScripts"}, "decoder": BYTE_LEVEL},
        {"pre_tokenizer": {"type": "UnicodeScripts"}},  # all letters of the byte alphabet tell it
        {"pre_tokenizer": {"type": "FixedLength", "length": 3}, "decoder": BYTE_LEVEL},
        {"normalizer": {"type": "BertNormalizer"}, "decoder": BYTE_LEVEL},
    ],
)
def test_bytes_are_bytes_where_the_cut_is_not_understood(parts: dict[str, Any]) -> None:
    tokenizer = read(file(byte_level(*MERGES), **parts))
    assert tokenizer.view_only and tokenizer.table.base == "bytes"
    assert tokenizer.token_bytes(258) == b" low"
    assert not any("does not spell every text" in note for note in tokenizer.notes)


def test_characters_stay_characters_where_the_cut_is_not_understood() -> None:
    content = file(model(["a", "é", "aé"], pairs("a é")), pre_tokenizer={"type": "UnicodeScripts"})
    tokenizer = read(content)
    assert tokenizer.view_only and tokenizer.table.base == "chars"
    assert tokenizer.token_bytes(2) == "aé".encode()
