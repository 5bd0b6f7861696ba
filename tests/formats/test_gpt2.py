"""The pair of GPT-2: from either file, strict, and there and back; judged by HF tokenizers."""

from __future__ import annotations

import doctest
import json
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bpe_studio import formats
from bpe_studio.bpe.patterns import PRESETS, resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats import gpt2, written
from bpe_studio.formats.ranks.byte_alphabet import LETTERS
from tests.bpe.test_trainer import trained
from tests.unicode_differences import read_differences

SAMPLE = "low lower lowest, don't 12345\n\n  xé日本語日本 नमस्ते\n" + "ab" * 40
MERGES = ["l o", "lo w", "Ġ low", "e r", "Ġlow er"]
VOCAB = {
    **{letter: number for number, letter in enumerate(LETTERS)},
    **{merge.replace(" ", ""): 256 + rank for rank, merge in enumerate(MERGES)},
    "<|endoftext|>": 300,
}


def save_pair(
    folder: Path,
    vocab: Any = VOCAB,
    merges: str = "\n".join(["#version: 0.2", *MERGES, ""]),
    names: tuple[str, str] = ("vocab.json", "merges.txt"),
) -> tuple[Path, Path]:
    text = vocab if isinstance(vocab, str) else json.dumps(vocab)
    (folder / names[0]).write_text(text, "utf-8")
    (folder / names[1]).write_bytes(merges.encode())
    return folder / names[0], folder / names[1]


@pytest.mark.parametrize(
    "names",
    [
        ("vocab.json", "merges.txt"),
        ("encoder.json", "vocab.bpe"),
        ("small-vocab.json", "small-merges.txt"),
        ("small.json", "small-merges.txt"),
        ("small.json", "merges.txt"),
        ("vocab.json", "words.txt"),
    ],
)
def test_from_either_file(tmp_path: Path, names: tuple[str, str]) -> None:
    vocab, merges = save_pair(tmp_path, names=names)
    opened = [
        path
        for path, found in ((vocab, merges), (merges, vocab))
        if (path.name, found.name)
        not in (("vocab.json", "words.txt"), ("merges.txt", "small.json"))
    ]
    for path in opened:
        tok = formats.load(path)
        assert tok.merges == [
            (108, 111, 256),
            (256, 119, 257),
            (32, 257, 258),
            (101, 114, 259),
            (258, 259, 260),
        ]
        assert (tok.engine, tok.pattern) == ("merges", PRESETS["gpt2"])
        assert (tok.special_ids, tok.roles) == ({"<|endoftext|>": 300}, {"eos": "<|endoftext|>"})
        assert tok.encode("low lower") == [257, 260]
        assert tok.notes == (
            "The files do not tell how a text is cut; it is cut as GPT-2 does it.",
        )
        assert formats.load(path, pattern="o200k").pattern is PRESETS["o200k"]


def test_line_ends(tmp_path: Path) -> None:
    for merges in (
        "\n".join(MERGES),
        "\n".join(["#version: 0.2", *MERGES, "", ""]),
        "\r\n".join(["#version: 0.2", *MERGES, ""]),
        "\ufeff" + "\n".join(["#version: 0.2", *MERGES, ""]),
    ):
        path, _ = save_pair(tmp_path, merges=merges)
        assert len(formats.load(path).merges) == 5


def test_other_separators_end_no_line(tmp_path: Path) -> None:
    # U+0085 and U+00A0 are no letters of the alphabet, but others split there in reading.
    path, _ = save_pair(tmp_path, merges="l o\x85e r\n")
    with pytest.raises(ValueError, match="line 1 must be two tokens with a space between them"):
        formats.load(path)


def test_what_no_merge_makes(tmp_path: Path) -> None:
    names = ["<s>", "<pad>", "[CLS]", "日", "madeupword0000", "Ġfoo", "xy"]
    vocab = VOCAB | {name: 301 + place for place, name in enumerate(names)}
    path, _ = save_pair(tmp_path, vocab, "\n".join([*MERGES, "xy xy"]).replace("xy xy", "l o"))
    tok = formats.load(path)
    assert tok.specials == ("<|endoftext|>", "<s>", "<pad>", "[CLS]", "日")
    assert tok.token_bytes(306) == b" foo" and tok.encode("xy") == [120, 121]
    assert tok.notes[1:] == (
        "No merge makes 3 of the tokens.",
        "1 of the merges is there before (merge 5 repeats merge 0); the first of them counts.",
    )


def test_a_part_made_later_and_bytes_that_are_lacking(tmp_path: Path) -> None:
    vocab = {name: number for name, number in VOCAB.items() if name not in "!?"}
    path, _ = save_pair(tmp_path, vocab, "lo w\nl o\nĠ low\ne r\nĠlow er\n")
    tok = formats.load(path)
    assert tok.encode("low lower") == [257, 260]
    assert "no token for 2 of the 256 bytes" in tok.notes[1]
    with pytest.raises(ValueError, match="no token for the byte 0x21"):
        tok.encode("low!")


@pytest.mark.parametrize(
    ("vocab", "message"),
    [
        (VOCAB | {"low": -1}, '["low"] must be an integer from 0 to'),
        (VOCAB | {"low": 1.5}, '["low"] must be an integer'),
        (VOCAB | {"low": True}, '["low"] must be an integer'),
        (VOCAB | {"low": None}, '["low"] must be an integer'),
        (VOCAB | {"low": 1 << 32}, '["low"] must be an integer'),
        (VOCAB | {"low": 97}, '["low"] is 97, the id of "a"'),
        (VOCAB | {"": 999}, '[""] is a token without a character'),
        (VOCAB | {"\ud800": 999}, 'the token "\\ud800" holds a lone surrogate at character 0'),
        (VOCAB | {"a" * (2 << 20): 999}, '["'),
        ('{"a": 1, "a": 2}', 'the key "a" is there twice in one object'),
        ('{"a": NaN}', "NaN is not a number"),
        ('{"a": 1, "b": ' + "9" * 5000 + "}", "it holds a number of over 4,000 digits"),
        ("{" + '"a": {' * 70 + "}" * 71, "it is nested deeper than 64 levels"),
        ('{"a": 1,', "line 1, column"),
    ],
)
def test_a_bad_vocabulary(tmp_path: Path, vocab: Any, message: str) -> None:
    path, _ = save_pair(tmp_path, vocab)
    with pytest.raises(ValueError) as caught:
        gpt2.read(formats.Source.of(path))
    assert str(caught.value).startswith(f"{path}: {message}")
    assert str(caught.value).endswith(".") and len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("l", 'must be two tokens with a space between them, not "l"'),
        ("l o w", "must be two tokens"),
        ("l  o", "must be two tokens"),
        (" lo", "must be two tokens"),
        ("lo ", "must be two tokens"),
        ("", "must be two tokens"),
        ("l x", 'makes "lx", which is not in the vocabulary'),
        ("xx l", 'uses "xx", which is not in the vocabulary'),
        ("l 日", 'uses "日", which is not in the vocabulary'),
    ],
)
def test_a_bad_merge(tmp_path: Path, line: str, message: str) -> None:
    path, merges = save_pair(tmp_path, merges="\n".join(["#version: 0.2", *MERGES, line, "e r"]))
    with pytest.raises(ValueError) as caught:
        formats.load(path)
    assert str(caught.value).startswith(f"{merges}: line 7 {message}")


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path, merges = save_pair(tmp_path)
    merges.write_bytes(b"#version: 0.2\nl o\n\xff x\n")
    with pytest.raises(ValueError) as caught:
        formats.load(path)
    assert str(caught.value) == f"{merges}: line 3 is not valid UTF-8."


def test_marks_of_other_alphabets(tmp_path: Path) -> None:
    words = VOCAB | {"r</w>": 400, "er</w>": 401}
    path, _ = save_pair(tmp_path, words, "e r</w>\n")
    with pytest.raises(
        ValueError, match=r"the tokens end words with </w>.*open the tokenizer.json"
    ):
        formats.load(path)
    path, _ = save_pair(tmp_path, VOCAB | {"日": 400, "本": 401, "日本": 402}, "日 本\n")
    with pytest.raises(ValueError, match='the token "日" is not spelled in the byte alphabet'):
        formats.load(path)


def test_the_other_file_is_missing(tmp_path: Path) -> None:
    vocab, merges = save_pair(tmp_path)
    merges.rename(tmp_path / "elsewhere.txt")
    with pytest.raises(ValueError) as caught:
        formats.load(vocab)
    assert str(caught.value) == (
        f"{vocab}: it goes with a file of the merges, and there is no merges.txt beside it."
    )
    vocab.unlink()
    with pytest.raises(
        ValueError, match=r"a file of the tokens, and there is no vocab.json beside"
    ):
        formats.load(tmp_path / "elsewhere.txt")
    with pytest.raises(ValueError, match=r"^x: it goes with a file of the merges"):
        formats.read(json.dumps(VOCAB).encode(), "x")


def test_sniffing() -> None:
    assert gpt2.sniff(json.dumps(VOCAB).encode()[:4000]) and gpt2.sniff(b'{"a": 1}')
    assert (
        gpt2.sniff(b"#version: 0.2\nl o")
        and gpt2.sniff("\n".join([*MERGES * 2]).encode() + b"\n") is False
    )
    lines = ["a b", "ab c", "d e", "abc de", "f g", "fg h", "i j", "ij k", "l m"]
    assert gpt2.sniff("\n".join([*lines, ""]).encode())
    for other in (
        b"",
        b"{}",
        b'{"a": 1, "b": "c"}',
        b'{"id": 1, "text": "a"}',
        b"the cat\nsat on\nthe mat\n" * 9,
        b"a b\nc d\n",
    ):
        assert not gpt2.sniff(other)


# Writing


def test_there_and_back(tmp_path: Path) -> None:
    ours = trained([SAMPLE * 3], vocab_size=400, pattern="gpt2")
    for name in ("vocab.json", "a.json", "b-vocab.json"):
        said = formats.save(ours, tmp_path / name, "gpt2")
        assert said.losses == (
            "A pair of vocab.json and merges.txt does not hold the record of the training.",
        )
        again = formats.load(tmp_path / name)
        assert again.merges == ours.merges and again.special_ids == ours.special_ids
        assert again.table.token_list == ours.table.token_list and again.roles == ours.roles
    names = {path.name for path in tmp_path.iterdir()}
    assert {"merges.txt", "a-merges.txt", "b-merges.txt"} < names
    assert not doctest.testmod(written).failed


def test_a_folder_in_no_folder_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="new cannot be saved: there is no folder"):
        formats.save(PLAIN, f"{tmp_path}/none/new/", "gpt2")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", ("vocab.json", "merges.txt")),
        ("new/", ("new/vocab.json", "new/merges.txt")),
        ("merges.txt", ("vocab.json", "merges.txt")),
        ("x-merges.txt", ("x.json", "x-merges.txt")),
        ("x-vocab.json", ("x-vocab.json", "x-merges.txt")),
        ("encoder.json", ("encoder.json", "vocab.bpe")),
        ("vocab.bpe", ("encoder.json", "vocab.bpe")),
    ],
)
def test_both_files_have_names_that_are_found_again(
    tmp_path: Path, asked: str, found: tuple[str, str]
) -> None:
    path = os.path.join(tmp_path, asked)
    saved = formats.save(PLAIN, path, "gpt2")
    vocab, merges = (tmp_path / name for name in found)
    assert formats.places(saved, path) == [vocab, merges]
    assert {p for p in tmp_path.rglob("*") if p.is_file()} == {vocab, merges}
    for each in (vocab, merges):
        assert formats.load(each).merges == PLAIN.merges
    assert repr(str(vocab)) in saved.hint_for(path) and repr(str(merges)) in saved.hint_for(path)


@pytest.mark.parametrize("pattern", PRESETS)
def test_the_ids_are_those_of_tokenizers(tmp_path: Path, pattern: str) -> None:
    pytest.importorskip("tokenizers")
    ours = trained([SAMPLE * 3], vocab_size=400, pattern=pattern)
    said = formats.save(ours, tmp_path / "a-vocab.json", "gpt2")
    assert any("pattern" in loss for loss in said.losses) == (pattern != "gpt2")
    names: dict[str, Any] = {}
    exec(said.hint_for(tmp_path / "a-vocab.json"), names)
    theirs = names["tokenizer"]
    chance, different = random.Random(7), read_differences()
    for _ in range(200):
        words = chance.choices([*SAMPLE.split(" "), "<bos>", "<tool_call>", "é", "ab", "x"], k=9)
        text = "".join(c for c in chance.choice(["", " "]).join(words) if c not in different)
        assert ours.encode(text, allowed_special="all") == theirs.encode(text).ids
    for text in (*HARD, "".join(HARD)):
        assert ours.encode(text) == theirs.encode(text).ids, text


# What the two dialects read differently: counted repeats, ends of lines, \\w, marks and joiners.
HARD = (
    *("1234567890 12345", "a  \n\n b \n", " \n", "x\r\n\r\n  ", "  ", "12 \n 345\n", "नमस्ते ²½Ⅷ12"),
    *("DON'T don't I'LL", "a\u200db \u200c", "_a_1__", "\x0b\x0c\x85\u2028\u2029 x"),
    "日本語 — é!!\n",
)


@pytest.mark.parametrize(
    "expression",
    [r"\p{N}{1,3}+|\P{N}+", r"\w+$|\s|(?s:.)", r"\s++$|\S+|\s", "(?s:.+)", r"[^\W_]+|\W|_"],
)
def test_the_hint_cuts_by_an_expression_as_we_do(expression: str) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    ours = trained([SAMPLE * 3], vocab_size=400, pattern=expression)
    written = gpt2.write(ours)
    line = next(line for line in written.hint.splitlines() if "Split(" in line)
    split = eval(line.strip().removesuffix(","), vars(tokenizers))
    for text in (*HARD, "".join(HARD)):
        pieces = [text[a:b] for _, (a, b) in split.pre_tokenize_str(text)]
        assert pieces == ours.pattern.compiled.findall(text), text


def test_the_hint_says_where_a_pattern_cannot_be_said() -> None:
    hint = gpt2.write(replace(PLAIN, pattern=resolve_pattern(r"(?i:[a-z])+|(?s:.)"))).hint
    lines = [line for line in hint.splitlines() if "pre_tokenizer =" in line]
    assert len(lines) == 1 and "cannot be said in the dialect" in lines[0] and "[a-z]" not in hint


PLAIN = Tokenizer(
    MergeTable.build(byte_ids=range(256), merges=[(97, 98, 256), (256, 99, 257)]), PRESETS["gpt2"]
)


def refused(reason: str, **changes: Any) -> None:
    with pytest.raises(ValueError, match=reason):
        gpt2.write(replace(PLAIN, **changes))


def test_what_cannot_be_written() -> None:
    table = MergeTable.build(byte_ids=range(256), tokens={300: b"abc"})
    refused(
        r'do not make 1 of the tokens \(the first is 300, "abc"\)',
        table=table,
        engine="whole-piece-first",
    )
    lacking = MergeTable.build(byte_ids=[-1, *range(255)], tokens={300: b"\0\0"})
    refused("no token for the byte 0x00", table=lacking, engine="whole-piece-first")
    refused('The special "abc" is spelled as the token 257 is', special_ids={"abc": 300})
    refused("character base", table=trained(["日本 日本 日本"], vocab_size=268, base="chars").table)
    refused(r"cannot be checked \(Its cut is not known\)", view_only="Its cut is not known.")


def test_what_is_lost_is_said() -> None:
    losses = gpt2.write(replace(PLAIN, special_ids={"eos": 300, "<pad>": 301})).losses
    assert losses == (
        "A pair of vocab.json and merges.txt does not say which entries are specials: "
        '"eos" does not look like one and is read as a token.',
    )
    assert gpt2.write(replace(PLAIN, engine="whole-piece-first")).losses == ()


def test_repeated_merges_are_written_once() -> None:
    table = MergeTable.build(byte_ids=range(256), merges=[(97, 98, 256), (97, 98, 256)])
    assert gpt2.write(replace(PLAIN, table=table)).files["merges.txt"] == b"#version: 0.2\na b\n"
