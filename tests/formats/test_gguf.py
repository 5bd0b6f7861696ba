"""Tokenizers in GGUF files, judged by the libraries whose tokenizers they were made of."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import tokenizers
from hypothesis import given

from bpe_studio import formats
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.ggml.patterns import _BY_RULE
from bpe_studio.formats.ranks.byte_alphabet import LETTERS
from bpe_studio.formats.spm.model import parse
from tests.formats import test_sentencepiece
from tests.formats.gguf_writer import tokenizer_gguf
from tests.texts import any_text, hard_text

MERGES = ["l o", "lo w", "Ġ low", "e r", "Ġlow er", "Ġ t", "h e", "Ġt he", "Ċ Ċ", "1 2"]
TOKENS = [*LETTERS, *(merge.replace(" ", "") for merge in MERGES), "<|end|>", "<tool>", "[PAD]", ""]
TYPES = [1] * (256 + len(MERGES)) + [3, 4, 5, 1]


def bpe_data(**changes: Any) -> bytes:
    values = {
        "pre": "gpt-2",
        "tokens": TOKENS,
        "token_type": TYPES,
        "merges": MERGES,
        "eos_token_id": TOKENS.index("<|end|>"),
        **changes,
    }
    wanted = {name: value for name, value in values.items() if value is not None}
    return tokenizer_gguf("gpt2", **wanted) + bytes(64)


def bpe(**changes: Any) -> Tokenizer:
    return formats.read(bpe_data(**changes), "x.gguf")


@cache
def judge() -> tokenizers.Tokenizer:
    vocab = {text: i for i, text in enumerate(TOKENS[: 256 + len(MERGES)])}
    pairs = [tuple(merge.split(" ")) for merge in MERGES]
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab, pairs))  # type: ignore[arg-type]
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    return made


@given(any_text | hard_text)
def test_bpe_ids(text: str) -> None:
    assert bpe().encode(text) == judge().encode(text).ids


def test_bpe_tokens() -> None:
    tokenizer = bpe()
    end, tool = TOKENS.index("<|end|>"), TOKENS.index("<tool>")
    assert tokenizer.roles == {"eos": "<|end|>"}
    assert list(tokenizer.special_ids) == ["<|end|>", "<tool>", f"[EMPTY_{len(TOKENS) - 1}]"]
    # A user-defined token is always cut out; a special is plain text unless it is allowed.
    assert tool in tokenizer.encode("a<tool>b") and end not in tokenizer.encode("a<|end|>b")
    assert end in tokenizer.encode("a<|end|>b", allowed_special="all")
    assert tokenizer.token_bytes(TOKENS.index("Ġlower")) == b" lower"


def test_kinds_that_the_file_does_not_tell() -> None:
    names = ["<|im_end|>", "<|start|>", "<|call|>", "<|return|>"]
    tokenizer = bpe(tokens=[*TOKENS, *names], token_type=[*TYPES, 4, 3, 4, 1])
    first = len(TOKENS)
    assert [token.content for token in tokenizer.rules.added] == ["<|end|>", "<tool>", "<|start|>"]
    text = "<|im_end|><|start|><|call|>"
    assert [i for i in tokenizer.encode(text) if i >= first] == [first + 1]
    assert tokenizer.encode(text, allowed_special="all") == [first, first + 1, first + 2]


def test_whole_pieces_first() -> None:
    tokens = [*TOKENS, "Ġlowest"]
    types = [*TYPES, 1]
    for pre, expected in (("llama-bpe", True), ("dbrx", False)):
        ids = bpe(pre=pre, tokens=tokens, token_type=types).encode(" lowest")
        assert (ids == [len(tokens) - 1]) is expected


@pytest.mark.parametrize("name", [names[0] for _, names in _BY_RULE])
@given(text=any_text | hard_text)
def test_every_rule_covers_every_text(name: str, text: str) -> None:
    tokenizer = bpe(pre=name)
    assert not tokenizer.view_only
    ids = tokenizer.encode(text)
    assert tokenizer.decode(ids) == text


def test_rules() -> None:
    assert bpe(pre="qwen2").pattern == PRESETS["qwen2"]
    assert bpe(pre="tekken").pattern == PRESETS["tekken"] and "A–Z" in bpe(pre="tekken").notes[0]
    assert "names no pre-tokenizer" in bpe(pre=None).notes[0]
    # Digits one by one before all else.
    assert len(bpe(pre="starcoder").encode("12")) == 2 and len(bpe().encode("12")) == 1


def test_unknown_pre_tokenizer() -> None:
    tokenizer = bpe(pre="tiny_aya")
    assert "'tiny_aya' of this model is not known here" in tokenizer.view_only
    assert len(tokenizer.table.merges) == len(MERGES)
    assert tokenizer.view_only.endswith("give it with --pattern NAME.")
    with pytest.raises(ValueError, match="tiny_aya"):
        tokenizer.encode("low")
    with pytest.raises(ValueError, match=r"cannot be checked \(The pre-tokenizer 'tiny_aya' of"):
        formats.make(tokenizer, "tiktoken")


def test_a_pattern_for_an_unknown_pre_tokenizer() -> None:
    data = tokenizer_gguf("gpt2", pre="tiny_aya", tokens=TOKENS, token_type=TYPES, merges=MERGES)
    tokenizer = formats.read(data, "t.gguf", pattern="qwen2")
    assert tokenizer.pattern == PRESETS["qwen2"] and not tokenizer.view_only
    assert tokenizer.encode("low lower") == bpe(pre="qwen2").encode("low lower")
    assert tokenizer.notes[0] == (
        "The pre-tokenizer 'tiny_aya' of this model is not known here; text is cut by the pattern "
        "that was asked for (qwen2)."
    )
    known = tokenizer_gguf("gpt2", pre="gpt-2", tokens=TOKENS, token_type=TYPES, merges=MERGES)
    assert "changes nothing" in formats.read(known, "t.gguf", pattern="qwen2").notes[0]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tokens": None}, r"tokenizer\.ggml\.tokens must be a list of texts"),
        ({"tokens": [1, 2]}, r"tokenizer\.ggml\.tokens must be a list of texts"),
        ({"tokens": []}, r"tokenizer\.ggml\.tokens must be a list of texts"),
        ({"tokens": [*TOKENS, "a"]}, r"tokens\[270\] is the text of token \d+ again"),
        ({"token_type": [1, 2]}, r"token_type must be a list of 270 numbers"),
        ({"token_type": "x"}, r"token_type must be a list of 270 numbers"),
        ({"merges": None}, r"tokenizer\.ggml\.merges must be a list of texts"),
        ({"merges": [*MERGES, "x"]}, r"merges\[10\] must be two tokens with a space between"),
        ({"merges": [*MERGES, "x yy"]}, r"merges\[10\] uses 'yy', which is no token"),
        ({"merges": [*MERGES, "x y"]}, r"merges\[10\] uses 'xy', which is no token"),
        (
            {"tokens": [*TOKENS, "日", "日a"], "merges": ["日 a"], "token_type": None},
            r"tokens\[270\] is used by a merge, but not spelled in the byte alphabet",
        ),
    ],
)
def test_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=rf"^x\.gguf: .*{words}"):
        bpe(**changes)


def test_token_of_no_alphabet_is_beside_the_table() -> None:
    tokenizer = bpe(tokens=[*TOKENS, "日本"], token_type=None)
    assert tokenizer.special_ids["日本"] == len(TOKENS)
    assert len(tokenizer.encode("日本")) == 6


# Scores


def scored_data(name: str, **changes: Any) -> bytes:
    pieces = parse(test_sentencepiece.model_data(name), name, lambda share: None).pieces
    values = {
        "tokens": pieces.texts,
        "scores": pieces.scores,
        "token_type": list(map(int, pieces.types)),
        **changes,
    }
    wanted = {key: value for key, value in values.items() if value is not None}
    return tokenizer_gguf("llama", **wanted)


def scored(name: str, **changes: Any) -> Tokenizer:
    return formats.read(scored_data(name, **changes), f"{name}.gguf")


@cache
def scored_of(name: str) -> Tokenizer:
    return scored(name)


@given(test_sentencepiece.texts)
def test_scored_ids(text: str) -> None:
    tokenizer = scored_of("all-spaces")
    assert not tokenizer.view_only
    assert tokenizer.encode(text) == test_sentencepiece.judge("all-spaces").Encode(text)
    ids = tokenizer.encode(text)
    assert tokenizer.decode(ids) == text.replace("▁", " ")


def test_scored_specials() -> None:
    tokenizer = scored_of("all-spaces")
    assert tokenizer.roles == {"bos": "<s>", "eos": "</s>"}
    assert tokenizer.special_ids == {"<unk>": 0, "<s>": 1, "</s>": 2}
    without = scored("all-spaces", add_space_prefix=False)
    assert without.encode(" low") == tokenizer.encode("low")


def test_user_defined_pieces_are_cut_out() -> None:
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{b:02X}>" for b in range(256)), "▁", "a", "▁a", "<x>"]
    types = [2, 3, 3, *[6] * 256, 1, 1, 1, 4]
    values = {"tokens": pieces, "token_type": types, "scores": [-float(i) for i in range(263)]}
    tokenizer = formats.read(tokenizer_gguf("llama", **values), "x.gguf")
    ids = {text: i for i, text in enumerate(pieces)}
    # A space is put in front of what follows one, too.
    assert tokenizer.encode("a<x>ab") == [ids["▁a"], ids["<x>"], ids["▁a"], ids["<0x62>"]]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scores": None}, "have one score"),
        ({"tokens": ["<unk>", "<s>", "</s>", "ab", "a"], "scores": [0] * 5}, "no token itself"),
        (
            {"tokens": ["<unk>", "<s>", "</s>", "</s", ">", "<", "/", "s"], "scores": [0] * 8},
            r"Token 2 \('</s>'\) is no text, but llama.cpp may join text to it",
        ),
    ],
)
def test_scored_only_to_look_at(changes: dict[str, Any], words: str) -> None:
    if "tokens" in changes:
        changes = {**changes, "token_type": [2, 3, 3] + [1] * (len(changes["tokens"]) - 3)}
    tokenizer = scored("bytes", **changes)
    with pytest.raises(ValueError, match=words):
        tokenizer.encode("a")


@pytest.mark.parametrize(("model", "words"), [("bert", "WordPiece"), ("whatever", "not known")])
def test_other_models_are_only_looked_at(model: str, words: str) -> None:
    data = tokenizer_gguf(model, tokens=["[CLS]", "low", "er"], token_type=[3, 1, 1])
    tokenizer = formats.read(data, "x.gguf")
    assert words in tokenizer.view_only and tokenizer.special_ids == {"[CLS]": 0}
    assert tokenizer.token_bytes(1) == b"low"


def test_no_tokenizer() -> None:
    with pytest.raises(ValueError, match=r"^x\.gguf: it has no key tokenizer\.ggml\.model"):
        formats.read(tokenizer_gguf("x").replace(b"ggml.model", b"ggml.xodel"), "x.gguf")
