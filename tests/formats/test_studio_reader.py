"""Hostile and damaged files: always a ValueError of one sentence that names the place."""

from __future__ import annotations

import json
import pickle
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bpe_studio import formats
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord
from bpe_studio.formats import studio
from bpe_studio.formats.native import reader as studio_reader
from bpe_studio.formats.native.training import TOTALS


def small() -> Tokenizer:
    """Characters, an id out of turn, a special with a role, and a training record."""
    table = MergeTable.build(
        base="chars",
        byte_ids=range(1, 257),
        char_ids={"é": 257, "家": 258},
        merges=[(98, 99, 259), (259, 257, 260), (258, 258, 300)],
        tokens={400: b"abc"},
    )
    record = TrainingRecord(
        counts=np.array([5, 4, 3]),
        applied=np.array([5, 4, 2]),
        settings={
            "vocab_size": 300,
            "min_freq": 2,
            "pattern": "classic",
            "base": "chars",
            "ties": "first-seen",
            "byte_order": "value",
            "specials": ["<s>"],
        },
        totals=dict.fromkeys(TOTALS, 20),
        corpus={"fingerprint": "ab", "problems": 0, "files": [{"path": "a.txt", "size": 9}]},
    )
    return Tokenizer(table, PRESETS["classic"], {"<s>": 0}, {"bos": "<s>"}, training=record)


DATA = studio.data_of(small())


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    value = json.loads(DATA)
    change(value)
    return json.dumps(value).encode()


def refused(data: bytes) -> str:
    started = time.monotonic()
    with pytest.raises(ValueError) as caught:
        formats.read(data, "t.json")
    assert time.monotonic() - started < 5
    message = str(caught.value)
    assert type(caught.value) is ValueError
    assert message.startswith("t.json: ")
    assert message.endswith(".")
    assert "\n" not in message
    return message.removeprefix("t.json: ")


def put(*path: str | int, value: object) -> Callable[[dict[str, Any]], object]:
    def change(root: Any) -> None:
        for step in path[:-1]:
            root = root[step]
        root[path[-1]] = value

    return change


def drop(*path: str) -> Callable[[dict[str, Any]], object]:
    def change(root: Any) -> None:
        for step in path[:-1]:
            root = root[step]
        del root[path[-1]]

    return change


CHANGES: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (drop("merges"), "the key 'merges' is missing."),
    (drop("pattern", "name"), "pattern has no key 'name'."),
    (put("merge", value=[]), 'there is the unknown key "merge"; known are format, format_version'),
    (put("format", value="other"), 'it is no BPE Studio table: its "format" is not "bpe-studio".'),
    (
        put("format_version", value=4),
        "format_version is 4, and this program reads up to 3; a newer",
    ),
    (drop("format_version"), "the key 'format_version' is missing."),
    (put("format_version", value=True), "format_version must be 1 to 3, not true."),
    (put("format_version", value=0), "format_version must be 1 to 3, not 0."),
    (put("base", value="words"), 'base must be "bytes" or "chars", not "words".'),
    (put("base", value=["bytes"]), 'base must be "bytes" or "chars", not ["bytes"].'),
    (put("base", value="bytes"), '"characters" must be there when "base" is "chars", and only'),
    (put("engine", value=None), 'engine must be "merges" or "whole-piece-first", not null.'),
    (put("pattern", value="classic"), 'pattern must be an object, not "classic".'),
    (put("pattern", "expression", value="(("), "pattern.expression cannot be used: The pattern"),
    (put("pattern", "expression", value=""), "pattern.expression cannot be used: The pattern ''"),
    (put("pattern", "expression", value="\ud800"), "pattern.expression holds a lone surrogate at"),
    (put("pattern", "expression", value="a|" * 99_999), "pattern.expression has more than 65,536"),
    (put("unicode", value=17), "unicode must be a string, not 17."),
    (put("specials", value=["<s>"]), 'specials must be an object, not ["<s>"].'),
    (put("specials", "<s>", value=True), 'specials["<s>"] must be an integer from 0 to 2147483647'),
    (put("specials", "<s>", value=0.0), 'specials["<s>"] must be an integer from 0 to 2147483647'),
    (put("specials", "<t>", value=0), "two specials share one id."),
    (put("specials", "<t>", value=300), "the special '<t>' and a token share the id 300."),
    (put("specials", "", value=999), "a special needs a name."),
    (put("specials", "\udfff", value=999), "specials: the name holds a lone surrogate at"),
    (put("roles", "eos", value="</s>"), 'roles["eos"] is "</s>", which is none of the specials.'),
    (put("roles", "eos", value=0), 'roles["eos"] must be a string, not 0.'),
    (put("byte_base", value=-1), "byte_base must be an integer from 0 to 2147483392, not -1."),
    (put("byte_base", value=2**31 - 255), "byte_base must be an integer from 0 to 2147483392"),
    (put("byte_base", value="6"), 'byte_base must be an integer from 0 to 2147483392, not "6".'),
    (put("byte_order", value="value"), 'byte_order must be "gpt2", not "value".'),
    (put("bytes", value=[]), 'there must be either "byte_base" or "bytes", and not both.'),
    (drop("byte_base"), 'there must be either "byte_base" or "bytes", and not both.'),
    (
        put("characters", 0, 0, value="e"),
        "characters[0][0] must be one character that is not ASCII",
    ),
    (put("characters", 0, 0, value="éé"), "characters[0][0] must be one character that is not"),
    (put("characters", 0, 0, value="\ud83d"), "characters[0][0] holds a lone surrogate"),
    (put("characters", 1, 0, value="é"), 'characters[1][0] is "é" a second time.'),
    (
        put("characters", 1, 1, value=257),
        "characters[1][1] is 257, which another token has already.",
    ),
    (put("characters", 1, 1, value=1), "characters[1][1] is 1, which another token has already."),
    (put("characters", 1, value="x"), 'characters[1] must be a character and its id, not "x".'),
    (
        put("tokens_without_merge", 0, 1, value="4"),
        "tokens_without_merge[0][1] must be bytes in hex",
    ),
    (put("tokens_without_merge", 0, 1, value=""), "tokens_without_merge[0][1] must be bytes in"),
    (
        put("tokens_without_merge", 0, 1, value="ab" * (2**20 + 1)),
        "tokens_without_merge[0][1] is longer than 1 MiB, which is the limit of a token.",
    ),
    (put("tokens_without_merge", 0, 0, value=5), "tokens_without_merge[0][0] is 5, which another"),
    (put("first_merge_id", value=2**31), "first_merge_id must be an integer from 0 to 2147483647"),
    (put("first_merge_id", value=2**31 - 1), "merges[1] gets the id 2147483648, and 2147483647 is"),
    (put("first_merge_id", value=7), "merges[0] makes the id 7, which another token has already."),
    (put("merges", value={}), "merges must be a list, not {}."),
    (put("merges", 1, value=None), "merges[1] must be a list of 2 or 3 integers, not null."),
    (put("merges", 1, value=[1]), "merges[1] must be a list of 2 or 3 integers, not [1]."),
    (
        put("merges", 1, 0, value=True),
        "merges[1][0] must be an integer from 0 to 2147483647, not tr",
    ),
    (
        put("merges", 1, 0, value=98.0),
        "merges[1][0] must be an integer from 0 to 2147483647, not 98",
    ),
    (put("merges", 1, 0, value="98"), "merges[1][0] must be an integer from 0 to 2147483647, not"),
    (
        put("merges", 1, 0, value=-1),
        "merges[1][0] must be an integer from 0 to 2147483647, not -1.",
    ),
    (
        put("merges", 1, 0, value=2**31),
        "merges[1][0] must be an integer from 0 to 2147483647, not 2",
    ),
    (put("merges", 1, 0, value=10**300), "merges[1][0] must be an integer from 0 to 2147483647, n"),
    (put("merges", 0, 0, value=260), "merges[0] uses the id 260, which no earlier merge makes."),
    (put("merges", 0, 0, value=259), "merges[0] uses the id 259, which no earlier merge makes."),
    (put("merges", 0, 1, value=999), "merges[0] uses the id 999, which no earlier merge makes."),
    (
        put("merges", 2, 2, value=259),
        "merges[2] makes the id 259, which another token has already.",
    ),
    (drop("first_merge_id"), "merges[0] must be a list of 3 integers, not [98, 99]."),
    (put("training", value=1), "training must be an object, not 1."),
    (drop("training", "totals", "bytes"), "training.totals has no key 'bytes'."),
    (
        put("training", "totals", "bytes", value=1.5),
        "training.totals.bytes must be an integer from",
    ),
    (
        put("training", "totals", "more", value=1),
        'training.totals has the unknown key "more"; known',
    ),
    (put("training", "settings", value=[]), "training.settings must be an object, not []."),
    (put("training", "settings", "x", value=1), 'training.settings has the unknown key "x"; kno'),
    (drop("training", "settings", "ties"), "training.settings has no key 'ties'."),
    (
        put("training", "settings", "pattern", value="gpt2"),
        'training.settings.pattern is "gpt2", and that of the table is "classic".',
    ),
    (
        put("training", "settings", "base", value="bytes"),
        'training.settings.base is "bytes", and that of the table is "chars".',
    ),
    (
        put("training", "settings", "specials", value=["<s>", "<t>"]),
        'training.settings.specials is ["<s>", "<t>"], and that of the table is ["<s>"].',
    ),
    (
        put("training", "settings", "min_freq", value=0),
        "training.settings.min_freq must be an integer from 1 to",
    ),
    (
        put("training", "settings", "byte_order", value="other"),
        'training.settings.byte_order must be "value" or "gpt2"',
    ),
    (
        put("training", "settings", "continued_from", value=4),
        "training.settings.continued_from must be an integer from 0 to 3, not 4.",
    ),
    (
        put("training", "merges", 1, value=[4, 5]),
        "training.merges[1] was applied more often than its pair was there.",
    ),
    (
        put("training", "merges", value=[[1, 1]]),
        "training.merges has 1 rows, and the table 3 merges.",
    ),
    (
        put("training", "merges", 0, value=[1]),
        "training.merges[0] must be a list of 2 integers, not",
    ),
    (
        put("training", "merges", 0, 0, value=2**63),
        "training.merges[0][0] must be an integer from 0",
    ),
    (
        put("training", "corpus", "files", 0, value="a"),
        "training.corpus.files[0] must be an object",
    ),
    (
        put("training", "corpus", "files", 0, "size", value=-1),
        "training.corpus.files[0].size must be",
    ),
    (
        put("training", "corpus", "fingerprint", value=1),
        "training.corpus.fingerprint must be a stri",
    ),
]


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_wrong_values(change: Callable[[dict[str, Any]], object], message: str) -> None:
    assert refused(changed(change)).startswith(message)


TEXTS: list[tuple[bytes, str]] = [
    (b"", "it is empty; download or save it again."),
    (b" \n", "it is empty; download or save it again."),
    (
        b"\xff\xfe{\0}\0",
        "it is no tokenizer file: it is no text (byte 0 is not valid UTF-8).",
    ),
    (b'{"a": 1,\n  "b" 2}', "line 2, column 7: it is not valid JSON."),
    (
        b'{"a": 1,\n',
        "line 2, column 1: it ends in the middle, so a part of the file is missing; download",
    ),
    (b"{} {}", "line 1, column 4: it is not valid JSON."),
    (b"\nhello", "it is no tokenizer file: it is not JSON (line 2, column 1)."),
    (b"[]", "it is JSON, but no tokenizer: the outermost value must be an object."),
    (b"NaN", "NaN is not a number in JSON."),
    (b'{"a": -Infinity}', "-Infinity is not a number in JSON."),
    (b'{"a": 1, "a": 2}', 'the key "a" is there twice in one object.'),
    (b"[" * 100_000, "it is nested deeper than 64 levels, which no tokenizer is."),
    (b"[" * 70 + b"]" * 70, "it is nested deeper than 64 levels, which no tokenizer is."),
    (
        b'{"a":' * 70 + b"1" + b"}" * 70,
        "it is nested deeper than 64 levels, which no tokenizer is.",
    ),
    (b"1" * 5000, "it holds a number of over 4,000 digits."),
    (b"{}", 'it is JSON, but no tokenizer that is known: it has no "format" as BPE Studio\'s'),
    (b'{"a": "b"}', "it is JSON, but no tokenizer that is known: "),
    (b'{"model": "BPE"}', 'it is no BPE Studio table: its "format" is not'),
    (DATA.replace(b'"regex"', b'"format"', 1), 'the key "format" is there twice in one object.'),
    (DATA.replace(b'"vocab_size": 300', b'"x": NaN'), "NaN is not a number in JSON."),
    (
        DATA.replace(b'"vocab_size": 300', b'"vocab_size": 1e999'),
        "training.settings.vocab_size must be an integer from 0 to 9223372036854775807, not Inf",
    ),
    (DATA.replace(b"[98, 99]", b"[98, 099]"), "line "),
    (pickle.dumps({"merges": [1, 2]}), "it is a Python pickle, which can run any program when"),
]


@pytest.mark.parametrize(("data", "message"), TEXTS)
def test_wrong_texts(data: bytes, message: str) -> None:
    assert refused(data).startswith(message)


def test_a_mark_in_front_is_fine() -> None:
    assert formats.read(b"\xef\xbb\xbf" + DATA, "t.json").merges == small().merges


@pytest.mark.parametrize("twentieth", range(20))
def test_cut_off_files(twentieth: int) -> None:
    refused(DATA[: len(DATA) * twentieth // 20])


def test_flipped_bits_are_read_or_refused_but_never_worse() -> None:
    generator = random.Random(20)
    for _ in range(1500):
        data = bytearray(DATA)
        for _ in range(generator.randint(1, 4)):
            data[generator.randrange(len(data))] ^= 1 << generator.randrange(8)
        try:
            studio.data_of(formats.read(bytes(data), "t.json"))
        except ValueError:
            refused(bytes(data))


VALUES: list[Any] = [None, True, -1, 1.5, 2**40, "", "x", [], [1], [[1, 2]], {}, {"x": 1}]


def test_any_value_in_any_place_is_read_or_refused_but_never_worse() -> None:
    def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        children = [
            place for key, child in inner if isinstance(child, dict | list)
            for place in places(child, (*path, key))
        ]  # fmt: skip
        keys = value if isinstance(value, dict) else range(len(value))
        return [*children, *((*path, key) for key in keys)]

    for place in places(json.loads(DATA)):
        for value in VALUES:
            data = changed(put(*place, value=value))
            try:
                formats.read(data, "t.json")
            except ValueError:
                refused(data)


def doubling(rows: int, *, first: int | None) -> bytes:
    """Each merge doubles the token before it: 2^rows bytes spelled in a few lines."""
    ids = [1, *range(1000, 1000 + rows)]
    merges: list[list[int]] = [[ids[at], ids[at], ids[at + 1]] for at in range(rows)]

    def change(root: dict[str, Any]) -> None:
        root["merges"] = merges if first is not None else merges[::-1]
        root.pop("training")
        root.pop("first_merge_id")
        if first is not None:
            root["first_merge_id"] = first

    return changed(change)


def test_tokens_that_double_stop_at_the_limit_of_a_token() -> None:
    assert refused(doubling(60, first=1000)).startswith(
        "merges[20] makes a token of 2,097,152 bytes, and 1 MiB is the limit"
    )
    assert "makes a token of 2,097,152 bytes" in refused(doubling(60, first=None))


def test_many_long_tokens_stop_at_the_limit_of_all_tokens() -> None:
    def change(root: dict[str, Any]) -> None:
        ids = [1, *range(1000, 31_000)]
        root["merges"] = [[a, 1, b] for a, b in zip(ids[:-1], ids[1:], strict=True)]
        root.pop("training")

    assert "all tokens together over 256 MiB" in refused(changed(change))


def test_a_long_chain_backwards_takes_no_quadratic_time() -> None:
    def change(root: dict[str, Any]) -> None:
        # Short tokens, each waiting for the row below it, 60,000 deep.
        rows = [[1, 1, 1000]]
        for at in range(60_000):
            rows.append([1000 + at if at % 3 else 1, 1, 1001 + at])
        root["merges"] = rows[::-1]
        root.pop("training")
        root.pop("first_merge_id")

    started = time.monotonic()
    assert len(formats.read(changed(change), "t.json").merges) == 60_001
    assert time.monotonic() - started < 5


def test_limits_of_file_and_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    from bpe_studio.formats.native import table as studio_table
    from bpe_studio.formats.strict import json as strict_json
    from bpe_studio.formats.strict import token_bytes

    monkeypatch.setattr(studio_table, "MAX_MERGES", 2)
    assert refused(DATA) == "merges has 3 rows, and 2 is the limit."
    monkeypatch.undo()
    monkeypatch.setattr(token_bytes, "MAX_TOKENS", 259)
    assert refused(DATA) == "merges[0] makes one token more than 259, which is the limit."
    monkeypatch.undo()
    monkeypatch.setattr(strict_json, "MAX_FILE_BYTES", 100)
    assert refused(DATA) == f"it has {len(DATA):,} bytes, and 256 MiB is the limit."


def with_hold_out(version: int, **parts: object) -> bytes:
    def change(root: dict[str, Any]) -> None:
        root["format_version"] = version
        training = root["training"]
        training["settings"]["hold_out"] = 0.02
        training["held_out"] = dict.fromkeys(TOTALS, 3)
        training["merges"] = [[5, 5, 1], [4, 4, 0], [3, 2, 9]]
        for path, value in parts.items():
            put(*path.split("__"), value=value)(root)

    return changed(change)


def test_documents_that_were_held_out() -> None:
    record = formats.read(with_hold_out(2), "t.json").training
    assert record is not None and record.held_out is not None
    assert record.held_out.tolist() == [1, 0, 9]
    assert record.held_out_totals == dict.fromkeys(TOTALS, 3)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (with_hold_out(1), 'training has the unknown key "held_out"'),
        (with_hold_out(2, training__settings__hold_out=1), "training.settings.hold_out must be a"),
        (with_hold_out(2, training__settings__hold_out=1.5), "training.settings.hold_out must be"),
        (with_hold_out(2, training__held_out={}), "training.held_out has no key 'documents'"),
        (
            with_hold_out(2, training__merges=[[5, 5], [4, 4], [3, 2]]),
            "training.merges[0] must be a list of 3 integers",
        ),
        (
            changed(put("training", "settings", "hold_out", value=0.5)).replace(
                b'"format_version": 1', b'"format_version": 2'
            ),
            'training "held_out" must be there when the settings have a "hold_out"',
        ),
    ],
)  # fmt: skip
def test_what_was_held_out_is_all_there_or_not_at_all(data: bytes, told: str) -> None:
    assert refused(data).startswith(told)


def with_rules(version: int, **rules: object) -> bytes:
    def change(root: dict[str, Any]) -> None:
        root["format_version"] = version
        root["training"]["settings"] |= rules

    return changed(change)


def test_rules_of_a_training() -> None:
    rules = {
        "whole_characters": True, "max_token_bytes": 16, "min_documents": 3,
        "without": ["a.txt", "b.jsonl:7"],
    }  # fmt: skip
    record = formats.read(with_rules(3, **rules), "t.json").training
    assert record is not None
    assert rules.items() <= record.settings.items()
    assert record.without == ("a.txt", "b.jsonl:7")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (with_rules(2, min_documents=2), 'training.settings has the unknown key "min_documents"'),
        (with_rules(3, whole_characters=False), "training.settings.whole_characters must be true"),
        (with_rules(3, max_token_bytes=None), "training.settings.max_token_bytes must be"),
        (with_rules(3, min_documents=1), "training.settings.min_documents must be"),
        (with_rules(3, without=[]), "training.settings.without must be a list of names, in order"),
        (with_rules(3, without=["b", "a"]), "training.settings.without must be a list of names"),
        (with_rules(3, without=[1]), "training.settings.without[0] must be"),
    ],
)
def test_rules_are_written_only_where_they_are_set(data: bytes, told: str) -> None:
    assert refused(data).startswith(told)


def test_another_unicode_version_is_a_note() -> None:
    tokenizer = formats.read(changed(put("unicode", value="9.0")), "t.json")
    assert len(tokenizer.notes) == 1
    assert tokenizer.notes[0].startswith('The table was saved with Unicode "9.0" and Unicode ')


def test_a_preset_with_another_expression_is_used_with_a_note() -> None:
    tokenizer = formats.read(changed(put("pattern", "expression", value=r"\S+|\s+")), "t.json")
    assert tokenizer.pattern.name == "custom"
    assert tokenizer.notes == (
        "The expression is not that of the preset classic; it is used as it is.",
    )
    assert tokenizer.training is not None
    assert tokenizer.training.settings["pattern"] == "custom"
    assert formats.read(studio.data_of(tokenizer), "t.json").notes == ()


def test_repeated_merges_are_a_note() -> None:
    def change(root: dict[str, Any]) -> None:
        root["merges"][2] = [98, 99, 259]

    tokenizer = formats.read(changed(change), "t.json")
    assert tokenizer.notes == (
        "1 of the merges is there before (merge 2 repeats merge 0); the first of them counts.",
    )


def test_sniff() -> None:
    assert studio_reader.sniff(DATA)
    assert studio_reader.sniff(b'\xef\xbb\xbf {"format":"bpe-studio",')
    assert not studio_reader.sniff(b'{"model": {}}')
