"""What is written: readable, the same bytes each time, and read back the same."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from bpe_studio import formats
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord
from bpe_studio.formats import studio
from bpe_studio.formats.native.training import RULES
from tests.formats.tables import tokenizers


def same(a: Tokenizer, b: Tokenizer) -> bool:
    assert a.table.base == b.table.base
    assert a.table.char_ids == b.table.char_ids
    for name in ("byte_ids", "merges", "ids", "token_data", "token_offsets"):
        np.testing.assert_array_equal(getattr(a.table, name), getattr(b.table, name), name)
    assert list(a.special_ids.items()) == list(b.special_ids.items())
    assert (a.pattern, a.roles, a.engine) == (b.pattern, b.roles, b.engine)
    if a.training is None or b.training is None:
        return a.training is b.training
    np.testing.assert_array_equal(a.training.counts, b.training.counts)
    np.testing.assert_array_equal(a.training.applied, b.training.applied)
    assert a.training.settings == b.training.settings
    assert a.training.totals == b.training.totals
    assert a.training.corpus == b.training.corpus
    assert (a.training.held_out is None) == (b.training.held_out is None)
    if a.training.held_out is not None:
        np.testing.assert_array_equal(a.training.held_out, b.training.held_out)
    assert a.training.held_out_totals == b.training.held_out_totals
    return True


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tokenizers())
def test_round_trip(tokenizer: Tokenizer) -> None:
    data = studio.data_of(tokenizer)
    again = formats.read(data, "a.json")
    assert same(tokenizer, again)
    assert studio.data_of(again) == data
    assert studio.sniff(data)
    held_out = tokenizer.training is not None and tokenizer.training.held_out is not None
    rules = tokenizer.training is not None and tokenizer.training.settings.keys() & set(RULES)
    assert json.loads(data)["format_version"] == (3 if rules else 2 if held_out else 1)


def table(**parts: object) -> Tokenizer:
    made = MergeTable.build(byte_ids=range(256), **parts)  # type: ignore[arg-type]
    return Tokenizer(made, PRESETS["classic"])


def test_one_merge_a_line_and_ids_only_where_they_do_not_count_on() -> None:
    tokenizer = table(merges=[(97, 98, 256), (256, 99, 257), (99, 100, 300), (257, 300, 301)])
    text = studio.data_of(tokenizer).decode()
    assert '"first_merge_id": 256,\n  "merges": [\n    [97, 98],\n    [256, 99],\n' in text
    assert "\n    [99, 100, 300],\n    [257, 300]\n  ]\n" in text


def test_parts_made_later_need_all_ids() -> None:
    tokenizer = table(merges=[(256, 99, 257), (97, 98, 256)])
    text = studio.data_of(tokenizer).decode()
    assert "first_merge_id" not in text
    assert "[256, 99, 257]" in text
    assert same(formats.read(text.encode(), "a"), tokenizer)


def test_what_an_editor_would_hide_is_escaped() -> None:
    chars = {char: 256 + at for at, char in enumerate("é\u0301\u200d\u202e家\ufe0f\U000e0041")}
    text = studio.data_of(table(base="chars", char_ids=chars)).decode()
    assert '["é", 256]' in text
    assert '["家", 260]' in text
    for escaped in (r"\u0301", r"\u200d", r"\u202e", r"\ufe0f", r"\udb40\udc41"):
        assert f'"{escaped}"' in text
    assert same(formats.read(text.encode(), "a"), table(base="chars", char_ids=chars))


def test_a_training_record_that_could_not_be_read_again_is_not_written() -> None:
    none = np.zeros(0, dtype=np.int64)
    tokenizer = dataclasses.replace(table(), training=TrainingRecord(none, none))
    with pytest.raises(ValueError, match="The training record lacks 'vocab_size', so it"):
        studio.data_of(tokenizer)


def test_a_record_that_lacks_what_was_held_out_is_not_written() -> None:
    worked = formats.load(formats.find_table("worked-example"))
    assert worked.training is not None
    settings = {**worked.training.settings, "hold_out": 0.02}
    record = dataclasses.replace(worked.training, settings=settings)
    with pytest.raises(ValueError, match="lacks what was held out"):
        studio.data_of(dataclasses.replace(worked, training=record))


def test_a_record_of_another_table_is_not_written() -> None:
    record = formats.load(formats.find_table("worked-example")).training
    tokenizer = table(merges=[(97, 98, 256)])
    with pytest.raises(
        ValueError, match=r"has specials \[.*\] and the tokenizer \[\], so they can"
    ):
        studio.data_of(dataclasses.replace(tokenizer, training=record))
