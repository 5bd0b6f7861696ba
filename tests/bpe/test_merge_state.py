"""The arrays of learning: their growth, huge weights, and the bound on counts, by the oracle."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe import merge_state, pair_counts
from bpe_studio.bpe.merge_state import MergeState
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.trainer import Trainer
from bpe_studio.bpe.words import WordCounts
from tests import oracle

# With 257 tokens 23 bits of a place are left for the weight of its piece.
FULL = 2**23 - 1
pieces = st.dictionaries(
    st.text("ab", min_size=1, max_size=12) | st.text("abc", min_size=1, max_size=5),
    st.sampled_from([1, 2, 3, 7, FULL - 1, FULL, FULL + 1, 2**40]),
    min_size=1,
    max_size=12,
)


def words_of(weights: dict[str, int]) -> WordCounts:
    data = "".join(weights).encode()
    ends = np.cumsum([len(piece) for piece in weights], dtype=np.int64)
    return WordCounts(
        data=np.frombuffer(data, dtype=np.uint8),
        offsets=np.concatenate((np.zeros(1, dtype=np.int64), ends)),
        counts=np.array(list(weights.values()), dtype=np.int64),
        documents=1,
        characters=len(data),
        bytes=len(data),
        pieces=sum(weights.values()),
    )


def judged(weights: dict[str, int], ties: str, merges: int) -> list[tuple[int, int, int, int]]:
    """(left, right, count, applied) of every merge, the slow way."""
    symbols = [list(piece.encode()) for piece in weights]
    numbers = list(weights.values())
    found = []
    for new in range(256, 256 + merges):
        counts = oracle.pair_counts(symbols, numbers)
        best = max(counts.values(), default=0)
        if best < 2:
            break
        tied = [pair for pair, count in counts.items() if count == best]
        pair = tied[0] if ties == "first-seen" else min(tied)
        applied = 0
        for k, number in enumerate(numbers):
            symbols[k], times = oracle.replace_pair(symbols[k], pair, new)
            applied += times * number
        found.append((*pair, best, applied))
    return found


def learned(trainer: Trainer) -> list[tuple[int, int, int, int]]:
    merges, counts, applied = trainer.record()
    rows = zip(merges[:, :2].tolist(), counts.tolist(), applied.tolist(), strict=True)
    return [(left, right, count, times) for (left, right), count, times in rows]


def prepared(words: WordCounts, ties: str, merges: int) -> Trainer:
    table = MergeTable.build(byte_ids=range(256))
    trainer = Trainer(words, table, first_id=256, total=merges, min_freq=2, ties=ties)  # type: ignore[arg-type]
    list(trainer.prepare())
    return trainer


@given(
    weights=pieces,
    ties=st.sampled_from(["first-seen", "smallest-ids"]),
    merges=st.integers(1, 12),
)
def test_huge_and_small_weights_with_few_merges(
    weights: dict[str, int], ties: str, merges: int
) -> None:
    trainer = prepared(words_of(weights), ties, merges)
    list(trainer.run())
    assert learned(trainer) == judged(weights, ties, merges)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("ties", ["first-seen", "smallest-ids"])
def test_everything_grows_on_any_number_of_threads(
    ties: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    slices = WordCounts.slices
    monkeypatch.setattr(WordCounts, "slices", lambda words: slices(words, 40))
    monkeypatch.setattr(pair_counts, "available_threads", lambda: threads)
    monkeypatch.setattr(pair_counts, "_PLACES_A_SLICE", 50)
    monkeypatch.setattr(merge_state, "FIRST_SLOTS", 4)
    monkeypatch.setattr(pair_counts, "FIRST_SLOTS", 4)
    rng = np.random.default_rng(3)
    weights = {
        "".join(rng.choice(list("abcdefgh"), size=rng.integers(1, 9))): int(rng.integers(1, 50))
        for _ in range(400)
    }
    trainer = prepared(words_of(weights), ties, 300)
    state = trainer._state
    assert isinstance(state, MergeState)
    rows, room = len(state.pairs.rows), int(state.pairs.used[1])
    state.pairs = state.pairs._replace(lists=state.pairs.lists[:room].copy())
    list(trainer.run())
    assert len(state.pairs.rows) > rows
    assert len(state.pairs.lists) > room
    assert learned(trainer) == judged(weights, ties, 300)


def test_rare_pairs_are_not_kept_when_few_merges_are_wanted() -> None:
    weights = {"ab": 9, "cd": 8, "ef": 7, "gh": 6}
    few, all_ = (prepared(words_of(weights), "first-seen", n) for n in (2, 4))
    assert [int(t._state.pairs.used[0]) for t in (few, all_) if t._state] == [2, 4]
    list(few.run())
    assert learned(few) == judged(weights, "first-seen", 2)
    assert few.stop_reason == "vocab_size"


def test_no_pieces_give_no_merges() -> None:
    trainer = prepared(words_of({}), "first-seen", 5)
    list(trainer.run())
    assert learned(trainer) == []


@pytest.mark.parametrize("ties", ["first-seen", "smallest-ids"])
def test_no_share_reads_what_another_has_not_written_yet(
    ties: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shares one by one, the last first, over memory that was full of tokens before."""
    weights = {"".join(sorted({a, b})) + a + b: 2 + ord(a) % 3 for a in "abcd" for b in "abcd"}
    words = words_of(weights)
    monkeypatch.setattr(WordCounts, "slices", lambda self: iter([(k, k + 1) for k in range(16)]))
    monkeypatch.setattr(pair_counts, "_SLICES_A_SHARE", 1)
    monkeypatch.setattr(pair_counts, "available_threads", lambda: 4)
    monkeypatch.setattr(pair_counts, "Crew", _LastFirst)
    new_pieces = MergeState._new_pieces

    def full_of_tokens(self: MergeState, offsets: np.ndarray) -> object:
        pieces = new_pieces(self, offsets)
        pieces.symbols[1:] = (ord("a") + 1 << pieces.weight_bits) | 9
        return pieces

    monkeypatch.setattr(MergeState, "_new_pieces", full_of_tokens)
    trainer = prepared(words, ties, 8)
    list(trainer.run())
    assert learned(trainer) == judged(weights, ties, 8)


class _LastFirst:
    """A crew of one thread that has its tasks in reverse."""

    stopped = False

    def __init__(self, _size: int) -> None:
        self.tasks: list[Callable[[int], None]] = []

    def __enter__(self) -> _LastFirst:
        return self

    def __exit__(self, *_: object) -> None: ...

    def offer(self, task: Callable[[int], None], _seconds: float) -> bool:
        self.tasks.append(task)
        return True

    def idle(self, _seconds: float) -> bool:
        while self.tasks:
            self.tasks.pop()(0)
        return True
