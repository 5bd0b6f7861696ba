"""The cloud of tokens holds what the check found, and thinning keeps a point of every cell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.generators import result_of
from bpe_studio.gui.models.health_check import Checked, Source, iter_checked
from bpe_studio.gui.models.health_cloud import LEVEL_NAMES, thinned
from bpe_studio.gui.models.health_rows import KIND_NAMES
from tests.gui.plain_use import plain_use
from tests.gui.small_tables import PROSE, small_tokenizer

POINTS = st.lists(st.tuples(st.floats(-1, 11), st.floats(-1, 11)), max_size=40)


@pytest.fixture
def checked(tmp_path: Path) -> Checked:
    (tmp_path / "a.txt").write_text(PROSE * 2 + "low " * 30, encoding="utf-8")
    source = Source("chosen", "a folder", paths=(tmp_path,))
    return result_of(iter_checked(small_tokenizer(), source, read=plain_use))


def test_every_merged_token_is_in_it_with_its_uses(checked: Checked) -> None:
    cloud, use = checked.cloud, checked.use
    assert cloud is not None and use is not None
    made = np.asarray(small_tokenizer().table.merges)[:, 2]
    assert cloud.ids.tolist() == sorted(set(made.tolist()))
    for place, token in enumerate(cloud.ids.tolist()):
        assert cloud.uses[place] == use.of(token)[0]
        assert made[cloud.ranks[place]] == token
        assert 10 ** cloud.x[place] == pytest.approx(cloud.ranks[place] + 1)
        assert 10 ** cloud.y[place] == pytest.approx(max(cloud.uses[place], 0.5))


def test_a_token_has_the_severity_of_its_worst_flag(checked: Checked) -> None:
    cloud = checked.cloud
    assert cloud is not None
    worst = dict.fromkeys(cloud.ids.tolist(), 0)
    for flag in checked.rows.flags:
        if flag.id in worst:
            worst[flag.id] = max(worst[flag.id], LEVEL_NAMES.index(flag.severity))
    assert cloud.severity.tolist() == list(worst.values())
    assert max(worst.values()) > 0
    for kind in KIND_NAMES:
        flagged = {flag.id for flag in checked.rows.flags if flag.kind == kind}
        mask = cloud.of_kind(checked.rows, kind)
        assert set(cloud.ids[mask].tolist()) == flagged & set(worst)


def test_the_nearest_token_is_found_or_none(checked: Checked) -> None:
    cloud = checked.cloud
    assert cloud is not None
    x, y = float(cloud.x[5]), float(cloud.y[5])
    assert cloud.nearest(x, y, width=0.001, height=0.001) == 5
    assert cloud.nearest(x, y + 100, width=0.01, height=0.01) == -1


@given(points=POINTS, across=st.integers(1, 7), up=st.integers(1, 7))
def test_thinning_keeps_the_first_point_of_every_cell(
    points: list[tuple[float, float]], across: int, up: int
) -> None:
    x = np.array([point[0] for point in points])
    y = np.array([point[1] for point in points])
    seen: dict[tuple[int, int], int] = {}
    for place, (a, b) in enumerate(points):
        if 0 <= a <= 10 and 0 <= b <= 10:
            cell = (min(int(a / 10 * across), across - 1), min(int(b / 10 * up), up - 1))
            seen.setdefault(cell, place)
    found = thinned(x, y, bounds=(0.0, 10.0, 0.0, 10.0), cells=(across, up))
    assert found.tolist() == sorted(seen.values())
