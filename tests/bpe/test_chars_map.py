"""Character maps: against SentencePiece's own normalizer and Hugging Face's Precompiled."""

from __future__ import annotations

import random
import struct
from functools import cache

import pytest
import sentencepiece
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe import chars_map
from bpe_studio.formats.spm import protobuf

# Characters that maps compose, take apart, drop or turn into a space.
_LIVELY = (
    "aeiouAEIO \t\r\nﬁªºÅ①㈱ﾊﾞかはᄀ깍각"
    "\u0300\u0301\u0302\u0308\u0323\u0338\u3099\u309a\u200b\u200d\x01\xa0"
)
texts = st.text(st.sampled_from(_LIVELY) | st.characters(exclude_categories=["Cs"]), max_size=24)


@cache
def normalizer(rule: str) -> sentencepiece.SentencePieceNormalizer:
    return sentencepiece.SentencePieceNormalizer(
        rule_name=rule,
        add_dummy_prefix=False,
        escape_whitespaces=False,
        remove_extra_whitespaces=False,
    )


@cache
def map_of(rule: str) -> bytes:
    model: bytes = normalizer(rule).serialized_model_proto()
    (spec,) = [(start, end) for tag, start, end in protobuf.fields(model) if tag >> 3 == 3]
    return next(model[a:b] for tag, a, b in protobuf.fields(model, *spec) if tag >> 3 == 2)


def applied(data: bytes, text: str, **options: object) -> str:
    parts, done = [], 0
    for start, end, replacement in chars_map.edits(data, text, **options):  # type: ignore[arg-type]
        assert done <= start < end <= len(text)
        parts += [text[done:start], replacement]
        done = end
    return "".join((*parts, text[done:]))


def trie(keys: dict[bytes, int], replacements: bytes) -> bytes:
    """A map of keys of at most two bytes, each child block at a place of its own."""
    units = [0] * 2048
    base, blocks = 256, {b"": 256}
    units[0] = base << 10
    for part in sorted({key[:n] for key in keys for n in range(1, len(key) + 1)}, key=len):
        home = blocks[part[:-1]]
        base += 256
        place = home ^ part[-1]
        units[place] = (place ^ base) << 10 | part[-1]
        blocks[part] = base
        if part in keys:
            units[place] |= 0x100
            units[base] = keys[part] | 1 << 31
    return struct.pack("<I2048I", 8192, *units) + replacements


@given(texts)
@pytest.mark.parametrize("rule", ["nmt_nfkc", "nfkc_cf"])
def test_equals_sentencepiece(rule: str, text: str) -> None:
    assert applied(map_of(rule), text) == normalizer(rule).Normalize(text)


@given(texts)
def test_equals_precompiled(text: str) -> None:
    data = map_of("nmt_nfkc")
    theirs = tokenizers.normalizers.Precompiled(data).normalize_str(text)
    assert applied(data, text, by_grapheme=True) == theirs


def test_every_character() -> None:
    # In one text, apart from each other: some would join.
    text = "x".join(chr(i) for i in range(0x110000) if not 0xD800 <= i < 0xE000)
    assert len(chars_map.edits(map_of("nmt_nfkc"), text)) > 4000
    assert applied(map_of("nmt_nfkc"), text) == normalizer("nmt_nfkc").Normalize(text)


def test_longest_key() -> None:
    data = trie({b"a": 0, b"ab": 2}, b"1\x002\x00")
    assert chars_map.edits(data, "xabax") == [(1, 3, "2"), (3, 4, "1")]
    assert chars_map.starts_with(data, "a") and not chars_map.starts_with(data, "b")


def test_kept_texts() -> None:
    data = trie({b"a": 0, b"bc": 2}, b"1\x002\x00")
    assert applied(data, "a xay axa", kept=("xa", "xay")) == "1 xay 1xa"
    # Where a key has begun before, it is the key that counts.
    assert applied(data, "bca", kept=("ca",)) == "21"
    assert applied(data, "bcca", kept=("ca",)) == "2ca"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no trie of the size"),
        (struct.pack("<I", 8), "no trie of the size"),
        (struct.pack("<II", 2**32 - 4, 0), "no trie of the size"),
        (struct.pack("<II", 3, 0), "no trie of the size"),
        (trie({b"a": 5}, b"1\x00"), "outside of itself"),
        (trie({b"a": 0}, b"\xff\x00"), "no UTF-8"),
        (trie({b"a": 1}, "é\0".encode()), "inside a character"),
        (trie({b"\x80": 0}, b"1\x00"), "key that is no UTF-8"),
        (trie({b"\xc3": 0}, b"1\x00"), "key that is no UTF-8"),
        (trie({b"\xc3a": 0}, b"1\x00"), "key that is no UTF-8"),
    ],
)
def test_refused(data: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        chars_map.check(data)


def test_a_circle_is_refused() -> None:
    units = [0] * 1024
    units[0] = 256 << 10
    home = 256 ^ ord("a")
    units[home] = (home ^ 256) << 10 | ord("a")  # its children are those of the root
    with pytest.raises(ValueError, match="over 256 characters"):
        chars_map.check(struct.pack("<I1024I", 4096, *units) + b"\0")


def test_a_key_at_the_end_of_the_array() -> None:
    data = bytearray(trie({b"a": 0}, b"1\x00"))
    place = 4 + 4 * (256 ^ ord("a"))
    data[place : place + 4] = struct.pack("<I", 0x1FFFFF << 10 | 0x100 | ord("a"))
    with pytest.raises(ValueError, match="without a replacement"):
        chars_map.check(bytes(data))


def test_damaged_maps() -> None:
    good = map_of("nmt_nfkc")
    chance = random.Random(5)
    for _ in range(60):
        data = bytearray(good)
        for _ in range(chance.choice((1, 20, 2000))):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            chars_map.check(bytes(data))
        except ValueError:
            continue
        applied(bytes(data), _LIVELY * 3)
        applied(bytes(data), _LIVELY * 3, by_grapheme=True)
