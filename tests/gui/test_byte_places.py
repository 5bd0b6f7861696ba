"""Characters of bytes, against a plain count."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.gui.models.byte_places import BytePlaces

TEXTS = st.text(st.sampled_from("aé你😀"), max_size=12) | st.text("ab", max_size=6)


@given(TEXTS)
def test_every_byte_knows_its_character(text: str) -> None:
    owners = [(i, k, len(c.encode())) for i, c in enumerate(text) for k in range(len(c.encode()))]
    found = BytePlaces.of(text)
    places = np.arange(len(owners) + 1, dtype=np.int32)
    assert found.starts(places).tolist() == [i for i, _, _ in owners] + [len(text)]
    assert found.ends(places).tolist() == [i + (k > 0) for i, k, _ in owners] + [len(text)]
    assert found.are_inside(places).tolist() == [k > 0 for _, k, _ in owners] + [False]
    if owners:
        shares = found.shares(places[:-1])
        assert np.allclose(shares, [k / size for _, k, size in owners])
    assert found.astral().tolist() == [i for i, c in enumerate(text) if c == "😀"]
