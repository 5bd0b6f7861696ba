"""Edits give the texts of Hugging Face's normalizers, and keep track of where text came from."""

from __future__ import annotations

import unicodedata
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe import editing
from bpe_studio.bpe.cutting import PatternTimeoutError
from bpe_studio.bpe.edits import (
    Edit,
    Form,
    Lowercase,
    Nmt,
    Prepend,
    Replace,
    Strip,
    StripAccents,
    Unicode,
)
from bpe_studio.bpe.stretch import Stretch

normalizers = pytest.importorskip("tokenizers.normalizers")
Regex = pytest.importorskip("tokenizers").Regex

# What composes, decomposes, reorders or only looks as if it might.
HARD = "aeb éÉÅΣσßİ\u0301\u0323\u0327\u0345\u0b47\u0b3e\u1100\u1161\u11a8한글가ﬁ２ﾞｶ\u3099①\u00a0 ²ǅ"
# Marks that are newer than the tables of the library (Unicode 9), or were none there.
NEWER = (
    "\u07fd\u09fe\u0b55\u0c04\u0c3c\u0d00\u0d3b\u0d3c\u0d81\u0eba\u1715\u180f\u1cf2\u1cf3\u1cf7"
    + "".join(map(chr, [*range(0x898, 0x8A0), *range(0x8CA, 0x8D4), *range(0xAFA, 0xB00)]))
    + "".join(map(chr, [*range(0x1ABF, 0x1B00), *range(0x1DF6, 0x1DFB)]))
)
texts = st.text(HARD, max_size=24) | st.text(
    st.characters(exclude_categories=["Cs", "Cn"], exclude_characters=NEWER, max_codepoint=0x3100),
    max_size=24,
)


def edited(step: Edit, text: str) -> Stretch:
    return Stretch(text, 0, tracked=True).edited(editing.changes_of(step, text, first=True))


@given(texts, st.sampled_from(get_args(Form)))
def test_normalization_forms(text: str, form: Form) -> None:
    assert edited(Unicode(form), text).text == unicodedata.normalize(form, text)


@pytest.mark.parametrize(
    ("step", "theirs"),
    [
        (Lowercase(), normalizers.Lowercase()),
        (Strip(), normalizers.Strip()),
        (Strip(right=False), normalizers.Strip(right=False)),
        (Strip(left=False), normalizers.Strip(left=False)),
        (StripAccents(), normalizers.StripAccents()),
        (Nmt(), normalizers.Nmt()),
        (Prepend("▁"), normalizers.Prepend("▁")),
        (Replace("a", "xy"), normalizers.Replace("a", "xy")),
        (Replace(" {2,}", " "), normalizers.Replace(Regex(" {2,}"), " ")),
    ],
    ids=str,
)
@given(text=texts | st.text(" \t\n\x0b\u2003\u200b\x07\x7f\ufffda", max_size=12))
def test_like_hugging_face(step: Edit, theirs: Any, text: str) -> None:
    assert edited(step, text).text == theirs.normalize_str(text)


@pytest.mark.parametrize(
    ("step", "text", "first", "want"),
    [
        (Prepend(" ", unless_there=True), " a", True, " a"),
        (Prepend(" ", unless_there=True), "a", False, " a"),
        (Prepend(" ", first_only=True), "a", False, "a"),
        (Prepend(" ", first_only=True), " a", True, "  a"),
        (Prepend(" "), "", True, ""),
        (Lowercase(), "ΟΔΟΣ", True, "οδοσ"),
    ],
)
def test_small_cases(step: Edit, text: str, first: bool, want: str) -> None:
    changes = editing.changes_of(step, text, first=first)
    assert Stretch(text, 0, tracked=False).edited(changes).text == want


def test_an_expression_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editing, "TIMEOUT_SECONDS", 0.05)
    with pytest.raises(PatternTimeoutError, match="too slow"):
        editing.changes_of(Replace("(a+)+b", ""), "a" * 5000, first=True)
