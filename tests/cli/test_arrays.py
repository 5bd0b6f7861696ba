"""Arrays of ids: what is saved comes back, and what is none is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe_studio as bs
from bpe_studio import formats
from bpe_studio.cli.arrays import load_ids, save_ids

TABLE = bs.load(formats.find_table("worked-example"))


@pytest.mark.parametrize("suffix", [".npy", ".bin"])
@given(documents=st.lists(st.lists(st.integers(0, 265), max_size=5), max_size=5))
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, documents: list[list[int]]
) -> None:
    out = tmp_path_factory.mktemp("ids") / f"ids{suffix}"
    save_ids((np.array(ids, dtype=np.int32) for ids in documents), out, TABLE)
    assert load_ids(str(out), TABLE).tolist() == [token for ids in documents for token in ids]


def test_numpy_reads_it(tmp_path: Path) -> None:
    save_ids(iter([np.arange(5, dtype=np.int32)]), tmp_path / "a.npy", TABLE)
    array = np.load(tmp_path / "a.npy")
    assert (array.dtype, array.tolist()) == (np.dtype("<u2"), [0, 1, 2, 3, 4])


def test_unknown_ids_have_a_position(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([0, 266]))
    with pytest.raises(ValueError, match=r"a\.npy: there is no token with the id 266 \(position 1"):
        load_ids(str(tmp_path / "a.npy"), TABLE)
