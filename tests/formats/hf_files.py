"""Small `tokenizer.json` files of our own making, and the library's answer for them."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import tokenizers
from hypothesis import strategies as st

from bpe_studio import formats
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.ranks.byte_alphabet import LETTERS
from tests.unicode_differences import read_differences

BYTE_LEVEL: dict[str, Any] = {
    "type": "ByteLevel",
    "add_prefix_space": False,
    "trim_offsets": False,
    "use_regex": True,
}

#: Characters at which the parts of a file may do something.
ALPHABET = " \n\t\r▁aAbBcloweér1２²é́ǅßŐﬁı日本ไทย한글.,'!?_-\u200d\u00a0\u3000<x>y🙂"


def model(vocab: list[str] | dict[str, int], merges: list[Any], **options: Any) -> dict[str, Any]:
    """A BPE model; tokens in a list take ids from 0."""
    ids = vocab if isinstance(vocab, dict) else {token: i for i, token in enumerate(vocab)}
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": ids,
        "merges": merges,
    } | options


def pairs(*merged: str) -> list[list[str]]:
    """``"a b"`` -> ``["a", "b"]``."""
    return [text.split() for text in merged]


def byte_level(*merges: str, **options: Any) -> dict[str, Any]:
    """A BPE model that spells every byte."""
    rows = pairs(*merges)
    tokens = dict.fromkeys([*LETTERS, *(left + right for left, right in rows)])
    return model(list(tokens), rows, **options)


def added(content: str, number: int, **flags: bool) -> dict[str, Any]:
    return {
        "id": number,
        "content": content,
        "single_word": False,
        "lstrip": False,
        "rstrip": False,
        "normalized": False,
        "special": True,
    } | flags


def file(of_model: dict[str, Any], **parts: Any) -> dict[str, Any]:
    """A whole file as its library writes it."""
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": None,
        "model": of_model,
    } | parts


def data_of(content: dict[str, Any]) -> bytes:
    return json.dumps(content).encode()


def read(content: dict[str, Any]) -> Tokenizer:
    return formats.read(data_of(content), "t.json")


def library(content: dict[str, Any]) -> tokenizers.Tokenizer:
    return tokenizers.Tokenizer.from_str(json.dumps(content))


_DIFFERENT = read_differences()
_FORMS = {"NFKC": tokenizers.normalizers.NFKC(), "NFKD": tokenizers.normalizers.NFKD()}


def _versions_agree(text: str) -> bool:
    """Whether this Python and the library have the same normal forms of each character.

    The library's tables are older: it leaves characters alone that came later.
    """
    return all(
        form.normalize_str(char) == unicodedata.normalize(name, char)
        for char in text
        if not char.isascii()
        for name, form in _FORMS.items()
    )


def texts(*words: str) -> st.SearchStrategy[str]:
    """Characters that matter, and whole words; none on which Unicode versions disagree."""
    chars = st.sampled_from(ALPHABET) | st.characters(exclude_categories=["Cs", "Cn"])
    parts = st.sampled_from([*words, *ALPHABET]) | chars
    some = st.lists(parts, max_size=12).map("".join)
    return some.filter(_DIFFERENT.isdisjoint).filter(_versions_agree)


def check_same(content: dict[str, Any], text: str, *, offsets: bool = True) -> None:
    """Our ids and spans are those of the library."""
    ours = read_cached(json.dumps(content))
    theirs = library_cached(json.dumps(content)).encode(text, add_special_tokens=False)
    found = ours.encode_with_offsets(text)
    assert found.ids.tolist() == theirs.ids == ours.encode(text)
    if offsets:
        assert spans_in_characters(text, found.offsets.tolist()) == theirs.offsets


_OURS: dict[str, Tokenizer] = {}
_THEIRS: dict[str, tokenizers.Tokenizer] = {}


def read_cached(content: str) -> Tokenizer:
    if content not in _OURS:
        _OURS[content] = formats.read(content.encode(), "t.json")
        assert not _OURS[content].view_only
    return _OURS[content]


def library_cached(content: str) -> tokenizers.Tokenizer:
    if content not in _THEIRS:
        _THEIRS[content] = tokenizers.Tokenizer.from_str(content)
    return _THEIRS[content]


def spans_in_characters(text: str, spans: list[list[int]]) -> list[tuple[int, int]]:
    """Byte spans as the characters that they touch."""
    of_byte = [place for place, char in enumerate(text) for _ in char.encode()] + [len(text)]
    return [
        (of_byte[begin], of_byte[end - 1] + 1 if end > begin else of_byte[begin])
        for begin, end in spans
    ]
