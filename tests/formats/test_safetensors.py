"""Embedding matrices: which tensors are taken, and what every refusal says."""

from __future__ import annotations

import json
import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bpe_studio.formats.safetensors import Embeddings, open_embeddings
from tests.formats.tensor_files import as_stored, file_of, packed, write_shards

ROWS = 5
VALUES = np.random.default_rng(1).normal(size=(6, 4))
INPUT = "model.embed_tokens.weight"


def saved(folder: Path, tensors: dict[str, tuple[NDArray[Any], str]]) -> Path:
    path = folder / "model.safetensors"
    path.write_bytes(file_of(tensors, format="pt"))
    return path


def opened(path: Path, **names: str) -> tuple[str, str | None]:
    with open_embeddings(path, rows=ROWS, **names) as found:
        return found.input.name, found.output and found.output.name


def refusal(path: Path, **names: str) -> str:
    with pytest.raises(ValueError) as caught, open_embeddings(path, rows=ROWS, **names):
        pass
    sentence = str(caught.value)
    assert sentence.startswith(os.fspath(path)), sentence
    assert sentence.endswith(".") and "\n" not in sentence
    return sentence.removeprefix(f"{os.fspath(path)}: ")


@pytest.mark.parametrize("dtype", ["F64", "F32", "F16", "BF16"])
def test_rows_are_those_that_struct_reads(tmp_path: Path, dtype: str) -> None:
    other = (np.ones((3, 3)), "F32")
    path = saved(tmp_path, {"a": other, INPUT: (VALUES, dtype), "z": other})
    expected = as_stored(VALUES, dtype)
    with open_embeddings(path, rows=ROWS) as found:
        matrix = found.input
        assert (matrix.rows, matrix.columns, matrix.dtype) == (6, 4, dtype)
        for first, last in [(0, 6), (0, 1), (2, 5), (5, 6), (3, 3)]:
            assert np.array_equal(matrix.read(first, last), expected[first:last])


def test_what_was_read_can_be_kept_and_written_to(tmp_path: Path) -> None:
    path = saved(tmp_path, {INPUT: (VALUES, "F32")})
    with open_embeddings(path, rows=ROWS) as found:
        rows = found.input.read(0, 2)
    rows += 1
    assert np.array_equal(rows, VALUES[:2].astype("f4") + 1)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("model.embed_tokens.weight", "lm_head.weight"),
        ("transformer.wte.weight", None),
        ("wte.weight", None),
        ("embeddings.word_embeddings.weight", "lm_head.weight"),
        ("model.language_model.embed_tokens.weight", None),
        ("tok_embeddings.weight", "output.weight"),
        ("gpt_neox.embed_in.weight", "embed_out.weight"),
        ("transformer.embedding.word_embeddings.weight", "transformer.output_layer.weight"),
        ("backbone.embeddings.weight", None),
    ],
)
def test_usual_names(tmp_path: Path, source: str, target: str | None) -> None:
    tensors = {
        source: (VALUES, "F16"),
        "model.layers.0.attention.output.weight": (VALUES[:4], "F16"),
    }
    if target is not None:
        tensors[target] = (VALUES, "F16")
    assert opened(saved(tmp_path, tensors)) == (source, target)


def test_the_more_usual_name_wins(tmp_path: Path) -> None:
    tensors = {"x.shared.weight": (VALUES, "F32"), INPUT: (VALUES, "F32")}
    assert opened(saved(tmp_path, tensors)) == (INPUT, None)


def test_names_that_the_user_gives(tmp_path: Path) -> None:
    path = saved(tmp_path, {"a": (VALUES, "F32"), "b": (VALUES, "F32"), INPUT: (VALUES, "F32")})
    assert opened(path, input_name="a", output_name="b") == ("a", "b")
    assert opened(path, output_name="b") == (INPUT, "b")
    assert opened(path, input_name="a", output_name="a") == ("a", None)


def test_an_index_opens_only_the_shards_it_needs(tmp_path: Path) -> None:
    shards = {
        "one.safetensors": {"layer.weight": (VALUES, "F32")},
        "two.safetensors": {INPUT: (VALUES, "BF16")},
        "three.safetensors": {"lm_head.weight": (VALUES + 1, "F16")},
    }
    index = write_shards(tmp_path, shards)
    (tmp_path / "one.safetensors").unlink()
    for path in (index, tmp_path):
        assert opened(path) == (INPUT, "lm_head.weight")
    with open_embeddings(index, rows=ROWS) as found:
        assert found.output is not None
        assert np.array_equal(found.output.read(0, 6), as_stored(VALUES + 1, "F16"))


def test_shards_may_be_links_as_in_a_download_cache(tmp_path: Path) -> None:
    index = write_shards(tmp_path, {"one.safetensors": {INPUT: (VALUES, "F32")}})
    (tmp_path / "blobs").mkdir()
    (tmp_path / "one.safetensors").rename(tmp_path / "blobs" / "abc")
    (tmp_path / "one.safetensors").symlink_to(Path("blobs") / "abc")
    assert opened(index) == (INPUT, None)


@pytest.mark.parametrize(
    "shard", ["../one", "/etc/passwd", "a\\b", "..", "", "C:x", "a\0b", 7, "x" * 300]
)
def test_shards_are_in_the_folder_of_the_index(tmp_path: Path, shard: object) -> None:
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {INPUT: shard}}))
    assert "must be the name of a file in the same folder" in refusal(index)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{}", "it has no weight_map"),
        (b'{"weight_map": []}', "it has no weight_map"),
        (b'{"weight_map": {}}', "no tensor has a usual name"),
        (b'{"a": 1, "a": 2}', 'it has the key "a" twice in one object'),
        (b'{"a": NaN}', "it holds NaN"),
        (b'{"a": ', "it is not valid JSON (line 1, column 7)"),
        (b'{"weight_map": {"embed_tokens.weight": "gone"}}', "the shard gone is not in the same"),
        (b'{"a": "\xff"}', "it is no UTF-8 text (byte 7)"),
        (b'{"a": ' + b"[" * 100_000, "it is nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "it holds a number of over 4,000 digits"),
    ],
)  # fmt: skip
def test_what_is_no_index(tmp_path: Path, content: bytes, words: str) -> None:
    index = tmp_path / "model.safetensors.index.json"
    index.write_bytes(content)
    assert refusal(index).startswith(words)


def test_an_index_that_contradicts_its_shard(tmp_path: Path) -> None:
    index = write_shards(tmp_path, {"one.safetensors": {INPUT: (VALUES, "F32")}})
    (tmp_path / "one.safetensors").write_bytes(file_of({"b": (VALUES, "F32")}))
    assert "is in one.safetensors, and that file has no such tensor" in refusal(index)


def test_too_few_rows_are_told_with_both_numbers(tmp_path: Path) -> None:
    path = saved(tmp_path, {INPUT: (VALUES[:3], "F32"), "other": (VALUES, "F32")})
    assert refusal(path) == (
        f"{INPUT} has 3 rows, and the table needs 5, one for each id up to its largest; these "
        "embeddings belong to another tokenizer."
    )
    assert "has 3 rows" in refusal(path, input_name=INPUT)


def test_a_short_output_matrix_of_a_sure_name_is_told_and_a_classifier_is_not(
    tmp_path: Path,
) -> None:
    path = saved(tmp_path, {INPUT: (VALUES, "F32"), "lm_head.weight": (VALUES[:2], "F32")})
    assert refusal(path).startswith("lm_head.weight has 2 rows")
    path = saved(tmp_path, {INPUT: (VALUES, "F32"), "head.weight": (VALUES[:2], "F32")})
    assert opened(path) == (INPUT, None)


def test_several_that_fit_are_listed(tmp_path: Path) -> None:
    both = {"a.embed_tokens.weight": (VALUES, "F32"), "b.embed_tokens.weight": (VALUES, "F16")}
    assert refusal(saved(tmp_path, both)) == (
        "2 tensors can be the input embeddings; name the one that is meant: "
        "a.embed_tokens.weight (6 × 4, F32), b.embed_tokens.weight (6 × 4, F16)."
    )
    heads = {INPUT: (VALUES, "F32"), "a.lm_head.weight": (VALUES, "F32"),
             "b.lm_head.weight": (VALUES, "F32")}  # fmt: skip
    assert (
        "can be the output embeddings; name the one that is meant: a.lm_head.weight (6"
        in refusal(saved(tmp_path, heads))
    )


def test_none_that_fits_lists_matrices_with_enough_rows(tmp_path: Path) -> None:
    tensors = {"strange": (VALUES, "F32"), "short": (VALUES[:2], "F32"), "flat": (VALUES[0], "F32")}
    path = saved(tmp_path, tensors)
    assert refusal(path) == (
        "no tensor has a usual name of input embeddings; those "
        "with 5 rows or more are strange (6 × 4, F32)."
    )
    assert refusal(path, input_name="missing") == (
        'there is no tensor "missing"; those with 5 rows or more are strange (6 × 4, F32).'
    )
    many = {f"m{i}": (VALUES, "F32") for i in range(10)}
    assert refusal(saved(tmp_path, many)).endswith("m7 (6 × 4, F32) and 2 more.")


def test_one_shard_of_several_names_the_index(tmp_path: Path) -> None:
    shards = {
        "one.safetensors": {"a": (VALUES[0], "F32")},
        "two.safetensors": {INPUT: (VALUES, "F32")},
    }
    write_shards(tmp_path, shards)
    assert refusal(tmp_path / "one.safetensors").endswith(
        "this is one shard of several, so give model.safetensors.index.json, which is beside it."
    )
    (tmp_path / "model.safetensors.index.json").unlink()
    assert refusal(tmp_path / "one.safetensors").endswith(
        "no matrix in it has the 5 rows that the table needs."
    )


@pytest.mark.parametrize("dtype", ["U8", "I8", "U32", "F8_E4M3", "F4"])
def test_quantised_numbers_are_refused(tmp_path: Path, dtype: str) -> None:
    width = 4 if dtype == "U32" else 1
    entry = {"dtype": dtype, "shape": [6, 4], "data_offsets": [0, 24 * width]}
    path = tmp_path / "model.safetensors"
    path.write_bytes(packed(json.dumps({INPUT: entry}).encode(), bytes(24 * width)))
    assert refusal(path) == (
        f"{INPUT} (6 × 4, {dtype}) is quantised, or no embedding; give the files that the model "
        "was quantised from, in F16, BF16 or F32."
    )


def test_packed_weights_are_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, {"model.embed_tokens.qweight": (VALUES, "U32")})
    assert refusal(path).startswith('the embeddings are quantised ("model.embed_tokens.qweight")')


def test_a_tensor_that_is_no_matrix_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, {INPUT: (VALUES, "F32"), "flat": (VALUES[0], "F32")})
    assert refusal(path, input_name="flat").startswith("flat (4, F32) is no matrix")


class _Trap:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("trapped",)


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("name", ["model.bin", "model.safetensors", "model.safetensors.index.json"])
def test_a_pickle_is_refused_by_content(
    tmp_path: Path, name: str, protocol: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / name
    path.write_bytes(pickle.dumps(_Trap(), protocol=protocol))
    assert refusal(path).startswith("it is a Python pickle, which can run any program")
    assert "model.safetensors of the same model" in refusal(path)
    assert not (tmp_path / "trapped").exists()


def test_what_torch_saves_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps(_Trap()))
    assert refusal(path).startswith("it is a zip archive; those that torch.save writes hold a")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"GGUF\x03\0\0\0" + bytes(40), "it is a GGUF file, whose weights are mostly quantised"),
        (b"\x93NUMPY\x01\0" + bytes(40), "it is a NumPy file"),
        (b"\x89HDF\r\n\x1a\n" + bytes(40), "it is an HDF5 file"),
        (b"\x1f\x8b\x08\0" + bytes(40), "it is a gzip file; unpack it"),
        (bytes(257) + b"ustar" + bytes(40), "it is a tar archive"),
        (b"", "it is no safetensors file"),
        (b"hello world", "it is no safetensors file"),
    ],
)
def test_files_of_other_kinds_are_told(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "weights"
    path.write_bytes(content)
    assert refusal(path).startswith(words)


@pytest.mark.parametrize("length", [128, 384, 1408, 0x8B1F, ord("c"), 0x0178])
def test_a_length_that_looks_like_another_kind_is_a_length(tmp_path: Path, length: int) -> None:
    """128 is how a pickle begins, 0x8B1F how gzip does."""
    plain = file_of({INPUT: (VALUES, "F32")})
    size = int.from_bytes(plain[:8], "little")
    header = plain[8 : 8 + size]
    if length < size:
        header = json.dumps({"a": {"dtype": "F32", "shape": [], "data_offsets": [0, 4]}}).encode()
        assert len(header) <= length
    path = tmp_path / "model.safetensors"
    path.write_bytes(packed(header.ljust(length), plain[8 + size :]))
    if length < size:
        assert refusal(path).startswith("no tensor has a usual name")
    else:
        assert opened(path) == (INPUT, None)


def test_folders_and_devices(tmp_path: Path) -> None:
    assert refusal(tmp_path).startswith("it is a folder without model.safetensors and")
    for place in (tmp_path / "missing", Path("/dev/null")):
        with pytest.raises(OSError, match="cannot be read"), open_embeddings(place, rows=ROWS):
            pass
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="named pipe"), open_embeddings(tmp_path / "pipe", rows=ROWS):
        pass


def test_a_file_that_becomes_shorter_is_an_error_and_no_crash(tmp_path: Path) -> None:
    path = saved(tmp_path, {INPUT: (VALUES, "F32")})
    with open_embeddings(path, rows=ROWS) as found:
        found.input.read(0, 1)
        os.truncate(path, 100)
        with pytest.raises(ValueError, match="became shorter while it was read"):
            found.input.read(0, 1)


def test_the_file_is_let_go(tmp_path: Path) -> None:
    path = saved(tmp_path, {INPUT: (VALUES, "F32")})
    with open_embeddings(path, rows=ROWS) as found:
        found.input.read(0, 6)
        kept: Embeddings = found
    with pytest.raises(ValueError):
        kept.input.read(0, 1)
