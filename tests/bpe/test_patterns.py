from __future__ import annotations

import pytest

from bpe_studio.bpe.patterns import PRESETS, Pattern, resolve_pattern, unicode_version


def test_presets_are_found_by_name_and_by_expression() -> None:
    assert list(PRESETS) == ["classic", "gpt2", "cl100k", "llama3", "qwen2", "o200k", "tekken"]
    for name, pattern in PRESETS.items():
        assert resolve_pattern(name) is pattern
        assert resolve_pattern(pattern.expression) is pattern


def test_a_custom_expression() -> None:
    pattern = resolve_pattern(r"\w+|\W")
    assert (pattern.name, pattern.safe_cut) == ("custom", None)


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("(", "not a valid expression"),
        ("", "matches the empty text"),
        (r"\w*", "matches the empty text"),
        ("cl100k_base", "no pattern named"),
    ],
)
def test_bad_patterns_are_refused_in_one_sentence(expression: str, told: str) -> None:
    with pytest.raises(ValueError, match=told) as caught:
        resolve_pattern(expression)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("expression", "alternatives"),
    [
        ("a|(b|c)|[|]", ("a", "(b|c)", "[|]")),
        (r"\||\(|x", (r"\|", r"\(", "x")),
        (r"[^]|]|[]|]", ("[^]|]", "[]|]")),
        ("a", ("a",)),
    ],
)
def test_top_level_alternatives(expression: str, alternatives: tuple[str, ...]) -> None:
    assert Pattern("custom", expression).alternatives == alternatives


def test_classic_keeps_a_word_of_another_script_whole() -> None:
    assert PRESETS["classic"].compiled.findall("नमस्ते") == ["नमस्ते"]


def test_the_unicode_version_is_one() -> None:
    assert 13 <= float(unicode_version()) < 30
