"""Words of the command line that are more than one value."""

from __future__ import annotations

import pytest

from bpe_studio.api import DEFAULT_SPECIALS
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.cli.arguments import (
    PATTERN_NAMES,
    parse_allowed_special,
    parse_range,
    parse_share,
    parse_size,
    parse_specials,
    spread_lists,
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("", ""),
        ("train --corpus a b", "train --corpus a b"),
        ("health t", "health t"),
        ("health t --corpus a b c --json", "health t --json --corpus a --corpus b --corpus c"),
        ("health --corpus a b t", "health --corpus a --corpus b t"),
        ("health --corpus a --json t", "health --json t --corpus a"),
        ("health --corpus a", "health --corpus a"),
        ("health -o r.html --corpus a b t", "health -o r.html --corpus a --corpus b t"),
        ("health --corpus a b --before s t", "health --before s t --corpus a --corpus b"),
        ("health --before=s --corpus a t", "health --before=s --corpus a t"),
        ("health t --corpus", "health t --corpus"),
        ("compare a b --text x - --json", "compare a b --json --text x --text -"),
        ("compare --text x a b", "compare --text x a b"),
        ("compare a --text x y b", "compare a --text x --text y b"),
        (
            "compare a b c --text x y --corpus d e --probe --parallel f g",
            "compare a b c --probe --text x --text y --corpus d --corpus e "
            "--parallel f --parallel g",
        ),
        ("compare --corpus d e --text x a b", "compare --corpus d --corpus e --text x a b"),
        ("compare --text x a b --corpus d", "compare --text x --corpus d a b"),
        ("compare --fail-if-worse 2 --text x a b", "compare --fail-if-worse 2 --text x a b"),
        ("compare --text x y -- a b", "compare --text x --text y -- a b"),
        ("compare --corpus x --text y -- -a b", "compare --corpus x --text y -- -a b"),
        ("compare --probe a --text x b", "compare --probe a --text x b"),
        ("explain --token 5 --corpus a b", "explain --token 5 --corpus a --corpus b"),
        ("compare a b --text x --text y", "compare a b --text x --text y"),
    ],
)
def test_spread_lists(given: str, expected: str) -> None:
    assert spread_lists(given.split()) == expected.split()


@pytest.mark.parametrize(
    ("given", "share"),
    [("2%", 0.02), ("0.02", 0.02), ("7 %", 0.07), (".5", 0.5), ("0", 0.0), ("0.5%", 0.005)],
)
def test_a_share(given: str, share: float) -> None:
    assert parse_share(given) == share


@pytest.mark.parametrize("given", ["", "%", "two", "-1%", "1e-2", "nan", ".", "2%%"])
def test_no_share(given: str) -> None:
    with pytest.raises(ValueError, match="is no share; write it as 2% or"):
        parse_share(given)


@pytest.mark.parametrize("given", ["100%", "1", "2", "350%"])
def test_the_whole_is_no_share(given: str) -> None:
    with pytest.raises(ValueError, match="is the whole or more"):
        parse_share(given)


def test_specials() -> None:
    assert parse_specials(None) is None
    assert parse_specials("default") == DEFAULT_SPECIALS
    assert parse_specials("none") == ()
    assert parse_specials("<a>,<b>") == ("<a>", "<b>")


def test_allowed_special() -> None:
    assert parse_allowed_special(None) is None
    assert parse_allowed_special("all") == "all" and parse_allowed_special("none") == ()
    assert parse_allowed_special("<a>,<b>") == ("<a>", "<b>")


def test_size() -> None:
    assert parse_size("1280x800") == (1280, 800)
    for bad in ("1280", "x", "0x0", "-1x5", "99999x800", "axb", "1280x800x2"):
        with pytest.raises(ValueError, match="is no size; write it as 1280x800"):
            parse_size(bad)


def test_the_help_names_the_presets() -> None:
    assert list(PRESETS) == PATTERN_NAMES.split(", ")


def test_a_range_is_two_numbers_with_something_between() -> None:
    assert parse_range("4:10") == (4, 10)
    for bad in ("", "4", "4:", ":9", "10:4", "4:4", "-1:4", "a:b"):
        with pytest.raises(ValueError, match="write it as 4:10"):
            parse_range(bad)
