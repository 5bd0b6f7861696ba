"""A tokenizer in messages, and what is made of messages that make no sense."""

from __future__ import annotations

import io
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from bpe_studio.bpe import edits
from bpe_studio.bpe.patterns import OTHERS, PRESETS, Pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import AddedToken, Split, TextRules, Unknown
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats import studio
from bpe_studio.formats.apart import frames, packing
from bpe_studio.formats.apart.frames import BadMessageError
from bpe_studio.formats.apart.unpacking import Parcel
from tests.formats.tables import tokenizers

RULES = TextRules(
    added=(AddedToken("<x>", 600, lstrip=True), AddedToken("<y>", 601, special=False)),
    normalizer=(edits.Unicode("NFC"), edits.Prepend(" "), edits.Replace("▁", " ")),
    pre_tokenizer=(Split(r"\d", "removed"), edits.Lowercase()),
    fixed=(("ab", 97),),
    unknown=Unknown(3, fuse=True),
    word_end="</w>",
    strip_left=1,
)


def made() -> Tokenizer:
    return Tokenizer(
        MergeTable.build(byte_ids=range(256), merges=[(97, 98, 300)]),
        PRESETS["gpt2"],
        special_ids={"<x>": 600, "<y>": 601},
        roles={"bos": "<x>"},
        notes=("One.", "Two."),
        rules=RULES,
        view_only="It cannot.",
    )


def sent(tokenizer: Tokenizer) -> bytes:
    stream = io.BytesIO()
    for kind, data in packing.messages_of(tokenizer):
        frames.write_frame(stream, kind, data)
    return stream.getvalue()


def received(data: bytes) -> Tokenizer:
    parcel = Parcel()
    for kind, part in frames.read_frames(io.BytesIO(data)):
        if parcel.add(kind, part):
            return parcel.tokenizer()
    raise BadMessageError("no end")


@given(tokenizers())
def test_what_arrives_is_what_was_sent(tokenizer: Tokenizer) -> None:
    back = received(sent(tokenizer))
    for name in ("byte_ids", "merges", "ids", "token_data", "token_offsets"):
        assert np.array_equal(getattr(back.table, name), getattr(tokenizer.table, name)), name
    assert back.table.char_ids == tokenizer.table.char_ids and back.base == tokenizer.base
    assert back.pattern is tokenizer.pattern or back.pattern == tokenizer.pattern
    assert studio.data_of(back) == studio.data_of(tokenizer)


def test_rules_notes_and_reasons_arrive() -> None:
    back = received(sent(made()))
    assert back.rules == RULES and back.notes == ("One.", "Two.")
    assert back.view_only == "It cannot." and back.roles == {"bos": "<x>"}
    assert dict(back.special_ids) == {"<x>": 600, "<y>": 601}


def test_many_rows_come_in_parts() -> None:
    many = {f"<{number}>": 1000 + number for number in range(9000)}
    tokenizer = replace(made(), special_ids=many, roles={}, rules=TextRules())
    kinds = [kind for kind, _ in packing.messages_of(tokenizer)]
    assert kinds.count(frames.ROWS) >= 5
    assert dict(received(sent(tokenizer)).special_ids) == many


def test_patterns_keep_their_names() -> None:
    for pattern in (OTHERS["words"], Pattern("custom", r"\S+|\s+"), Pattern("mine", "[a]|[^a]")):
        assert received(sent(replace(made(), pattern=pattern))).pattern == pattern


def test_a_message_that_is_too_long_is_never_held() -> None:
    claimed = frames._HEAD.pack(frames.ARRAY, 1 << 60)
    with pytest.raises(BadMessageError, match="too long"):
        list(frames.read_frames(io.BytesIO(claimed)))
    with pytest.raises(BadMessageError, match="cut off"):
        list(frames.read_frames(io.BytesIO(frames._HEAD.pack(frames.ARRAY, 9) + b"1")))
    with pytest.raises(BadMessageError):
        list(frames.read_frames(io.BytesIO(frames._HEAD.pack(b"?", 0))))


def parts(tokenizer: Tokenizer) -> list[tuple[bytes, bytearray]]:
    return list(frames.read_frames(io.BytesIO(sent(tokenizer))))


def put_together(messages: list[tuple[bytes, bytearray]]) -> Tokenizer:
    parcel = Parcel()
    for kind, data in messages:
        parcel.add(kind, data)
    return parcel.tokenizer()


ARRAYS = {"byte_ids": 0, "points": 1, "char_ids": 2, "merges": 3, "ids": 4, "offsets": 6}


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("byte_ids", 0, 99_999),
        ("byte_ids", 0, -2),
        ("merges", 0, -1),
        ("merges", 2, 299),
        ("ids", 0, -5),
        ("ids", 5, 2),
        ("offsets", 0, 1),
        ("offsets", 3, 100_000),
        ("offsets", 3, -1),
    ],
)
def test_numbers_that_point_nowhere_are_refused(name: str, place: int, value: int) -> None:
    messages = parts(made())
    arrays = [data for kind, data in messages if kind == frames.ARRAY]
    dtype = np.int64 if name == "offsets" else np.int32
    np.frombuffer(arrays[ARRAYS[name]], dtype=dtype)[place] = value
    with pytest.raises(BadMessageError):
        put_together(messages)


def test_messages_left_out_or_doubled_are_refused() -> None:
    whole = parts(made())
    for place, (kind, _) in enumerate(whole):
        if kind in (frames.ARRAY, frames.ABOUT):
            with pytest.raises(BadMessageError):
                put_together([*whole[:place], *whole[place + 1 :]])
    with pytest.raises(BadMessageError):
        put_together([*whole, (frames.ARRAY, bytearray(4))])


def test_damaged_messages_are_a_tokenizer_or_refused() -> None:
    data, chance = sent(made()), random.Random(1)
    for _ in range(1500):
        damaged = bytearray(data)
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        try:
            back = received(bytes(damaged))
        except BadMessageError:
            continue
        for token_id in back.table.merges.ravel().tolist():
            assert token_id in back.table
