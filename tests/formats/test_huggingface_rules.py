"""Every option of a BPE file: ids and spans are those of `tokenizers`."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.formats.ranks.byte_alphabet import LETTERS
from tests.formats.hf_files import (
    BYTE_LEVEL,
    added,
    byte_level,
    check_same,
    file,
    model,
    pairs,
    texts,
)

# There are many cases, and each has few ways to go wrong.
FEW = settings(max_examples=25)
MERGES = ("l o", "lo w", "Ġ lo", "Ġlo w", "e r", "Ġ Ġ", "1 2", "' s", "Ã ©", "æ Ĺ", "Ċ Ċ")


def split(pattern: dict[str, str], behavior: str = "Isolated", invert: bool = False) -> Any:
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


def sequence(*parts: Any, key: str = "pretokenizers") -> dict[str, Any]:
    return {"type": "Sequence", key: list(parts)}


NO_REGEX = BYTE_LEVEL | {"use_regex": False}
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
BEHAVIORS = ("Isolated", "Removed", "MergedWithPrevious", "MergedWithNext", "Contiguous")

PRE_TOKENIZERS: dict[str, Any] = {
    "byte level": BYTE_LEVEL,
    "byte level, prefix": BYTE_LEVEL | {"add_prefix_space": True},
    "byte level, no regex": NO_REGEX,
    "byte level, regex by default": {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": True,
    },
    "preset": sequence(split({"Regex": LLAMA3}), NO_REGEX),
    "preset, removed and inverted": sequence(
        split({"Regex": LLAMA3}, "Removed", invert=True), NO_REGEX
    ),
    "digits": sequence({"type": "Digits", "individual_digits": True}, BYTE_LEVEL),
    "runs of digits": sequence({"type": "Digits", "individual_digits": False}, BYTE_LEVEL),
    "digits and prefix": sequence(
        {"type": "Digits", "individual_digits": True}, BYTE_LEVEL | {"add_prefix_space": True}
    ),
    "three splits": sequence(
        split({"Regex": r"\p{N}{1,3}"}),
        split({"Regex": "[一-龥぀-ゟ゠-ヿ]+"}),
        split({"Regex": r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|\s+$|\w+"}),
        NO_REGEX,
    ),
    "bloom": sequence(split({"Regex": " ?[^(\\s|[.,!?…。，、।۔،])]+"}), NO_REGEX),
    "per line": sequence(split({"Regex": "^.|.$"}), NO_REGEX),
    "each character": sequence(split({"Regex": ""}), NO_REGEX),
    "each character, as text": sequence(split({"String": ""}, "Removed"), NO_REGEX),
    "punctuation": sequence({"type": "Punctuation", "behavior": "Contiguous"}, NO_REGEX),
    "punctuation by default": sequence({"type": "Punctuation"}, NO_REGEX),
    "whitespace": sequence({"type": "Whitespace"}, NO_REGEX),
    "whitespace split": sequence({"type": "WhitespaceSplit"}, NO_REGEX),
    "delimiter": sequence({"type": "CharDelimiterSplit", "delimiter": "_"}, NO_REGEX),
    "bert": sequence({"type": "BertPreTokenizer"}, NO_REGEX),
    "nested": sequence(sequence({"type": "WhitespaceSplit"}), sequence(), NO_REGEX),
    **{
        f"{behavior}, {kind}, {invert}": sequence(split(pattern, behavior, invert), NO_REGEX)
        for behavior in BEHAVIORS
        for kind, pattern in (("text", {"String": "lo"}), ("regex", {"Regex": r"\s|o+"}))
        for invert in (False, True)
    },
}


@pytest.mark.parametrize("name", PRE_TOKENIZERS)
@FEW
@given(text=texts("low", " low", "lower", "it's", "12", "  ", "\n\n"))
def test_pre_tokenizers_cut_as_the_library_does(name: str, text: str) -> None:
    content = file(byte_level(*MERGES), pre_tokenizer=PRE_TOKENIZERS[name])
    # What is put in front has no place in the text here; there it has that of the character after.
    check_same(content, text, offsets="prefix" not in name)


NORMALIZERS: dict[str, Any] = {
    **{form: {"type": form} for form in ("NFC", "NFD", "NFKC", "NFKD")},
    "lower": {"type": "Lowercase"},
    "accents": sequence({"type": "NFD"}, {"type": "StripAccents"}, key="normalizers"),
    "strip": {"type": "Strip", "strip_left": True, "strip_right": True},
    "strip left": {"type": "Strip", "strip_left": True, "strip_right": False},
    "prepend": {"type": "Prepend", "prepend": "_x"},
    "replace": {"type": "Replace", "pattern": {"String": "lo"}, "content": "12"},
    "delete": {"type": "Replace", "pattern": {"Regex": r"\s+$|\d"}, "content": ""},
    "nmt": {"type": "Nmt"},
    "several": sequence(
        {"type": "NFKC"},
        {"type": "Lowercase"},
        {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
        {"type": "Prepend", "prepend": " "},
        key="normalizers",
    ),
    "nothing": sequence(key="normalizers"),
}


@pytest.mark.parametrize("name", NORMALIZERS)
@FEW
@given(text=texts("low", " low", "LOW", "12", "  ", "e\u0301", "\u1100\u1161\u11a8"))
def test_normalizers_edit_as_the_library_does(name: str, text: str) -> None:
    content = file(byte_level(*MERGES), normalizer=NORMALIZERS[name], pre_tokenizer=BYTE_LEVEL)
    # Where characters are joined, replaced or put in, spans are a matter of taste.
    check_same(content, text, offsets=name in ("lower", "strip", "strip left", "nothing"))


FLAGS: dict[str, dict[str, bool]] = {
    "plain": {},
    "no special": {"special": False},
    "lstrip": {"lstrip": True},
    "rstrip": {"rstrip": True},
    "both": {"lstrip": True, "rstrip": True},
    "word": {"single_word": True},
    "word and both": {"single_word": True, "lstrip": True, "rstrip": True},
    "normalized": {"normalized": True},
    "normalized, both": {"normalized": True, "lstrip": True, "rstrip": True},
    "normalized word": {"normalized": True, "single_word": True, "special": False},
}


@pytest.mark.parametrize("name", FLAGS)
@pytest.mark.parametrize("normalizer", [None, "lower", "strip", "prepend"])
@FEW
@given(text=texts("<x>", "<X>", "<x>y", "low", "  ", " ", "\n"))
def test_added_tokens_are_found_as_the_library_does(
    name: str, normalizer: str | None, text: str
) -> None:
    size = 256 + len(MERGES)
    content = file(
        byte_level(*MERGES),
        normalizer=NORMALIZERS.get(normalizer or ""),
        pre_tokenizer=BYTE_LEVEL,
        added_tokens=[
            added("<x>", size, **FLAGS[name]),
            added("<x>y", size + 1),
            added("low", MERGES.index("lo w") + 256, **FLAGS[name]),
        ],
    )
    check_same(content, text, offsets=normalizer != "prepend")


# Tables that write a space as ▁

MARKED = pairs("▁ l", "▁l o", "l o", "▁ ▁", "lo w", "▁lo w", "é é", "▁▁ ▁▁")
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def marked(*more: str, merges: list[list[str]] = MARKED, **options: Any) -> dict[str, Any]:
    tokens = ["<unk>", *BYTES, *more, "▁", *"loweré12\n", *(a + b for a, b in merges)]
    return model(
        list(dict.fromkeys(tokens)),
        merges,
        **{"unk_token": "<unk>", "byte_fallback": True, "fuse_unk": True} | options,
    )


TO_MARKS = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
DECODER = sequence(
    {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
    {"type": "ByteFallback"},
    {"type": "Fuse"},
    {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    key="decoders",
)
PREPEND = {"type": "Prepend", "prepend": "▁"}
METASPACE = {"type": "Metaspace", "replacement": "▁"}

SPACES: dict[str, dict[str, Any]] = {
    "llama 2": {"normalizer": sequence(PREPEND, TO_MARKS, key="normalizers")},
    "gemma": {
        "normalizer": TO_MARKS,
        "pre_tokenizer": split({"String": " "}, "MergedWithPrevious"),
    },
    "prepended last": {"normalizer": sequence(TO_MARKS, PREPEND, key="normalizers")},
    "lower case after": {
        "normalizer": sequence(PREPEND, TO_MARKS, {"type": "Lowercase"}, key="normalizers")
    },
    "nfkc before": {"normalizer": sequence({"type": "NFKC"}, PREPEND, TO_MARKS, key="normalizers")},
    "metaspace": {"pre_tokenizer": METASPACE},
    "metaspace, first": {"pre_tokenizer": METASPACE | {"prepend_scheme": "first"}},
    "metaspace, never": {"pre_tokenizer": METASPACE | {"prepend_scheme": "never"}},
    "metaspace, no prefix": {
        "pre_tokenizer": METASPACE | {"add_prefix_space": False, "prepend_scheme": "never"}
    },
    "metaspace, whole": {"pre_tokenizer": METASPACE | {"split": False}},
    "metaspace, whole, first": {
        "pre_tokenizer": METASPACE | {"split": False, "prepend_scheme": "first"}
    },
    "words, then metaspace": {"pre_tokenizer": sequence({"type": "WhitespaceSplit"}, METASPACE)},
    "digits, then metaspace": {
        "pre_tokenizer": sequence({"type": "Digits", "individual_digits": True}, METASPACE)
    },
    "metaspace, then digits": {
        "pre_tokenizer": sequence(METASPACE, {"type": "Digits", "individual_digits": True})
    },
}
MODELS: dict[str, dict[str, Any]] = {
    "bytes": marked(),
    "unknown": marked(byte_fallback=False),
    "unknown, one by one": marked(byte_fallback=False, fuse_unk=False),
    "whole words": marked("lower", "▁lower", ignore_merges=True),
    "across spaces": marked("w▁", "▁w▁", merges=[*MARKED, ["w", "▁"]]),
}


@pytest.mark.parametrize("of_model", MODELS)
@pytest.mark.parametrize("name", SPACES)
@FEW
@given(text=texts("low", " low", "lower", "  ", "▁", "<s>", "<s> low", "w "))
def test_spaces_are_written_as_the_library_does(of_model: str, name: str, text: str) -> None:
    size = len(MODELS[of_model]["vocab"])
    content = file(
        MODELS[of_model],
        **SPACES[name],
        decoder=DECODER,
        added_tokens=[added("<unk>", 0), added("<s>", size), added("  ", size + 1, special=False)],
    )
    check_same(content, text, offsets=False)


# Marks at words

AFFIXES: dict[str, dict[str, Any]] = {
    "end of word": model(
        [
            "<unk>",
            *"lower",
            "l</w>",
            "w</w>",
            "r</w>",
            "lo",
            "low</w>",
            "er</w>",
            "low",
            "lower</w>",
        ],
        pairs("l o", "lo w</w>", "e r</w>", "lo w", "low er</w>"),
        end_of_word_suffix="</w>",
        unk_token="<unk>",
    ),
    "further in the word": model(
        ["<unk>", *"lower", "##o", "##w", "##e", "##r", "lo", "low", "##er", "lower"],
        pairs("l ##o", "lo ##w", "##e ##r", "low ##er"),
        continuing_subword_prefix="##",
        unk_token="<unk>",
        fuse_unk=True,
    ),
}


@pytest.mark.parametrize("name", AFFIXES)
@FEW
@given(text=texts("low", " low", "lower", "lowlow", "xy", "er"))
def test_marks_at_words(name: str, text: str) -> None:
    check_same(file(AFFIXES[name], pre_tokenizer={"type": "Whitespace"}), text)


@FEW
@given(text=texts("low", " low", "lower", "12"))
def test_marks_at_words_of_bytes(text: str) -> None:
    rows = pairs("l o", "lo w</w>", "e r</w>", "lo w", "low er</w>")
    made = ["lo", "low</w>", "er</w>", "low", "lower</w>"]
    ends = [f"{letter}</w>" for letter in LETTERS]
    clip = model([*LETTERS, *ends, *made], rows, end_of_word_suffix="</w>")
    regex = r"[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
    content = file(
        clip | {"unk_token": "!"},
        normalizer=sequence(
            {"type": "NFC"},
            {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "},
            {"type": "Lowercase"},
            key="normalizers",
        ),
        pre_tokenizer=sequence(split({"Regex": regex}, "Removed", invert=True), NO_REGEX),
    )
    check_same(content, text, offsets=False)


# Merges


@given(text=st.text("abc", max_size=12))
@pytest.mark.parametrize("whole", [False, True])
def test_merges_of_every_kind(whole: bool, text: str) -> None:
    """Strings and pairs, one there twice, parts made later, a token that no merge makes."""
    vocab = ["a", "b", "c", "ab", "abc", "bc", "cab", "aba", "cc"]
    rows = [["a", "b"], ["b", "c"], ["c", "ab"], ["a", "b"], ["ab", "c"], ["a", "bc"], ["ab", "a"]]
    check_same(file(model(vocab, rows, ignore_merges=whole)), text)


def test_a_merge_of_lower_rank_than_its_parts_goes_first() -> None:
    check_same(file(model(["a", "b", "ab", "aba"], [["ab", "a"], ["a", "b"]])), "abab")


@given(st.data())
def test_any_merges(data: st.DataObject) -> None:
    """Several merges that make one token, merges that are there twice, parts made later."""
    tokens = ["a", "b"]
    rows: list[list[str]] = []
    for _ in range(data.draw(st.integers(0, 8))):
        left, right = data.draw(st.sampled_from(tokens)), data.draw(st.sampled_from(tokens))
        rows.append([left, right])
        tokens.append(left + right)
    rows = data.draw(st.permutations(rows))
    content = file(model(list(dict.fromkeys(tokens)), rows))
    check_same(content, data.draw(st.text("ab", max_size=12)))
