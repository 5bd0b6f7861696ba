"""Flags by token, against plain Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.flag_marks import NOT_MARKED, SEVERE, FlagMarks, flag_words, named_kinds
from bpe_studio.analysis.flags import KINDS, SEVERITIES, Flag, flag

FLAGS = st.lists(
    st.builds(
        lambda token, kind: flag(token, kind, "So."), st.integers(0, 40), st.sampled_from([*KINDS])
    ),
    max_size=60,
).map(tuple)
KIND_SETS = st.none() | st.frozensets(st.sampled_from([*KINDS]))


def plain(flags: tuple[Flag, ...], token: int) -> tuple[Flag, ...]:
    return tuple(f for f in flags if f.id == token and f.kind not in NOT_MARKED)


@given(FLAGS, KIND_SETS, st.lists(st.integers(0, 60), max_size=30))
def test_masks_are_those_of_plain_python(
    flags: tuple[Flag, ...], kinds: frozenset[str] | None, ids: list[int]
) -> None:
    mask = FlagMarks(flags).mask(np.array(ids, dtype=np.int32), kinds)
    assert mask.tolist() == [
        any(kinds is None or f.kind in kinds for f in plain(flags, token)) for token in ids
    ]


@given(FLAGS, st.integers(-2, 60))
def test_a_token_has_its_flags_and_the_worst_severity(flags: tuple[Flag, ...], token: int) -> None:
    marks, expected = FlagMarks(flags), plain(flags, token)
    assert marks.of(token) == expected
    worst = min((SEVERE.index(f.severity) for f in expected), default=None)
    assert marks.severity(token) == (None if worst is None else SEVERE[worst])
    assert len(marks) == len({f.id for f in flags if f.kind not in NOT_MARKED})


def test_unused_bytes_are_no_mark() -> None:
    marks = FlagMarks((flag(3, "unused-base", "Not here."),))
    assert len(marks) == 0 and marks.severity(3) is None and marks.of(3) == ()


def test_words_name_kinds_severities_and_beginnings() -> None:
    assert named_kinds("rare") == {"rare"}
    assert named_kinds("duplicate") == {"duplicate"}
    assert named_kinds("dup") == {"duplicate", "duplicate-nfc"}
    assert named_kinds("error") == {kind for kind in KINDS if SEVERITIES.get(kind) == "error"}
    assert "unused-base" not in named_kinds("info") and not named_kinds("unused-base")
    assert not named_kinds("nothing of the kind")
    assert all(named_kinds(word) for word in flag_words().split(", "))
