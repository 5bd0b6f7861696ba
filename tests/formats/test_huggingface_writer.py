"""What is written loads in `tokenizers`, gives the same ids there, and comes back as it was."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
import regex
import tokenizers
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bpe_studio import formats
from bpe_studio.bpe.edits import CharsMap, Lowercase, Prepend, Replace
from bpe_studio.bpe.patterns import OTHERS, PRESETS, resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import AddedToken, Split, TextRules, Unknown
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats import huggingface
from tests.formats.hf_files import ALPHABET, data_of, file, texts
from tests.formats.tables import tokenizers as any_tokenizers
from tests.formats.test_huggingface_rules import (
    AFFIXES,
    DECODER,
    FLAGS,
    MERGES,
    MODELS,
    NORMALIZERS,
    PRE_TOKENIZERS,
    SPACES,
    added,
    byte_level,
    check_same,
)

FEW = settings(max_examples=25)


def written(tokenizer: Tokenizer) -> bytes:
    return huggingface.write(tokenizer).files[""]


def again(tokenizer: Tokenizer) -> Tokenizer:
    return formats.read(written(tokenizer), "t.json")


def library(tokenizer: Tokenizer) -> tokenizers.Tokenizer:
    return tokenizers.Tokenizer.from_str(written(tokenizer).decode())


def bytes_table(**options: Any) -> Tokenizer:
    merges = [(108, 111, 256), (256, 119, 257), (32, 257, 258)]
    table = MergeTable.build(byte_ids=range(256), merges=merges)
    return Tokenizer(table, options.pop("pattern", PRESETS["gpt2"]), **options)


def merges_of(tokenizer: Tokenizer) -> list[tuple[int, int, int]]:
    """Those that count."""
    ranked = tokenizer.table.merge_ranks.items()
    return [(*pair, new) for pair, (_, new) in sorted(ranked, key=lambda item: item[1][0])]


@given(any_tokenizers(), st.lists(st.sampled_from(ALPHABET), max_size=8).map("".join))
def test_there_and_back(tokenizer: Tokenizer, text: str) -> None:
    try:
        data = written(tokenizer)
    except ValueError as refusal:
        # Only what strings cannot tell apart, or spell, is refused.
        assert regex.search("only one of them|of one letter|is a part|no char", str(refusal))
        assume(False)
    back = formats.read(data, "t.json")
    assert not back.view_only
    assert dict(back.special_ids) == dict(tokenizer.special_ids)
    assert back.table.ids.tolist() == tokenizer.table.ids.tolist()
    assert back.table.token_list == tokenizer.table.token_list
    assert back.table.byte_ids.tolist() == tokenizer.table.byte_ids.tolist()
    assert back.table.char_ids == tokenizer.table.char_ids
    assert merges_of(back) == merges_of(tokenizer)
    assert back.engine == tokenizer.engine
    theirs = tokenizers.Tokenizer.from_str(data.decode())
    assert {name: theirs.token_to_id(name) for name in tokenizer.specials} == tokenizer.special_ids
    assume(not any(name in text for name in tokenizer.specials))
    try:
        ids = tokenizer.encode(text)
    except ValueError:
        return  # a byte that the table lacks
    assert back.encode(text) == ids == theirs.encode(text).ids


@pytest.mark.parametrize("name", [*PRESETS, *OTHERS])
@FEW
@given(text=texts("low", " low", "it's", "IT'S", "123", "  ", "\n\n", "\u200d", "_a"))
def test_patterns_cut_as_they_do_here(name: str, text: str) -> None:
    tokenizer = bytes_table(pattern=resolve_pattern(name))
    pieces = [text[a:b] for _, (a, b) in library(tokenizer).pre_tokenizer.pre_tokenize_str(text)]
    if name != "words":  # a cut that changes nothing is not written
        assert pieces == [m.group() for m in tokenizer.pattern.compiled.finditer(text)]
    assert library(tokenizer).encode(text).ids == tokenizer.encode(text)
    assert again(tokenizer).encode(text) == tokenizer.encode(text)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_come_back_as_presets(name: str) -> None:
    assert again(bytes_table(pattern=PRESETS[name])).pattern is PRESETS[name]


def test_a_custom_pattern_is_written_in_the_dialect_of_the_library() -> None:
    tokenizer = bytes_table(pattern=resolve_pattern(r"\w+$|(?s:.)"))
    assert library(tokenizer).encode("low\nlow\u200d").ids == tokenizer.encode("low\nlow\u200d")


DIGITS = PRE_TOKENIZERS["digits"]
FILES: dict[str, dict[str, Any]] = {
    **{f"cut: {n}": file(byte_level(*MERGES), pre_tokenizer=p) for n, p in PRE_TOKENIZERS.items()},
    **{
        f"edit: {n}": file(
            byte_level(*MERGES), normalizer=e, pre_tokenizer=PRE_TOKENIZERS["digits"]
        )
        for n, e in NORMALIZERS.items()
    },
    **{
        f"added: {n}": file(
            byte_level(*MERGES),
            pre_tokenizer=PRE_TOKENIZERS["byte level"],
            added_tokens=[added("<x>", 256 + len(MERGES), **flags), added("low", 257, **flags)],
        )
        for n, flags in FLAGS.items()
    },
    **{
        f"spaces: {n}, {m}": file(MODELS[m], **s, decoder=DECODER, added_tokens=[added("<unk>", 0)])
        for n, s in SPACES.items()
        for m in MODELS
        if "after" not in n and "then" not in n
    },
    **{f"marks: {n}": file(m, pre_tokenizer={"type": "Whitespace"}) for n, m in AFFIXES.items()},
}


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=10)
@given(text=texts("low", " low", "lower", "<x>", "12", "  ", "\n", "▁", "LOW"))
def test_files_of_the_library_come_back(name: str, text: str) -> None:
    ours = formats.read(data_of(FILES[name]), "t.json")
    back = json.loads(written(ours))
    check_same(back, text, offsets=False)
    check_same(FILES[name], text, offsets=False)
    assert formats.read(data_of(back), "t.json").encode(text) == ours.encode(text)
    assert formats.read(data_of(back), "t.json").vocab_size == ours.vocab_size


REFUSED = {
    "a map by characters": TextRules(normalizer=(CharsMap(b""),)),
    "a space unless it is there, in a normalizer": TextRules(
        normalizer=(Prepend(" ", unless_there=True),)
    ),
    "an edit between cuts": TextRules(pre_tokenizer=(Split("a"), Lowercase())),
    "an edit after added tokens": TextRules(
        added=(AddedToken("low", 257, normalized=True),), pre_tokenizer=(Replace("a", "b"),)
    ),
    "an expression": TextRules(pre_tokenizer=(Split(r"(a)\1"),)),
    "fixed pieces": TextRules(fixed=(("low", 257),)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_said_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="save it as JSON of BPE Studio"):
        written(bytes_table(rules=REFUSED[name]))


def test_what_the_file_does_not_hold_is_told() -> None:
    tokenizer = bytes_table(
        special_ids={"<s>": 300, "<e>": 301}, roles={"bos": "<s>", "eos": "<e>"}
    )
    losses = huggingface.write(tokenizer).losses
    assert any("plain text" in loss for loss in losses)
    assert any("eos (<e>)" in loss for loss in losses)
    assert huggingface.write(bytes_table()).losses == ()


def test_bytes_that_the_table_lacks() -> None:
    table = MergeTable.build(byte_ids=[b if b != 97 else -1 for b in range(256)])
    lacking = Tokenizer(table, PRESETS["gpt2"])
    assert "drops the bytes" in huggingface.write(lacking).losses[0]
    assert library(lacking).encode("bab").ids == [98, 98]
    known = replace(lacking, special_ids={"<u>": 300}, rules=TextRules(unknown=Unknown(300)))
    assert library(known).encode("bab").ids == known.encode("bab") == [98, 300, 98]
    assert again(known).encode("bab") == [98, 300, 98]


@pytest.mark.parametrize(
    ("specials", "message"),
    [({"low": 300}, "spelled as the token 257"), ({"Ġlow": 300}, "spelled as the token 258")],
)
def test_a_special_that_is_spelled_as_a_token(specials: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        written(bytes_table(special_ids=specials))


def test_a_special_that_would_be_a_base_symbol() -> None:
    table = MergeTable.build(byte_ids=[b if b != 49 else -1 for b in range(256)])
    with pytest.raises(ValueError, match="of one letter"):
        written(Tokenizer(table, PRESETS["gpt2"], special_ids={"1": 300}))
    counted_on = Tokenizer(table, PRESETS["gpt2"], special_ids={"1": 256, "<s>": 257})
    with pytest.raises(ValueError, match="of one letter"):
        written(counted_on)


def test_specials_that_are_counted_on_stay_out_of_the_vocabulary() -> None:
    tokenizer = bytes_table(special_ids={"<a>": 300, "<b>": 301})
    vocab = json.loads(written(tokenizer))["model"]["vocab"]
    assert vocab["<a>"] == 300 and vocab["<b>"] == 301
    tokenizer = bytes_table(special_ids={"<a>": 259, "<b>": 260})
    assert "<a>" not in json.loads(written(tokenizer))["model"]["vocab"]
    assert library(tokenizer).encode("low<b><a>").ids == [257, 260, 259]


def test_marks_that_are_spaces_again_in_the_end() -> None:
    """Steps of the pre-tokenizer go into the normalizer, which then gives marks and takes them."""
    content = file(
        MODELS["bytes"],
        normalizer=SPACES["lower case after"]["normalizer"],
        added_tokens=[added("<unk>", 0)],
    )
    back = again(formats.read(data_of(content), "t.json"))
    assert not back.view_only
    check_same(json.loads(written(back)), "low ▁LOW é")


def test_what_cannot_encode_here_is_not_written() -> None:
    with pytest.raises(ValueError, match="for a reason"):
        written(bytes_table(view_only="It opens for viewing, for a reason."))
