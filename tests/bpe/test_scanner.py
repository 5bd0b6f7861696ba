from __future__ import annotations

import subprocess
import sys
from itertools import accumulate

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe import scanner
from bpe_studio.bpe.patterns import PRESETS, resolve_pattern
from tests import oracle, texts

presets = st.sampled_from(list(PRESETS))
joined = st.lists(st.sampled_from(texts.HARD_PARTS), max_size=60).map("".join)


@given(text=joined, name=presets)
def test_presets_cover_the_text(text: str, name: str) -> None:
    pieces = scanner.split_pieces(PRESETS[name], text)
    assert "".join(pieces) == text
    assert pieces == oracle.split(PRESETS[name].expression, text)


@given(text=joined, name=presets, size=st.integers(1, 9))
def test_a_safe_cut_changes_no_piece(text: str, name: str, size: int) -> None:
    pattern = PRESETS[name]
    blocks = list(scanner.cut_blocks(pattern, text, size))
    assert "".join(text[a:b] for a, b in blocks) == text
    pieces = [p for a, b in blocks for p in pattern.compiled.findall(text[a:b])]
    assert pieces == oracle.split(pattern.expression, text)


@given(text=joined, name=presets, window=st.integers(1, 8))
def test_the_last_safe_cut_is_the_last(text: str, name: str, window: int) -> None:
    pattern = PRESETS[name]
    found = regex.finditer(pattern.safe_cut, text)
    cuts = [match.start() if match["after"] is None else match.end() for match in found]
    assert scanner.last_safe_cut(pattern, text, window) == max(cuts, default=0)


def test_real_text_has_cuts_whatever_its_line_ends() -> None:
    rows = ["1,2", "x\ty", "日本", "a b", "f(x);"]
    for end in ("\n", "\r\n"):
        text = end.join(rows * 2000)
        blocks = list(scanner.cut_blocks(PRESETS["classic"], text, 1000))
        assert max(b - a for a, b in blocks) < 1100


@given(text=texts.any_text)
def test_a_custom_pattern_is_run_by_finditer(text: str) -> None:
    pattern = resolve_pattern(r"(?s)(a+)|(?<=a)b|.")
    assert scanner.split_pieces(pattern, text) == oracle.split(pattern.expression, text)


def test_a_pattern_that_drops_text_is_refused_with_the_place() -> None:
    with pytest.raises(scanner.DroppedTextError, match=r"at character 5 \(', x'\)") as caught:
        scanner.split_pieces(resolve_pattern(r"\w+| "), "hello, x")
    assert caught.value.position == 5
    with pytest.raises(scanner.DroppedTextError) as caught:
        scanner.split_pieces(resolve_pattern(r"\w+| "), "hello!")
    assert caught.value.position == 5


def test_a_slow_pattern_is_stopped_with_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanner, "TIMEOUT_SECONDS", 0.2)
    slow = resolve_pattern(r"(?:(?:x|xx)+)+y|(?s:.)")
    with pytest.raises(scanner.SlowPatternError, match="too slow") as caught:
        scanner.split_pieces(slow, "bb" + "x" * 60 + "b")
    assert caught.value.position <= 2


@given(text=joined, name=presets)
def test_the_alternative_that_made_a_piece(text: str, name: str) -> None:
    pattern = PRESETS[name]
    numbered = "|".join(f"({alternative})" for alternative in pattern.alternatives)
    for match in regex.finditer(numbered, text):
        start, end = match.span()
        expected = match.lastindex - 1
        assert scanner.alternative_of(pattern, text, start, end) == expected


@pytest.mark.parametrize("end", ["", "\ud800"])
def test_a_long_text_without_a_cut_still_comes_in_slices(end: str) -> None:
    text = "[1,22," * 100_000 + end
    pattern = PRESETS["gpt2"]
    parts = list(scanner.iter_pieces(pattern, text))
    assert len(parts) > 20
    assert [piece for part in parts for piece in part] == pattern.compiled.findall(text)


@given(text=joined, name=presets, end=st.sampled_from(["", "é", "\ud800", "\udfff's"]))
def test_long_texts_are_cut_as_short_ones_are(text: str, name: str, end: str) -> None:
    pattern = PRESETS[name]
    long = "word日 " * 2000 + text + end
    expected = oracle.split(pattern.expression, long)
    assert scanner.split_pieces(pattern, long) == expected


@given(text=joined, name=st.sampled_from([*PRESETS, r"(?s)a+|."]), long=st.booleans())
def test_ends_are_counted_in_bytes(text: str, name: str, long: bool) -> None:
    pattern = resolve_pattern(name)
    text = "word日 " * (500 * long) + text
    lengths = [len(piece.encode()) for piece in oracle.split(pattern.expression, text)]
    ends = [end for part in scanner.piece_ends(pattern, text) for end in part.tolist()]
    assert ends == list(accumulate(lengths))


def test_only_presets_have_rules() -> None:
    assert scanner.rules_of(resolve_pattern(r"\w+|\W")) is None
    assert scanner.rules_of(PRESETS["o200k"]).cased == 1
    # Every preset is run by the same compiled code.
    assert len({tuple(map(type, scanner.rules_of(p))) for p in PRESETS.values()}) == 1


def test_a_short_text_needs_no_numba() -> None:
    code = """if True:
        import sys
        from bpe_studio.bpe import patterns, scanner
        scanner.split_pieces(patterns.PRESETS["gpt2"], "low lower" * 100)
        assert "numba" not in sys.modules"""
    subprocess.run([sys.executable, "-c", code], check=True)
