"""tekken.json: ids after the specials, only the used part, listed and unlisted specials."""

from __future__ import annotations

import base64
import json
import random
from typing import Any

import pytest

from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats import tekken
from bpe_studio.formats.source import Source

WORDS = [b"lo", b"low", b" low", b"er", b" lower", "é".encode(), b"\xe6\x97", "日".encode()]


def entries(*words: bytes) -> list[dict[str, Any]]:
    tokens = [*(bytes([byte]) for byte in range(256)), *words]
    return [
        {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": _text(token)}
        for rank, token in enumerate(tokens)
    ]


def _text(token: bytes) -> str | None:
    try:
        return token.decode()
    except UnicodeDecodeError:
        return None


def small(**changes: Any) -> dict[str, Any]:
    """As an old file: no list of specials, and more tokens than are used."""
    return {
        "config": {
            "pattern": PRESETS["tekken"].expression,
            "num_vocab_tokens": 266,
            "default_vocab_size": 30 + 264,
            "default_num_special_tokens": 30,
            "version": "v3",
        },
        "vocab": entries(*WORDS, b"no", b" no"),
        **changes,
    }


def config(**changes: Any) -> dict[str, Any]:
    return small(config={**small()["config"], **changes})


def read(value: dict[str, Any]) -> Tokenizer:
    data = json.dumps(value).encode()
    return tekken.read(Source(data=data, name="tekken.json"))


def test_an_old_file() -> None:
    tok = read(small())
    assert tekken.sniff(json.dumps(small()).encode()[:5000])
    assert tekken.sniff(b'\xef\xbb\xbf{"vocab": ' + json.dumps(entries()).encode()[:5000])
    assert tok.pattern is PRESETS["tekken"]
    assert (tok.engine, tok.id_bound, tok.vocab_size) == ("whole-piece-first", 294, 294)
    assert tok.encode("low lower no 日") == [287, 290, 62, 140, 141, 62, 293]
    assert tok.special_ids["<unk>"] == 0 and tok.special_ids["[TOOL_CONTENT]"] == 19
    assert tok.special_ids["<SPECIAL_20>"] == 20 and tok.special_ids["<SPECIAL_29>"] == 29
    assert tok.roles == {"bos": "<s>", "eos": "</s>", "pad": "<pad>"}
    assert tok.encode("low</s>") == tok.encode("low") + tok.encode("</s>")
    assert tok.notes[0] == "The last 2 tokens of the file are not used, as it says."


def test_a_new_file() -> None:
    listed = [
        {"rank": rank, "token_str": name, "is_control": True}
        for rank, name in enumerate(["<unk>", "<s>", "</s>", "[THINK]"])
    ]
    tok = read(small(special_tokens=listed, image={"max": 1}, type="Tekken", config={
        **small()["config"], "version": "v13", "default_num_special_tokens": 6,
        "default_vocab_size": 270,
    }))  # fmt: skip
    assert list(tok.special_ids.items())[3:] == [
        ("[THINK]", 3),
        ("<SPECIAL_4>", 4),
        ("<SPECIAL_5>", 5),
    ]
    assert tok.token_bytes(6 + 97) == b"a"
    assert len(tok.notes) == 1


def test_the_ids_are_those_of_tiktoken() -> None:
    tiktoken = pytest.importorskip("tiktoken")
    value = small()
    ranks = {
        base64.b64decode(entry["token_bytes"]): entry["rank"] for entry in value["vocab"][:264]
    }
    theirs = tiktoken.Encoding(
        "tekken",
        pat_str=value["config"]["pattern"],
        mergeable_ranks=ranks,
        special_tokens={},
    )
    ours = read(value)
    chance = random.Random(3)
    for _ in range(200):
        text = "".join(chance.choices(["low", "er", " ", "é", "日本", "1", "\n", "L", "<s>"], k=12))
        assert ours.encode(text) == [30 + rank for rank in theirs.encode(text)]


def changed(place: int, **changes: Any) -> dict[str, Any]:
    value = small()
    value["vocab"][place] = {**value["vocab"][place], **changes}
    return value


SPECIAL = {"rank": 0, "token_str": "<s>"}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (small(config=None), "config must be an object, not null"),
        (config(pattern=None), "config.pattern must be a string, not null"),
        (config(pattern="("), "config.pattern cannot be used: The pattern '(' is not a valid"),
        (config(pattern=""), "config.pattern cannot be used"),
        (config(pattern="a" * 70_000), "config.pattern has more than 65,536 characters"),
        (config(default_vocab_size=29), "config.default_vocab_size must be an integer from 30 to"),
        (config(default_vocab_size=1 << 32), "config.default_vocab_size must be an integer"),
        (config(default_vocab_size=True), "config.default_vocab_size must be an integer"),
        (config(default_vocab_size=294.0), "config.default_vocab_size must be an integer"),
        (config(default_vocab_size=297), "vocab has 266 tokens, and the configuration wants 267"),
        (config(default_num_special_tokens=19), "config.default_num_special_tokens is 19, and"),
        (config(default_num_special_tokens=-1), "config.default_num_special_tokens must be an"),
        (config(version="v11"), "the key 'special_tokens' is missing, which a file of version v11"),
        (config(version=3), 'config.version must be a version such as "v3", not 3'),
        (small(vocab={}), "vocab must be a list, not {}"),
        (changed(5, rank=6), "vocab[5].rank must be 5, the number of its place, not 6"),
        (changed(5, rank=5.0), "vocab[5].rank must be 5, the number of its place, not 5.0"),
        (changed(1, rank=True), "vocab[1].rank must be 1, the number of its place, not true"),
        (changed(5, token_bytes="YQ="), 'vocab[5].token_bytes must be a token in base64, not "YQ'),
        (changed(5, token_bytes=""), 'vocab[5].token_bytes must be a token in base64, not ""'),
        (changed(5, token_bytes=None), "vocab[5].token_bytes must be a string, not null"),
        (changed(5, token_bytes="日"), "vocab[5].token_bytes must be a token in base64"),
        (changed(5, token_bytes="A" * (2 << 20)), "vocab[5].token_bytes is longer than 1 MiB"),
        (changed(260, token_bytes="YQ=="), "vocab has the same token at 97 and at 260"),
        (small(vocab=[*entries()[:9], 7, *entries()[:290]]), "vocab[9] must be an object, not 7"),
        (small(vocab=[{"rank": 0}] * 300), "vocab[0] has no key 'token_bytes'"),
        (small(special_tokens={}), "special_tokens must be a list, not {}"),
        (small(special_tokens=[SPECIAL] * 2), "special_tokens[1].rank is 0, which another"),
        (small(special_tokens=[SPECIAL, {**SPECIAL, "rank": 1}]), "special_tokens[1].token_str m"),
        (small(special_tokens=[{"rank": 0, "token_str": ""}]), "special_tokens[0].token_str must"),
        (small(special_tokens=[{"rank": 0, "token_str": "\ud800"}]), "special_tokens[0].token_st"),
        (small(special_tokens=[{"rank": 1 << 32, "token_str": "a"}]), "special_tokens[0].rank m"),
        (small(special_tokens=[{"rank": 9**9, "token_str": "a"}]), "config.default_num_special_to"),
        (small(special_tokens=[{"rank": 0, "token_str": "<SPECIAL_3>"}]), "special_tokens has a n"),
    ],
)
def test_what_is_refused(value: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:
        read(value)
    assert str(caught.value).startswith(f"tekken.json: {message}")
    assert str(caught.value).endswith(".")


def test_no_other_json_is_taken() -> None:
    for data in (b"", b"{}", b'{"vocab": {}, "merges": []}', b'["token_bytes"]', b"\xff\xfe{"):
        assert not tekken.sniff(data)
