"""SentencePiece models: small ones trained here, judged by the package itself."""

from __future__ import annotations

import io
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio import formats
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.apart.reading import read_apart
from bpe_studio.formats.source import Source
from bpe_studio.formats.spm import outside as outside_sentencepiece
from bpe_studio.formats.spm.model import PieceType
from tests.formats.test_protobuf import message
from tests.texts import any_text, hard_text

CORPUS = [
    "low low lower lowest  newer newest, wider widest: the low wide river runs low.",
    "le fleuve est large, l'été est long — café, naïve, façade, 42 + 58 = 100",
    "river rivers running runner run runs the then there these those",
    "def lower(x):     return x.lower()  # x,  y;  z",
    "日本 日本語 日本人 дом дома домой",
] * 40

# What is trained, by name: BPE unless it says otherwise.
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "identity": {"normalization_rule_name": "identity"},
    "bytes": {"byte_fallback": True, "vocab_size": 420, "normalization_rule_name": "identity"},
    "bytes-nmt": {"byte_fallback": True, "vocab_size": 420},
    "all-spaces": {
        "byte_fallback": True,
        "vocab_size": 440,
        "remove_extra_whitespaces": False,
        "normalization_rule_name": "identity",
        "allow_whitespace_only_pieces": True,
    },
    "all-spaces-nmt": {"remove_extra_whitespaces": False},
    "no-prefix": {"add_dummy_prefix": False},
    "no-prefix-all-spaces": {"add_dummy_prefix": False, "remove_extra_whitespaces": False},
    "across-spaces": {"split_by_whitespace": False, "max_sentencepiece_length": 8},
    "casefold": {"normalization_rule_name": "nmt_nfkc_cf"},
    "symbols": {
        "user_defined_symbols": ["<sep>", "①", "ab", "abc", "▁low", "\n", "ﬁ x"[:1]],
        "control_symbols": ["<cls>", "[mask]"],
        "pad_id": 3,
    },
    "symbols-bytes": {
        "user_defined_symbols": ["<sep>", "①", "▁▁", "▁▁▁", "\t"],
        "byte_fallback": True,
        "vocab_size": 420,
        "remove_extra_whitespaces": False,
    },
    "unigram": {"model_type": "unigram", "vocab_size": 120},
    "word": {"model_type": "word", "vocab_size": 40},
    "char": {"model_type": "char", "vocab_size": 80},
    "suffix": {"treat_whitespace_as_suffix": True},
}
OURS = [name for name in OPTIONS if name not in ("unigram", "word", "char", "suffix")]

_SPACED = st.text(st.sampled_from(list("  ▁abclowerin\n\t①ﬁA日é\u0301🙂\x01\u3000")), max_size=24)
texts = _SPACED | any_text | hard_text | st.sampled_from(CORPUS)


@cache
def model_data(name: str) -> bytes:
    out = io.BytesIO()
    options = {"model_type": "bpe", "vocab_size": 160, "character_coverage": 0.99}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS),
        model_writer=out,
        hard_vocab_limit=False,
        minloglevel=2,
        **{**options, **OPTIONS[name]},
    )
    return out.getvalue()


@cache
def ours(name: str) -> Tokenizer:
    return formats.read(model_data(name), f"{name}.model")


@cache
def judge(name: str) -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_proto=model_data(name))


@pytest.mark.parametrize("name", OPTIONS)
@given(text=texts)
def test_ids(name: str, text: str) -> None:
    assert ours(name).encode(text) == judge(name).Encode(text), repr(text)


def spans(name: str, text: str) -> list[tuple[int, int]]:
    """In characters."""
    place = {0: 0}
    for number, char in enumerate(text):
        place[max(place) + len(char.encode())] = number + 1
    found = ours(name).encode_with_offsets(text).offsets.tolist()
    return [(place[begin], place[end]) for begin, end in found]


# What a map makes of one character is told in another way: SentencePiece gives it to the last of
# the tokens, and here each of them has it. So do the bytes of a character.
@pytest.mark.parametrize("name", ["identity", "all-spaces", "unigram"])
@given(text=texts)
def test_offsets(name: str, text: str) -> None:
    message = judge(name).Encode(text, out_type="serialized_proto")
    ids, theirs = outside_sentencepiece._read_pieces(message, text)
    if not any(map(judge(name).IsByte, ids.tolist())):
        assert spans(name, text) == list(map(tuple, theirs.tolist()))


@pytest.mark.parametrize("name", OURS)
def test_runs_by_ranks(name: str) -> None:
    tokenizer = ours(name)
    assert tokenizer.outside is None and not tokenizer.view_only and not tokenizer.notes
    assert len(tokenizer.table.merges) > 40


@pytest.mark.parametrize("name", OPTIONS)
def test_ends_of_texts(name: str) -> None:
    parts = ("", " ", "  ", "▁", "low", "\x01", "①", "<sep>", "\n", "ab", "▁low", "日", "🙂🙂")
    for text in (a + b + c for a in parts for b in parts for c in parts):
        assert ours(name).encode(text) == judge(name).Encode(text), repr(text)


@pytest.mark.parametrize("name", OPTIONS)
def test_decoding(name: str) -> None:
    for text in (*CORPUS[:5], "lower ab"):
        ids = judge(name).Encode(text)
        unknown = judge(name).unk_id() in ids
        assert unknown or ours(name).decode(ids) == judge(name).Decode(ids)


def test_specials_and_roles() -> None:
    tokenizer = ours("symbols")
    assert list(tokenizer.special_ids.items())[:6] == [
        ("<unk>", 0),
        ("<s>", 1),
        ("</s>", 2),
        ("<pad>", 3),
        ("<cls>", 4),
        ("[mask]", 5),
    ]
    assert tokenizer.roles == {"bos": "<s>", "eos": "</s>", "pad": "<pad>"}
    ids = judge("symbols").Encode("low")
    assert tokenizer.encode("low", add_bos=True, add_eos=True) == [1, *ids, 2]
    assert dict(tokenizer.rules.fixed)[" low"] == judge("symbols").PieceToId("▁low")


def test_tokens_hold_spaces() -> None:
    tokenizer = ours("bytes")
    for number in range(tokenizer.vocab_size):
        piece = judge("bytes").IdToPiece(number)
        if judge("bytes").IsByte(number):
            assert tokenizer.token_bytes(number) == bytes([int(piece[3:5], 16)])
        else:
            assert tokenizer.token_bytes(number).decode() == piece.replace("▁", " ")


def test_what_cannot_be_ranks_is_said() -> None:
    assert ours("suffix").outside is not None
    assert "spaces at the end of words" in ours("suffix").notes[0]
    unigram = ours("unigram")
    assert unigram.outside is not None and unigram.outside.kind == "Unigram"
    assert not len(unigram.table.merges) and "Unigram" in unigram.notes[0]


# Models of our own making

Piece = tuple[str, float, PieceType]
_BASE: list[Piece] = [
    ("<unk>", 0, PieceType.UNKNOWN),
    ("<s>", 0, PieceType.CONTROL),
    *((char, -9.0 - i, PieceType.NORMAL) for i, char in enumerate("▁abc")),
]


def made(
    pieces: list[Piece], normalizer: bytes = b"", trainer: tuple[tuple[int, Any], ...] = ()
) -> bytes:
    import struct

    parts: list[tuple[int, int | bytes]] = []
    for text, score, kind in pieces:
        inner = message((1, text.encode())) + b"\x15" + struct.pack("<f", score)
        parts.append((1, inner + message((3, int(kind)))))
    return message(*parts, (2, message((3, 2), *trainer)), (3, normalizer))


def both(pieces: list[Piece], **options: Any) -> tuple[Tokenizer, Any]:
    data = made(pieces, **options)
    judge = sentencepiece.SentencePieceProcessor(model_proto=data)
    return formats.read(data, "made.model"), judge


@given(st.data())
def test_any_pieces_in_any_order(data: st.DataObject) -> None:
    words = data.draw(st.lists(st.text("▁abc", min_size=2, max_size=5), unique=True, max_size=14))
    normal = [(word, -1.0 - i, PieceType.NORMAL) for i, word in enumerate(words)]
    tokenizer, judge = both(_BASE + normal)
    assert tokenizer.outside is None
    for text in data.draw(st.lists(st.text(" abcx", max_size=24), min_size=5, max_size=5)):
        assert tokenizer.encode(text) == judge.Encode(text)


RUNS = [{2, 3, 4}, {2, 3}, {2, 4}, {*range(2, 15), 16}, {2, 3, 4, 8}, {*range(2, 32)}]


@given(st.integers(0, 100), st.sampled_from(RUNS))
def test_runs_of_one_score(length: int, lengths: set[int]) -> None:
    runs = [("▁" * n, -50.0, PieceType.NORMAL) for n in sorted(lengths, key=lambda n: n % 5)]
    words = [("▁a", -2.0, PieceType.NORMAL), ("bc", -60.0, PieceType.NORMAL)]
    tokenizer, judge = both(_BASE + words[:1] + runs + words[1:], normalizer=message((4, 0)))
    assert tokenizer.outside is None
    for text in (" " * length, f"a{' ' * length}abc{' ' * 5}bc"):
        assert tokenizer.encode(text) == judge.Encode(text)


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ([("ab", -1, 1), ("bc", -1, 1)], "'ab' and 'bc' have one score"),
        ([("aa", -1, 1), ("aaaa", -1, 1), ("aaaaaa", -1, 1)], "'aa' and 'aaaa' have one score"),
        ([("ab", -1, 5)], r"Piece 6 \('ab'\) is unused"),
        ([("ax", -1, 1)], r"Piece 6 \('ax'\) holds a character that is no piece"),
        ([("a b", -1, 1)], "holds a space beside ▁"),
        ([("$", 0, 3)], "a special of one character"),
    ],
)
@given(text=st.text(" abcx", max_size=12))
def test_no_ranks(pieces: list[Any], words: str, text: str) -> None:
    tokenizer, judge = both(_BASE + [(t, s, PieceType(k)) for t, s, k in pieces])
    assert tokenizer.outside is not None and tokenizer.outside.kind == "BPE"
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(tokenizer.notes[0])
    assert tokenizer.encode(text) == judge.Encode(text)


@pytest.mark.parametrize(
    ("pieces", "options", "words"),
    [
        ([], {}, "it has no pieces"),
        ([*_BASE, _BASE[3]], {}, "piece 6 has the text of piece 3"),
        (_BASE[1:], {}, "it has 0 pieces for unknown text"),
        ([*_BASE, ("?", 0, 2)], {}, "it has 2 pieces for unknown text"),
        ([*_BASE, ("<0x0a>", 0, 6)], {}, "piece 6 is a byte, but not named"),
        ([*_BASE, ("<0x0A>", 0, 6)], {}, "1 byte pieces, where it says that it falls back to no"),
        (_BASE, {"trainer": ((35, 1),)}, "0 byte pieces, where it says that it falls back to b"),
        ([*_BASE, ("", 0, 1)], {}, "piece 6 is empty"),
        ([*_BASE, ("a\0", 0, 1)], {}, "piece 6 holds a zero"),
        ([*_BASE, ("ab", float("nan"), 1)], {}, "piece 6 has a score that is no number"),
        ([*_BASE, ("ab", 0, 9)], {}, "piece 6 has the type 9"),
        (_BASE, {"trainer": ((3, 7),)}, "the model is of the type 7"),
        (_BASE, {"normalizer": message((2, b"abc"))}, "character map has no trie"),
    ],
)
def test_refused(pieces: list[Any], options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=rf"^x\.model: .*{words}"):
        formats.FORMATS["sentencepiece"].read(Source(data=made(pieces, **options), name="x.model"))


def test_a_cut_file_names_the_byte() -> None:
    data = model_data("bytes")
    with pytest.raises(ValueError, match=r"^x\.model: byte [\d,]+ begins a field that goes on"):
        formats.read(data[:1000], "x.model")


@pytest.mark.parametrize("name", ["symbols", "bytes", "unigram"])
def test_comes_through_the_reading_process(name: str, tmp_path: Path) -> None:
    path = tmp_path / "some.model"
    path.write_bytes(model_data(name))
    reading = read_apart(path)
    with pytest.raises(StopIteration) as end:
        while True:
            next(reading)
    apart: Tokenizer = end.value.value
    text = "lower <sep> abc ① 日\n"
    assert apart.encode(text) == ours(name).encode(text)
    assert (apart.rules, apart.notes) == (ours(name).rules, ours(name).notes)


def test_decoding_outside() -> None:
    model = ours("unigram")
    ids = model.encode("low river")
    assert model.decode([1, *ids, 0, 2]).startswith("low river ")
    assert model.decode([1, *ids, 0, 2], skip_specials=True) == "low river"
    assert model.decode([]) == ""
    with pytest.raises(ValueError, match=r"no token with the id 5000 \(position 1\)"):
        model.decode([ids[0], 5000])
    for wrong in (1.5, "a", None):
        with pytest.raises(ValueError, match=r"no token with the id .*; ids run from 0"):
            model.decode([wrong])


def test_a_lone_surrogate_is_refused_before_the_package_sees_it() -> None:
    for encode in (ours("unigram").encode, ours("unigram").encode_with_offsets):
        with pytest.raises(ValueError, match=r"lone surrogate \(U\+D800\) at character 1"):
            encode("a\ud800")


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    outside_sentencepiece._processor.cache_clear()
    with pytest.raises(ValueError, match=r"needs the package sentencepiece; install it with pip"):
        ours("unigram").encode("low")


def test_sniff() -> None:
    for name in ("plain", "bytes", "unigram"):
        assert formats.is_tokenizer(model_data(name))
        assert formats.is_tokenizer(model_data(name)[: 1 << 16])
    assert not formats.FORMATS["sentencepiece"].sniff(b"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n")
    assert not formats.FORMATS["sentencepiece"].sniff(b"")
