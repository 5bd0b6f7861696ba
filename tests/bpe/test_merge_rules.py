"""Rules for merges, by the oracle that recounts pairs and documents before every merge."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.utf8 import classify
from bpe_studio.api import Settings, TrainingSession, settings_for
from bpe_studio.bpe import counting, merge_state, pair_counts
from bpe_studio.bpe.corpus import Block
from bpe_studio.bpe.counting import count_words
from bpe_studio.bpe.merge_limits import limits_for
from bpe_studio.bpe.merge_rules import MergeRules
from bpe_studio.bpe.patterns import PRESETS, resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.trainer import Trainer
from tests import oracle, texts
from tests.bpe.test_counting import blocks_of
from tests.bpe.test_trainer import assert_same, trained

rules = st.fixed_dictionaries(
    {},
    optional={
        "whole_characters": st.just(True),
        "max_token_bytes": st.sampled_from([2, 3, 4, 7]),
        "min_documents": st.integers(2, 4),
    },
)
# Documents that share words, and words that share pairs.
WORDS = ["low", "lower", "lo", "wer", "éa", "é日", "日本", "aaa", "aaaa", "🙂", "🙂🙃"]
related = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=6
)
documents_ = st.one_of(texts.documents, related)


def of(tokenizer: Tokenizer) -> list[bytes]:
    return [tokenizer.token_bytes(new) for _, _, new in tokenizer.merges]


@given(
    documents=documents_,
    given_rules=rules,
    pattern=st.sampled_from(["classic", "llama3", r"(?s).{1,7}", r"\S+|\s+"]),
    base=st.sampled_from(["bytes", "chars"]),
    ties=st.sampled_from(["first-seen", "smallest-ids"]),
    min_freq=st.sampled_from([1, 2, 3]),
    max_merges=st.sampled_from([1, 3, 60]),
)
def test_trains_as_the_oracle_does(
    documents: list[str],
    given_rules: dict[str, int],
    pattern: str,
    base: str,
    ties: str,
    min_freq: int,
    max_merges: int,
) -> None:
    if not any(documents):
        return
    judged = oracle.train(
        documents,
        PRESETS[pattern].expression if pattern in PRESETS else pattern,
        max_merges=max_merges,
        min_freq=min_freq,
        ties=ties,
        base=base,
        **given_rules,  # type: ignore[arg-type]
    )
    session = TrainingSession.of_texts(
        documents,
        Settings(
            vocab_size=262 + len(judged.char_ids) + max_merges,
            pattern=pattern,
            min_freq=min_freq,
            base=base,  # type: ignore[arg-type]
            ties=ties,  # type: ignore[arg-type]
            **given_rules,  # type: ignore[arg-type]
        ),
    )
    list(session.run())
    tokenizer = session.tokenizer()
    assert_same(tokenizer, judged)
    assert all(count >= given_rules.get("min_documents", 1) for count in judged.documents)
    if len(judged.merges) < max_merges:
        assert session.stop_reason == judged.ended
    for token in of(tokenizer):
        assert len(token) <= given_rules.get("max_token_bytes", 1 << 20)
        if given_rules.get("whole_characters"):
            kind = classify(token)
            assert kind == "valid" or (kind == "ends" and oracle.is_whole_or_begun(token))


@given(
    documents=documents_,
    given_rules=rules,
    split=st.integers(0, 12),
    base=st.sampled_from(["bytes", "chars"]),
)
def test_continuing_on_the_same_corpus_is_one_training(
    documents: list[str], given_rules: dict[str, int], split: int, base: str
) -> None:
    if not any(documents):
        return
    chars = len({c for d in documents for c in d if c > "\x7f"}) if base == "chars" else 0
    whole = trained(documents, vocab_size=282 + chars, base=base, **given_rules)
    first = trained(documents, vocab_size=262 + chars + split, base=base, **given_rules)
    session = TrainingSession.of_texts(documents, settings_for(first, vocab_size=282 + chars))
    list(session.run())
    second = session.tokenizer()
    assert second.merges == whole.merges
    assert second.training is not None and whole.training is not None
    assert second.training.counts.tolist() == whole.training.counts.tolist()
    assert {k: v for k, v in second.training.settings.items() if k != "continued_from"} == (
        whole.training.settings
    )


@given(
    documents=documents_,
    given_rules=rules,
    share=st.sampled_from([0.3, 0.6]),
)
def test_documents_that_are_held_out_have_no_say(
    documents: list[str], given_rules: dict[str, int], share: float
) -> None:
    kept = [text for text in documents if not oracle.is_held_out(text, share)]
    if not any(kept):
        return
    held = trained(documents, vocab_size=290, hold_out=share, **given_rules)
    assert held.merges == trained(kept, vocab_size=290, **given_rules).merges


@given(
    documents=documents_,
    floor=st.integers(2, 5),
    size=st.integers(1, 30),
    threads=st.integers(1, 4),
    run_bytes=st.integers(1, 60),
    share=st.sampled_from([0.0, 0.0, 0.4]),
)
def test_documents_depend_neither_on_blocks_nor_on_threads(
    documents: list[str], floor: int, size: int, threads: int, run_bytes: int, share: float
) -> None:
    *_, last = count_words(
        blocks_of(documents, size),
        PRESETS["classic"],
        document_floor=floor,
        hold_out=share,
        threads=threads,
        run_bytes=run_bytes,
    )
    kept = [text for text in documents if not oracle.is_held_out(text, share)]
    judged = oracle.train(kept, PRESETS["classic"].expression, max_merges=40, min_documents=floor)
    assert last.words is not None
    assert last.held is None or last.held.rare_in is None
    table = MergeTable.build(byte_ids=judged.byte_ids)
    trainer = Trainer(
        last.words,
        table,
        first_id=262,
        total=40,
        min_freq=2,
        ties="first-seen",
        rules=MergeRules(min_documents=floor),
    )
    list(trainer.prepare())
    list(trainer.run())
    merges, counts, applied = trainer.record()
    assert [tuple(row) for row in merges.tolist()] == judged.merges
    assert (counts.tolist(), applied.tolist()) == (judged.counts, judged.applied)


@pytest.mark.parametrize("ties", ["first-seen", "smallest-ids"])
@pytest.mark.parametrize("threads", [1, 3])
def test_long_trainings_that_grow(ties: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_counts, "available_threads", lambda: threads)
    monkeypatch.setattr(counting, "available_threads", lambda: threads)
    monkeypatch.setattr(counting, "RUN_BYTES", 50)
    monkeypatch.setattr(merge_state, "FIRST_SLOTS", 4)
    rng = random.Random(7)
    words = ["".join(rng.choices("abcé日", k=rng.randint(1, 8))) for _ in range(150)]
    documents = [" ".join(rng.choices(words, k=20)) for _ in range(25)]
    given_rules = {"whole_characters": True, "max_token_bytes": 9, "min_documents": 3}
    judged = oracle.train(
        documents,
        PRESETS["classic"].expression,
        max_merges=300,
        ties=ties,
        **given_rules,  # type: ignore[arg-type]
    )
    assert judged.ended == "rules" and len(judged.merges) > 80
    assert_same(trained(documents, vocab_size=562, ties=ties, **given_rules), judged)


@pytest.mark.parametrize(
    ("documents", "given_rules", "max_merges"),
    [
        (["abc\n" * 50, *["xy"] * 3], {"min_documents": 2}, 1),
        (["aaa aaaa aaaaa " * 50, "xy " * 3], {"max_token_bytes": 2}, 2),
    ],
)
def test_a_frequent_piece_that_is_refused_hides_no_rare_pair(
    documents: list[str], given_rules: dict[str, int], max_merges: int
) -> None:
    """Rare pairs are not kept where frequent pieces will do; so only those count that can."""
    pattern = r"\S+|\s"
    judged = oracle.train(documents, pattern, max_merges=max_merges, **given_rules)  # type: ignore[arg-type]
    assert len(judged.merges) == max_merges and judged.counts[-1] == 3
    tokenizer = trained(documents, vocab_size=262 + max_merges, pattern=pattern, **given_rules)
    assert tokenizer.merges == judged.merges


def test_halves_of_a_table_to_continue_hide_no_rare_pair() -> None:
    numbers = list("日本".encode())
    table = MergeTable.build(byte_ids=range(256), merges=[(numbers[2], numbers[3], 256)])
    start = Tokenizer(table, resolve_pattern(r"\S+|\s"))
    documents = ["日本 日本日本 日本日本日本 " * 50, "xy " * 3]
    longer = trained(
        documents,
        vocab_size=259,
        start=start,
        whole_characters=True,
        pattern=start.pattern.expression,
        specials=(),
    )
    assert of(longer)[1:] == ["日".encode()[:2], b"xy"]


def test_a_custom_pattern_on_held_out_documents() -> None:
    documents = [f"low lower {n % 3} x{n}" for n in range(30)]
    pattern = r"\w+|\W"
    for share in (0.0, 0.5):
        kept = [text for text in documents if not oracle.is_held_out(text, share)]
        judged = oracle.train(kept, pattern, max_merges=30, min_documents=4)
        tokenizer = trained(
            documents, vocab_size=292, pattern=pattern, min_documents=4, hold_out=share
        )
        assert tokenizer.merges == judged.merges


def test_a_table_that_kept_no_rule_is_continued_by_rules() -> None:
    """What it has of half characters is merged on only to whole ones."""
    start = trained(["日本日本日本 é é"] * 3, vocab_size=275)
    start = Tokenizer(start.table, start.pattern, special_ids=start.special_ids)
    documents = ["日本日本 日本語 é éé"] * 4
    longer = trained(
        documents, vocab_size=300, start=start, whole_characters=True, max_token_bytes=6
    )
    made = of(longer)[len(start.merges) :]
    assert made
    assert all(oracle.is_whole_or_begun(token) and len(token) <= 6 for token in made)


def test_rules_of_a_table_are_followed_and_not_contradicted() -> None:
    documents = ["low low lower lowest"] * 3
    start = trained(documents, vocab_size=264, max_token_bytes=3, min_documents=2)
    followed = settings_for(start, vocab_size=270)
    assert (followed.max_token_bytes, followed.min_documents) == (3, 2)
    with pytest.raises(ValueError, match="min_documents 3 contradicts the table to continue, wh"):
        settings_for(start, min_documents=3)
    plain = trained(documents, vocab_size=264)
    with pytest.raises(ValueError, match=r"max_token_bytes 4 contradicts .* which has None"):
        settings_for(plain, max_token_bytes=4)
    with pytest.raises(ValueError, match=r"whole_characters True contradicts .* which has False"):
        settings_for(plain, whole_characters=True)


@pytest.mark.parametrize(
    ("text", "settings", "reason"),
    [
        ("ab ab ab", {"min_documents": 2}, "rules"),
        ("ab ab ab", {"max_token_bytes": 2}, "rules"),
        ("ab cd ef", {"min_documents": 2}, "min_freq"),
        ("éé éé", {"whole_characters": True, "vocab_size": 263}, "vocab_size"),
        ("ab ab", {"max_token_bytes": 2, "pattern": r"\w+|\s"}, "no_pairs"),
    ],
)
def test_says_why_it_ends(text: str, settings: dict[str, object], reason: str) -> None:
    session = TrainingSession.of_texts([text], Settings(**{"vocab_size": 300, **settings}))  # type: ignore[arg-type]
    list(session.run())
    assert session.stop_reason == reason


def test_a_refused_pair_costs_its_places_once_in_short_slices() -> None:
    """Every word is of one document, so that all pairs are looked through in vain."""
    rng = random.Random(1)
    text = " ".join("".join(rng.choices("abcdefgh", k=9)) for _ in range(3000))
    session = TrainingSession.of_texts([text, "x"], Settings(vocab_size=500, min_documents=2))
    for event in session.run():
        if getattr(event, "words", None) is not None:
            break
    state = session._trainer._state  # type: ignore[union-attr]
    assert state is not None
    slices = 0
    while not (told := state.learn(0, 100, 500))[1]:
        assert told[0] == 0
        slices += 1
    assert slices > 20
    assert int(state._limits.asked[0]) == int(state.pairs.used[0])


@given(left=st.binary(min_size=1, max_size=5), right=st.binary(min_size=1, max_size=5))
def test_the_shape_of_two_tokens_is_that_of_their_bytes(left: bytes, right: bytes) -> None:
    from bpe_studio.kernels import allowed

    assert _keeps(allowed, left, right) == oracle.is_whole_or_begun(left + right)


edges = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
         0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF]  # fmt: skip


@given(
    data=st.lists(st.sampled_from(edges), min_size=2, max_size=6).map(bytes), cut=st.integers(1, 5)
)
def test_shapes_at_the_edges_of_utf8(data: bytes, cut: int) -> None:
    from bpe_studio.kernels import allowed

    cut = min(cut, len(data) - 1)
    assert _keeps(allowed, data[:cut], data[cut:]) == oracle.is_whole_or_begun(data)


def _keeps(kernel: object, left: bytes, right: bytes) -> bool:
    parts = [left[:1], left[1:], right[:1], right[1:]]
    parts = [part for part in parts if part]
    data = np.frombuffer(b"".join(parts), dtype=np.uint8)
    ends = np.cumsum([0, *map(len, parts)])
    sizes = np.zeros(20, dtype=np.int64)
    shapes = np.zeros(20 * kernel.STATES, dtype=np.uint8)  # type: ignore[attr-defined]
    kernel.describe(data, ends, sizes, shapes)  # type: ignore[attr-defined]
    limits = limits_for(
        MergeRules(whole_characters=True),
        _no_words(),
        MergeTable.build(byte_ids=range(256)),
        np.zeros(1, dtype=np.int64),
        300,
    )._replace(sizes=sizes, shapes=shapes)
    numbers = list(range(1, len(parts) + 1))
    half = 1 if len(left) == 1 else 2
    sides = []
    for side in (numbers[:half], numbers[half:]):
        token = side[0]
        for other in side[1:]:
            kernel.note_token(limits, token, other, 10 + other)  # type: ignore[attr-defined]
            token = 10 + other
        sides.append(token)
    assert [int(sizes[token]) for token in sides] == [len(left), len(right)]
    return bool(kernel._keeps_characters(shapes, *sides))  # type: ignore[attr-defined]


def _no_words():  # type: ignore[no-untyped-def]
    *_, last = count_words(iter([Block(0, 0, b"a", True, 1)]), PRESETS["classic"])
    return last.words
