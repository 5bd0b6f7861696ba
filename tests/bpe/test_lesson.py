"""The lesson learns what a training learns, shows it as it is, and goes back exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe_studio as bs
from bpe_studio.bpe.lesson import CORPORA, MOST_CHARACTERS, TOY_CORPUS, Lesson, LessonRules
from bpe_studio.bpe.lesson_table import tokenizer_of
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.session import TrainingSession
from bpe_studio.settings import DEFAULT_SPECIALS, Settings
from tests import oracle

TEXTS = st.text(alphabet=list("ab é世 \n'1"), min_size=1, max_size=60)
RULES: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "pattern": st.sampled_from(["classic", "gpt2", "llama3"]),
        "base": st.sampled_from(["bytes", "chars"]),
        "ties": st.sampled_from(["first-seen", "smallest-ids"]),
        "min_freq": st.integers(1, 3),
        "specials": st.sampled_from([(), DEFAULT_SPECIALS, ("<x>",)]),
    }
)


def lesson_of(text: str, **rules: Any) -> Lesson:
    return Lesson(text, LessonRules(**rules))


@given(TEXTS, RULES)
def test_it_steps_as_the_oracle_trains(text: str, rules: dict[str, Any]) -> None:
    lesson = lesson_of(text, **rules)
    lesson.run()
    slow = oracle.train(
        [text],
        PRESETS[rules["pattern"]].expression,
        max_merges=1000,
        min_freq=rules["min_freq"],
        ties=rules["ties"],
        base=rules["base"],
        n_specials=len(rules["specials"]),
    )
    merges = lesson.state.merges
    assert [(m.left, m.right, m.id) for m in merges] == slow.merges
    assert [m.count for m in merges] == slow.counts
    assert [m.applied for m in merges] == slow.applied
    first = lesson.states[0]
    assert [(word.piece, word.count) for word in first.words] == slow.words
    assert first.tokens == slow.base_symbols
    assert first.characters == len(text)


@settings(max_examples=25)
@given(TEXTS, RULES)
def test_it_ends_where_training_ends(text: str, rules: dict[str, Any]) -> None:
    lesson = lesson_of(text, **rules)
    lesson.run()
    session = TrainingSession.of_texts([text], Settings(**rules))
    for _ in session.run():
        pass
    trained, made = session.tokenizer(), tokenizer_of(lesson)
    assert made.merges == trained.merges
    assert lesson.state.stop_reason == session.stop_reason
    assert lesson.state.vocab_size == made.vocab_size == trained.vocab_size
    assert [made.token_bytes(m.id) for m in lesson.state.merges] == [
        lesson.name(m.id) for m in lesson.state.merges
    ]
    assert made.training is not None and trained.training is not None
    assert np.array_equal(made.training.counts, trained.training.counts)
    assert np.array_equal(made.training.applied, trained.training.applied)
    assert made.training.totals == trained.training.totals
    assert made.training.corpus["fingerprint"] == trained.training.corpus["fingerprint"]
    wanted = {**trained.training.settings, "vocab_size": made.vocab_size}
    assert made.training.settings == wanted
    assert (made.special_ids, made.roles) == (trained.special_ids, trained.roles)
    ids = [symbol for word in lesson.state.words for symbol in word.symbols]
    assert trained.decode_bytes(ids) == b"".join(word.piece for word in lesson.state.words)
    assert lesson.state.tokens == len(made.encode(text)) == len(trained.encode(text))


@pytest.mark.parametrize("base", ["bytes", "chars"])
@pytest.mark.parametrize("text", CORPORA.values())
def test_the_built_in_texts_end_where_training_ends(text: str, base: str, tmp_path: Path) -> None:
    file = tmp_path / "toy.txt"
    file.write_text(text, encoding="utf-8")
    trained = bs.train(file, vocab_size=2000, base=base)
    lesson = lesson_of(text, base=base, specials=bs.DEFAULT_SPECIALS)
    lesson.run()
    assert tokenizer_of(lesson).merges == trained.merges
    assert len(lesson.state.merges) > 3


@given(TEXTS, RULES, st.lists(st.sampled_from(["step", "step", "back", "reset"]), max_size=30))
def test_back_restores_exactly(text: str, rules: dict[str, Any], walk: list[str]) -> None:
    lesson = lesson_of(text, **rules)
    place = 0
    for move in walk:
        if move == "step":
            place += lesson.step()
        elif move == "back":
            assert lesson.back() is (place > 0)
            place = max(0, place - 1)
        else:
            lesson.reset()
            place = 0
    fresh = lesson_of(text, **rules)
    for _ in range(place):
        assert fresh.step()
    assert lesson.state == fresh.state
    assert lesson.states == fresh.states
    assert len(lesson.state.merges) == place


@given(TEXTS, RULES)
def test_what_is_highlighted_is_what_fires(text: str, rules: dict[str, Any]) -> None:
    lesson = lesson_of(text, **rules)
    while True:
        before = lesson.state
        counts = oracle.pair_counts(
            [list(word.symbols) for word in before.words], [word.count for word in before.words]
        )
        assert {(p.left, p.right): p.count for p in before.pairs} == counts
        for pair in before.pairs:
            symbols = before.words[pair.word].symbols
            assert symbols[pair.place : pair.place + 2] == (pair.left, pair.right)
        best, fires = before.next, lesson.step()
        assert fires is (best is not None)
        if best is None:
            assert not any(before.firing)
            break
        after, merge = lesson.state, lesson.state.merges[-1]
        assert (merge.left, merge.right, merge.count) == (best.left, best.right, best.count)
        assert best in before.tied
        applied = 0
        for old, new, fired, made in zip(
            before.words, after.words, before.firing, after.joined, strict=True
        ):
            assert len(fired) == len(made)
            assert all(old.symbols[i : i + 2] == (best.left, best.right) for i in fired)
            assert all(new.symbols[i] == merge.id for i in made)
            assert new.symbols.count(merge.id) == len(made)
            assert len(old.symbols) - len(new.symbols) == len(fired)
            applied += len(fired) * old.count
        assert applied == merge.applied
        assert before.tokens - after.tokens == applied
        assert after.vocab_size == before.vocab_size + 1


def test_the_worked_example() -> None:
    lesson = lesson_of("low low lower lowest", specials=DEFAULT_SPECIALS)
    lesson.run()
    assert [(m.left, m.right, m.id) for m in lesson.state.merges] == [
        (114, 117, 262), (262, 125, 263), (38, 263, 264), (264, 107, 265),
    ]  # fmt: skip
    assert lesson.state.stop_reason == "min_freq"


def test_ties_are_broken_by_the_rule() -> None:
    seen, least = (
        lesson_of("ba ab", ties=ties, min_freq=1) for ties in ("first-seen", "smallest-ids")
    )
    assert [lesson.name(pair.left) for lesson in (seen, least) for pair in lesson.state.tied] == [
        b"b", b" ", b"a", b" ", b"a", b"b",
    ]  # fmt: skip


def test_run_stops_at_a_number_of_merges() -> None:
    lesson = Lesson(TOY_CORPUS)
    lesson.run(3)
    assert len(lesson.state.merges) == 3
    lesson.run(2)
    assert len(lesson.state.merges) == 3
    assert lesson.states[0].words[0].symbols == tuple(b"low")


@pytest.mark.parametrize(
    ("text", "rules", "sentence"),
    [
        ("", {}, "needs a text"),
        ("a" * (MOST_CHARACTERS + 1), {}, "up to 1,000 characters"),
        ("a\ud800", {}, "lone surrogate"),
        ("a", {"base": "words"}, "base is 'bytes' or 'chars'"),
        ("a", {"ties": "none"}, "ties is"),
        ("a", {"min_freq": 0}, "min_freq is at least 1"),
        ("a", {"pattern": "nope"}, "no pattern named"),
    ],
)
def test_what_cannot_be_taught_is_told(text: str, rules: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        lesson_of(text, **rules)
