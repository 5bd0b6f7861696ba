"""Rank files: what is read, what is refused, and that tiktoken gives the same ids."""

from __future__ import annotations

import base64
import hashlib
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio import formats
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import AddedToken, TextRules
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats import PatternNeededError, tiktoken
from bpe_studio.formats.ranks import known_encodings
from bpe_studio.formats.ranks.known_encodings import KnownEncoding, rank_lines
from bpe_studio.formats.source import Source
from bpe_studio.formats.written import Written
from tests import texts
from tests.bpe.test_trainer import trained
from tests.unicode_differences import read_differences

SAMPLE = "low lower lowest, don't 12345\n\n  xé日本語日本 नमस्ते\n" + "ab" * 40
BYTES = [bytes([byte]) for byte in range(256)]
DIFFERENT = read_differences()


def file_of(*tokens: bytes) -> bytes:
    return rank_lines(enumerate([*BYTES, *tokens]))


def read(data: bytes, pattern: str | None = "gpt2") -> Tokenizer:
    return tiktoken.read(Source(data=data, name="t.tiktoken", pattern=pattern))


def encoding_of(saved: Written, folder: Path) -> Any:
    """What the Python lines make of the file."""
    pytest.importorskip("tiktoken")
    path = folder / 'it\'s \\ a "file".tiktoken'
    path.write_bytes(saved.files[""])
    names: dict[str, Any] = {}
    exec(saved.hint_for(path), names)
    return names["encoding"]


# Reading


def test_a_small_file() -> None:
    tok = read(file_of(b"bc", b"ab", b"abc", b"xyz"))
    assert tok.merges == [(98, 99, 256), (97, 98, 257), (97, 256, 258)]
    assert (tok.engine, tok.pattern.name, tok.specials) == ("whole-piece-first", "gpt2", ())
    assert tok.encode("abc xyz xyz") == [258, 32, 120, 121, 122, 32, 120, 121, 122]
    assert tok.encode("xyz") == [259]
    assert tok.notes == ("No merge makes one of the tokens.",)


def test_what_the_lines_may_be() -> None:
    data = file_of(b"ab", b"cd")
    usual = read(data)
    lines = data.splitlines()
    for other in (
        b"\xef\xbb\xbf" + data,
        data.replace(b"\n", b"\r\n"),
        data.replace(b"\n", b"\n\n"),
        b"\n".join(lines),
        b"\n".join(reversed(lines)) + b"\n",
    ):
        assert tiktoken.sniff(other)
        assert read(other).merges == usual.merges
        assert read(other).table.token_list == usual.table.token_list


def test_ids_are_kept_sparse() -> None:
    tok = read(rank_lines([*enumerate(BYTES), (1_000_000_000, b"ab"), (2**31 - 1, b"abc")]))
    assert tok.merges == [(97, 98, 10**9), (10**9, 99, 2**31 - 1)]
    assert tok.vocab_size == 258


def test_a_file_without_some_bytes() -> None:
    tok = read(rank_lines([(1, b"a"), (2, b"b"), (3, b"ab"), (4, b"bc")]))
    assert tok.merges == [(1, 2, 3)]
    assert tok.encode("abab") == [3, 3]
    assert tok.notes[0].startswith("The table has no token for 254 of the 256 bytes")
    with pytest.raises(ValueError, match="no token for the byte 0x63"):
        tok.encode("abc")


def test_a_part_of_higher_rank() -> None:
    tok = read(file_of(b"bbb", b"bb"))
    assert tok.encode("bbb bbb") == [256, 32, 256]
    assert tok.encode("bbbbb") == [256, 257]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"YWI=", "must be a token in base64, a space and a rank from 0 to 2147483647"),
        (b"YWI= ", "must be a token"),
        (b"YWI= -1", "must be a token"),
        (b"YWI= 1.5", "must be a token"),
        (b"YWI= true", "must be a token"),
        (b"YWI= NaN", "must be a token"),
        (b"YWI= 4294967296", "must be a token"),
        (b"YWI= 2147483648", "must be a token"),
        (b"YWI= " + b"9" * 5000, "must be a token"),
        (b"YWI=  300", "must be a token"),
        (b"YWI= 300 7", "must be a token"),
        (b"YWI 300", "does not begin with a token in base64"),
        (b"YW=I 300", "does not begin"),
        (b"Y!I= 300", "does not begin"),
        (b" 300", "does not begin"),
        ("日本 300".encode(), "does not begin"),
        (b"YWI= 97", "has the rank 97, which another line has already"),
        (b"YQ== 300", "has the token of rank 97 again, under the rank 300"),
        (base64.b64encode(bytes(1 << 20) + b"a") + b" 300", "has a token longer than 1 MiB"),
        (b"   ", "must be a token"),
    ],
)
def test_bad_lines(line: bytes, reason: str) -> None:
    for data in (file_of() + line, file_of() + line + b"\n" + b"YWJj 999\n"):
        with pytest.raises(ValueError) as caught:
            read(data)
        assert str(caught.value).startswith(f"t.tiktoken: line 257 {reason}")
        assert str(caught.value).endswith(".")


def test_the_longest_token() -> None:
    tok = read(rank_lines([(0, b"a"), (1, bytes([98] * (1 << 20)))]))
    assert len(tok.token_bytes(1)) == 1 << 20


def test_empty_files() -> None:
    for data in (b"", b"\n\n", b"\xef\xbb\xbf"):
        assert not tiktoken.sniff(data)
        with pytest.raises(
            ValueError, match=r"^t.tiktoken: it is empty; download or save it again\.$"
        ):
            read(data)


def test_the_pattern_is_asked_for() -> None:
    with pytest.raises(PatternNeededError, match=r"^t.tiktoken: .*--pattern NAME, one of classic"):
        read(file_of(b"ab"), pattern=None)
    assert read(file_of(b"ab"), pattern="(?s).").encode("ab") == [97, 98]


def test_sniffing() -> None:
    assert tiktoken.sniff(file_of(b"ab")[:5000])
    assert tiktoken.sniff(file_of(b"ab")[:20])
    for other in (
        b"{",
        b"that 12345\nwith 8\nthe 7\nof 5\na 1\n",
        b"#version: 0.2\na b\n",
        b"word",
    ):
        assert not tiktoken.sniff(other)


def test_a_known_file(monkeypatch: pytest.MonkeyPatch) -> None:
    data = file_of(b"ab", b"abc")
    known = KnownEncoding(
        name="small_base",
        sha256=hashlib.sha256(data).hexdigest(),
        pattern="o200k",
        specials={"<|endoftext|>": 300},
    )
    monkeypatch.setitem(known_encodings.KNOWN, known.sha256, known)
    tok = read(data.replace(b"\n", b"\r\n"), pattern=None)
    assert (tok.pattern.name, tok.special_ids) == ("o200k", {"<|endoftext|>": 300})
    assert tok.roles == {"eos": "<|endoftext|>"}
    assert tok.encode("ab<|endoftext|>", allowed_special="all") == [256, 300]
    assert tok.notes == (
        "The tokens are those of small_base, so the specials are too, and the pattern is o200k.",
    )
    assert read(data, pattern="gpt2").pattern.name == "gpt2"
    assert tiktoken.write(tok).losses == ()
    other = replace(tok, pattern=PRESETS["gpt2"], special_ids={}, roles={})
    assert tiktoken.write(other).losses == (
        "A rank file does not hold the pattern (gpt2): its reader must be told.",
        "The tokens are those of small_base: read again, the file has the specials of that.",
    )


def _check_cuts(ours: str, theirs: str) -> None:
    """The same pieces; that of r50k_base is written in another way."""
    chance = random.Random(6)
    for _ in range(2000):
        text = "".join(chance.choices(texts.HARD_PARTS, k=12))
        assert regex.findall(ours, text) == regex.findall(theirs, text)


def test_the_list_of_known_files_is_that_of_tiktoken(monkeypatch: pytest.MonkeyPatch) -> None:
    public = pytest.importorskip("tiktoken_ext.openai_public")
    monkeypatch.setattr(public, "load_tiktoken_bpe", lambda _, expected_hash: expected_hash)
    for known in known_encodings.KNOWN.values():
        if known.name.endswith("_base"):
            theirs = getattr(public, known.name)()
            assert theirs["mergeable_ranks"] == known.sha256
            assert theirs["special_tokens"] == known.specials
            _check_cuts(PRESETS[known.pattern].expression, theirs["pat_str"])
        first = min(known.specials.values())
        assert len(set(known.specials.values())) == len(known.specials), first


# Writing


@pytest.mark.parametrize("pattern", PRESETS)
def test_a_table_of_our_own_gives_the_same_ids(pattern: str, tmp_path: Path) -> None:
    ours = trained([SAMPLE * 3], vocab_size=400, pattern=pattern)
    written = tiktoken.write(ours)
    assert [loss.split(" (")[0] for loss in written.losses[:2]] == [
        "A rank file does not hold the pattern",
        "A rank file does not hold the specials",
    ]
    data = written.files[""]
    again = read(data, pattern=pattern)
    assert again.merges == ours.merges
    assert again.table.token_list == ours.table.token_list
    assert tiktoken.write(again).files[""] == data
    theirs = encoding_of(written, tmp_path)
    chance = random.Random(7)
    for _ in range(200):
        words = chance.choices([*SAMPLE.split(" "), "<bos>", "<tool_call>", "\n", "é", "ab"], k=9)
        text = chance.choice(["", " "]).join(words)
        assert ours.encode(text) == again.encode(text) == theirs.encode_ordinary(text)
        assert ours.encode(text, allowed_special="all") == theirs.encode(
            text, allowed_special="all"
        )


TRAINED = trained([SAMPLE * 3], vocab_size=400)


@given(texts.any_text)
def test_any_text(text: str) -> None:
    text = "".join(char for char in text if char not in DIFFERENT)
    again = read(tiktoken.write(TRAINED).files[""], pattern="classic")
    assert again.encode(text) == TRAINED.encode(text)


def test_merges_that_never_take_place_are_left_out() -> None:
    table = MergeTable.build(
        byte_ids=range(256),
        merges=[(98, 99, 256), (97, 98, 257), (97, 256, 258), (257, 99, 258)],
    )
    tok = Tokenizer(table, PRESETS["gpt2"])
    written = tiktoken.write(tok)
    assert written.losses[-1] == "A rank file does not hold 1 merges that never take place."
    assert read(written.files[""]).merges == tok.merges[:3]


def refused(reason: str, **changes: Any) -> None:
    with pytest.raises(ValueError, match=reason):
        tiktoken.write(replace(TRAINED, training=None, special_ids={}, roles={}, **changes))


def test_what_cannot_be_written() -> None:
    base: dict[str, Any] = {"byte_ids": range(256)}
    ab, bc = (97, 98, 257), (98, 99, 256)
    refused(
        "Merge 1 makes the id 256, and the one before it 257",
        table=MergeTable.build(merges=[ab, bc], **base),
    )
    refused(
        'from a rank file, the token 258 is made of "a" and "bc", and the table',
        table=MergeTable.build(merges=[bc, ab, (257, 99, 258)], **base),
    )
    refused(
        'No merge makes the token 300, "xyz"',
        table=MergeTable.build(tokens={300: b"xyz"}, **base),
    )
    refused(
        'The ids 97 and 300 have the same bytes, "a"',
        table=MergeTable.build(tokens={300: b"a"}, **base),
    )
    refused("character base", table=trained(["日本 日本 日本"], vocab_size=268, base="chars").table)
    refused(r"rules \(strip left\) that a rank file", rules=TextRules(strip_left=1))
    refused(r"cannot be checked \(Its cut is not known\)", view_only="Its cut is not known.")


def test_what_is_lost_is_said() -> None:
    added = TextRules(added=(AddedToken("<bos>", 1, lstrip=True),))
    losses = tiktoken.write(replace(TRAINED, rules=added)).losses
    assert [loss.split(":")[0][:50] for loss in losses] == [
        "A rank file does not hold the pattern (classic)",
        "A rank file does not hold the specials (<pad>, <bo",
        "A rank file does not say that text which spells a ",
        "A rank file does not hold that some specials take ",
        "A rank file does not hold the record of the traini",
    ]


def test_whole_pieces_that_no_merge_makes_come_back() -> None:
    tok = read(file_of(b"ab", b"xyz"))
    data = tiktoken.write(tok).files[""]
    assert data == file_of(b"ab", b"xyz")


@given(
    st.lists(st.text("abc", min_size=2, max_size=5), unique=True, max_size=20),
    st.lists(st.text("abc", max_size=40), min_size=1, max_size=5),
)
def test_any_ranks_give_the_ids_of_tiktoken(words: list[str], probes: list[str]) -> None:
    library = pytest.importorskip("tiktoken")
    tokens = [*BYTES, *(word.encode() for word in words)]
    ours = read(rank_lines(enumerate(tokens)), pattern="words")
    theirs = library.Encoding(
        "any",
        pat_str=ours.pattern.expression,
        mergeable_ranks={token: rank for rank, token in enumerate(tokens)},
        special_tokens={},
    )
    for probe in probes:
        assert ours.encode(probe) == theirs.encode_ordinary(probe)


def test_saved_and_loaded(tmp_path: Path) -> None:
    path = tmp_path / "ours.tiktoken"
    formats.save(TRAINED, path)
    with pytest.raises(PatternNeededError):
        formats.load(path)
    shares: list[float] = []
    again = formats.load(path, pattern="classic", report=shares.append)
    assert np.array_equal(again.table.merges, TRAINED.table.merges)


def test_too_many_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiktoken, "MAX_TOKENS", 256)
    read(file_of())
    with pytest.raises(ValueError, match=r"^t.tiktoken: line 257 has one token more than 256"):
        read(file_of(b"ab", b"cd"))
