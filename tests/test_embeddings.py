"""From a file to under-trained tokens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bpe_studio.analysis.undertrained import UnderTrained
from bpe_studio.bpe.generators import result_of
from bpe_studio.embeddings import judge_embeddings
from tests.analysis.made_matrices import made_rows, made_tokenizer
from tests.analysis.test_undertrained import plain
from tests.formats.tensor_files import as_stored, file_of, write_shards

TOKENS, ROWS, COLUMNS = 600, 640, 24
PLANTED = [300, 411, 599]
FILES = Path("/proc/self/fd")
UNTRAINED = [*PLANTED, 0xC0, 0xC1, *range(0xF5, 0x100), *range(TOKENS + 1, ROWS)]


def found_in(path: Path, **options: Any) -> UnderTrained:
    return result_of(judge_embeddings(made_tokenizer(TOKENS), path, **options))


@pytest.mark.parametrize("dtype", ["F64", "F32", "F16", "BF16"])
def test_planted_rows_of_every_type_come_out_on_top(tmp_path: Path, dtype: str) -> None:
    path = tmp_path / "model.safetensors"
    rows = made_rows(ROWS, COLUMNS, UNTRAINED)
    path.write_bytes(file_of({"wte.weight": (rows, dtype)}))
    found = found_in(path)
    assert set(found.candidates[:3].tolist()) == set(PLANTED)
    assert (found.dtype, found.tied, found.rows, found.columns) == (dtype, True, ROWS, COLUMNS)
    assert found.input_name == found.output_name == "wte.weight"
    kept = as_stored(rows, dtype)
    expected = plain(kept, kept, [row for sort in found.reference for row in sort.rows])
    assert [indicator.name for indicator in found.indicators] == list(expected)
    for indicator in found.indicators:
        values = expected[indicator.name][: TOKENS + 2]
        assert np.allclose(indicator.values, values, rtol=2e-4, atol=2e-4), indicator.name


def test_shards_and_two_matrices(tmp_path: Path) -> None:
    source, target = (made_rows(ROWS, COLUMNS, UNTRAINED, seed) for seed in (1, 2))
    index = write_shards(
        tmp_path,
        {
            "one.safetensors": {"model.embed_tokens.weight": (source, "BF16")},
            "two.safetensors": {"lm_head.weight": (target, "F16")},
        },
    )
    found = found_in(index)
    assert not found.tied and found.dtype == "BF16"
    assert (found.input_name, found.output_name) == ("model.embed_tokens.weight", "lm_head.weight")
    assert set(found.candidates[:3].tolist()) == set(PLANTED)


def test_reference_rows_in_words(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(file_of({"wte.weight": (made_rows(ROWS, COLUMNS, UNTRAINED), "F32")}))
    found = found_in(path, reference="300, 602-603")
    assert [sort.rows for sort in found.reference] == [(300, 602, 603)]
    with pytest.raises(ValueError, match="The reference row 640 is not there"):
        found_in(path, reference="640")


@pytest.mark.skipif(not FILES.exists(), reason="this system does not list open files")
def test_what_is_stopped_lets_go_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(file_of({"wte.weight": (made_rows(ROWS, COLUMNS, UNTRAINED), "F32")}))
    steps = judge_embeddings(made_tokenizer(TOKENS), path)
    next(steps)
    opened = [file for file in FILES.iterdir() if file.resolve() == path]
    assert opened
    steps.close()
    assert not [file for file in FILES.iterdir() if file.resolve() == path]
