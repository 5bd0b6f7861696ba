"""Thresholds are named, ranged, and come back from what they are written as."""

from __future__ import annotations

import math

import pytest

from bpe_studio.analysis.thresholds import LIMITS, Thresholds


def test_every_threshold_has_a_limit_that_its_default_meets() -> None:
    assert list(Thresholds().as_dict()) == list(LIMITS)


def test_what_is_written_comes_back() -> None:
    changed = Thresholds(rare_uses=0, scaffold_ratio=0.5, long_bytes=8)
    assert Thresholds.from_dict(changed.as_dict()) == changed
    assert Thresholds.from_dict({"long_bytes": 8}) == Thresholds(long_bytes=8)
    assert Thresholds.from_dict({"concentrated_share": 1}).concentrated_share == 1


def test_an_unknown_name() -> None:
    with pytest.raises(ValueError, match=r"no threshold “rare”; there are rare_uses, rare_per_mi"):
        Thresholds.from_dict({"rare": 3})


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("rare_uses", -1, "is -1; it must be a whole number from 0 to 1,000,000,000."),
        ("rare_uses", 1.5, "is 1.5; it must be a whole number"),
        ("rare_uses", True, "is True; it must be"),
        ("scaffold_ratio", 1.01, "is 1.01; it must be a number from 0 to 1."),
        ("scaffold_ratio", "0.1", "is '0.1'; it must be a number"),
        ("scaffold_ratio", math.nan, "is not finite; it must be a number"),
        ("run_length", 1, "from 2 to"),
    ],
)
def test_a_value_out_of_range(name: str, value: object, told: str) -> None:
    with pytest.raises(ValueError, match=rf"^The threshold “{name}” .*{told}"):
        Thresholds.from_dict({name: value})
    with pytest.raises(ValueError, match=f"The threshold “{name}”"):
        Thresholds(**{name: value})
