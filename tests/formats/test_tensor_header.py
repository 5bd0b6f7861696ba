"""Headers of safetensors files, good ones and hostile ones."""

from __future__ import annotations

import json
import struct
import tracemalloc
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.formats.tensors.header import MAX_HEADER_BYTES, Tensor, read_header
from tests.formats.tensor_files import file_of, packed

GOOD = {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}


def read(data: bytes) -> dict[str, Tensor]:
    return read_header(BytesIO(data), len(data), "file")


def refusal(data: bytes) -> str:
    with pytest.raises(ValueError) as caught:
        read(data)
    return str(caught.value)


def of(header: Any, numbers: bytes = bytes(24)) -> bytes:
    return packed(json.dumps(header).encode(), numbers)


def test_a_good_header() -> None:
    data = file_of({"a": (np.zeros((2, 3)), "F32"), "b": (np.zeros(5), "U8")}, format="pt")
    start = len(data) - 29
    assert read(data) == {
        "a": Tensor("a", "F32", (2, 3), start, start + 24),
        "b": Tensor("b", "U8", (5,), start + 24, start + 29),
    }


def test_spaces_after_the_header_and_empty_tensors_are_fine() -> None:
    empty = {"dtype": "F32", "shape": [0, 3], "data_offsets": [5, 5]}
    header = json.dumps({"a": GOOD, "b": empty}).encode() + b"   "
    assert set(read(packed(header, bytes(24)))) == {"a", "b"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"dtype": 3}, 'the tensor "a" has no valid dtype: 3.'),
        ({"dtype": "a b"}, 'the tensor "a" has no valid dtype: "a b".'),
        ({"shape": [2, True]}, 'the tensor "a" has no valid shape: [2, true].'),
        ({"shape": [2, 3.0]}, 'the tensor "a" has no valid shape: [2, 3.0].'),
        ({"shape": [-2, 3]}, 'the tensor "a" has no valid shape: [-2, 3].'),
        ({"shape": [1] * 65}, 'the tensor "a" has no valid shape'),
        ({"shape": [1 << 50]}, 'the tensor "a" has no valid shape'),
        ({"shape": [2, 4]}, 'the tensor "a" has 24 bytes, and 2 × 4 of F32 are 32.'),
        ({"dtype": "F16"}, 'the tensor "a" has 24 bytes, and 2 × 3 of F16 are 12.'),
        ({"shape": []}, 'the tensor "a" has 24 bytes, and one number of F32 are 4.'),
        ({"data_offsets": [0, 24, 24]}, 'the tensor "a" has no valid data_offsets'),
        ({"data_offsets": [24, 0]}, 'the tensor "a" has no valid data_offsets: [24, 0].'),
        ({"data_offsets": "0"}, 'the tensor "a" has no valid data_offsets: "0".'),
        ({"data_offsets": [4, 28]}, 'the tensor "a" ends at byte 28 of the numbers, and the file'),
    ],
)
def test_what_is_wrong_with_a_tensor(change: dict[str, Any], words: str) -> None:
    assert refusal(of({"a": {**GOOD, **change}})).startswith(f"file: {words}")


@pytest.mark.parametrize("key", list(GOOD))
def test_what_a_tensor_lacks(key: str) -> None:
    entry = {name: value for name, value in GOOD.items() if name != key}
    assert refusal(of({"a": entry})) == f'file: the tensor "a" has no {key}.'


def test_what_is_wrong_with_a_header() -> None:
    assert refusal(of({"a": 7})) == 'file: the tensor "a" must be a JSON object, not 7.'
    assert refusal(of([1])) == "file: the header must be a JSON object, not [1]."
    twice = b'{"a": 1, "a": 2}'
    assert refusal(packed(twice)) == 'file: the header has the key "a" twice in one object.'
    assert refusal(packed(b'{"a": Infinity}')).startswith("file: the header holds Infinity")
    assert refusal(packed(b'{"a": \xff}')) == "file: the header is no UTF-8 text (byte 6)."
    assert refusal(packed(b'{"a"')).startswith("file: the header is not valid JSON (line 1, column")
    assert refusal(packed(b"[" * 200_000)) == "file: the header is nested too deeply."


def test_overlap_is_refused_wherever_the_tensors_stand() -> None:
    other = {"dtype": "U8", "shape": [4], "data_offsets": [20, 24]}
    far = {"dtype": "U8", "shape": [4], "data_offsets": [24, 28]}
    assert refusal(of({"z": far, "b": other, "a": GOOD}, bytes(28))) == (
        'file: the tensors "a" and "b" overlap.'
    )


@pytest.mark.parametrize("length", [0, 1, MAX_HEADER_BYTES + 1, (1 << 64) - 1])
def test_a_length_that_no_header_has(length: int) -> None:
    assert "are no length of a header" in refusal(struct.pack("<Q", length) + bytes(100))


def test_a_header_beyond_the_end_allocates_nothing() -> None:
    data = struct.pack("<Q", MAX_HEADER_BYTES) + b"{}"
    tracemalloc.start()
    assert "goes beyond its end (10 bytes)" in refusal(data)
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


def test_strange_names_are_quoted_and_cut() -> None:
    assert str(Tensor("a\x1b[2J", "F32", (1,), 0, 4)) == '"a\\u001b[2J" (1, F32)'
    assert len(str(Tensor("x" * 10_000, "F32", (1,), 0, 4))) < 100
    lone = packed(b'{"\\ud800": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}', bytes(4))
    assert [str(tensor).encode() for tensor in read(lone).values()] == [b'"\\ud800" (1, F32)']


NUMBERS = st.one_of(
    st.integers(-3, 40), st.integers(), st.booleans(), st.floats(), st.none(), st.text(max_size=3)
)
ENTRIES = st.one_of(
    NUMBERS,
    st.fixed_dictionaries(
        {},
        optional={
            "dtype": st.one_of(st.sampled_from(["F32", "F16", "BF16", "U8", "F4", "x"]), NUMBERS),
            "shape": st.one_of(st.lists(NUMBERS, max_size=4), NUMBERS),
            "data_offsets": st.one_of(st.lists(NUMBERS, max_size=3), NUMBERS),
            "other": NUMBERS,
        },
    ),
)


@given(st.dictionaries(st.text(max_size=4), ENTRIES, max_size=4), st.integers(0, 40))
def test_a_hostile_header_is_read_rightly_or_refused_in_a_sentence(
    header: dict[str, Any], room: int
) -> None:
    data = packed(json.dumps(header).encode(), bytes(room))
    try:
        tensors = read(data)
    except ValueError as error:
        sentence = str(error)
        assert type(error) is ValueError
        assert sentence.startswith("file: ") and sentence.endswith(".") and len(sentence) < 400
        return
    start = len(data) - room
    for tensor in tensors.values():
        assert start <= tensor.begin <= tensor.end <= len(data)
    taken = [byte for t in tensors.values() for byte in range(t.begin, t.end)]
    assert len(taken) == len(set(taken))


@given(st.binary(max_size=200), st.integers(0, 30))
def test_bytes_of_any_kind_are_refused_or_read(noise: bytes, cut: int) -> None:
    good = of({"a": GOOD})
    for data in (noise, good[: len(good) - cut] + noise, packed(noise, noise)):
        try:
            read(data)
        except ValueError as error:
            assert str(error).startswith("file: ") and str(error).endswith(".")
