"""A lesson in words tells what the lesson holds, a line for each thing."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.decoder import readable
from bpe_studio.bpe.lesson import TOY_CORPUS, Lesson, LessonRules
from bpe_studio.reports.lesson import lesson_lines, next_words, plain_lesson

TEXTS = st.text(alphabet=list("ab é\n\x1b"), min_size=1, max_size=40)


@given(TEXTS, st.integers(1, 2))
def test_every_merge_every_row_and_the_score_are_told(text: str, least: int) -> None:
    lesson = Lesson(text, LessonRules(min_freq=least))
    lesson.run()
    lines = list(lesson_lines(lesson))
    assert all("\n" not in line and "\x1b" not in line for line in lines)
    states = lesson.states
    told = [line for line in lines if line.startswith("Merge ")]
    assert len(told) == len(states) - 1
    for state, line in zip(states[1:], told, strict=True):
        merge = state.merges[-1]
        assert line.endswith(f"→ {readable(lesson.name(merge.id))}, the token {merge.id}")
        at = lines.index(line)
        score = f"tokens {state.tokens} (−{merge.applied})"
        after = [row for row in lines[at:] if score in row]
        assert after and f"vocabulary {state.vocab_size} (+1)" in after[0]
    rows = sum(line.lstrip().split("×")[0].isdigit() for line in lines)
    assert rows == sum(len(state.words) for state in states)


def test_the_rule_for_ties_is_told() -> None:
    seen = Lesson(TOY_CORPUS)
    assert next_words(seen, seen.state) == (
        "3 pairs occur 4 times each; of these the one that the text shows first is merged: l + o, "
        "first seen in “low”."
    )
    least = Lesson(TOY_CORPUS, LessonRules(ties="smallest-ids"))
    assert next_words(least, least.state) == (
        "3 pairs occur 4 times each; of these the one with the smallest ids is merged: l + o, "
        "ids 108 and 111."
    )
    alone = Lesson("aba aba")
    alone.run(1)
    assert next_words(alone, alone.state) == "ab + a is the most frequent pair, twice."


def test_a_pair_that_overlaps_itself_is_joined_less_often_than_it_occurs() -> None:
    lesson = Lesson("aaa aaaa aaaaa haha hahaha")
    told = next_words(lesson, lesson.state)
    assert told == "a + a is the most frequent pair, 9 times; they overlap, so 5 are joined."
    lesson.step()
    assert lesson.state.merges[-1].applied == 5
    tied = Lesson("aaa bb bb")
    assert next_words(tied, tied.state).endswith("a + a, first seen in “aaa”; they overlap, so 1 "
                                                 "is joined.")  # fmt: skip


def test_the_end_is_told() -> None:
    lesson = Lesson("ab", LessonRules(min_freq=3))
    assert next_words(lesson, lesson.state) == (
        "The end: a merge needs a pair that occurs 3 times, and the most frequent one occurs once."
    )
    alone = Lesson("a")
    assert next_words(alone, alone.state) == "No pair is left: every word is one token."


def test_all_of_it_is_json() -> None:
    lesson = Lesson("é é é", LessonRules(specials=("<x>",)))
    lesson.run()
    told = json.loads(json.dumps(plain_lesson(lesson)))
    assert told["states"][1]["merge"]["result"]["bytes"] == "c3a9"
    assert told["states"][0]["next"]["left"] == {"id": 196, "token": "⟨C3⟩", "bytes": "c3"}
    assert told["stop_reason"] == lesson.state.stop_reason
