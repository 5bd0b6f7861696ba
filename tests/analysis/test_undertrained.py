"""Under-trained tokens against plain NumPy on whole matrices, and what is said about them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bpe_studio.analysis import matrices as chunking
from bpe_studio.analysis.flags import Flag
from bpe_studio.analysis.undertrained import (
    EmbeddingProgress,
    UnderTrained,
    iter_undertrained,
    undertrained_flags,
)
from bpe_studio.bpe.generators import result_of
from tests.analysis.made_matrices import Held, Model, made_rows, made_tokenizer

TOKENS, ROWS, COLUMNS = 600, 640, 24
BEYOND = list(range(TOKENS + 2, ROWS))
NEVER = [0xC0, 0xC1, *range(0xF5, 0x100)]
REFERENCE = sorted([*NEVER, TOKENS + 1, *BEYOND])
PLANTED = [300, 411, 599, 70]
TOKENIZER = made_tokenizer(TOKENS)


def untrained(seed: int = 0) -> NDArray[np.float64]:
    return made_rows(ROWS, COLUMNS, [*REFERENCE, *PLANTED], seed)


def found_in(model: Model, **options: Any) -> UnderTrained:
    return result_of(iter_undertrained(TOKENIZER, model, **options))


def cosine_distance(rows: NDArray[Any], goal: NDArray[Any]) -> NDArray[Any]:
    return np.array([1 - row @ goal / np.linalg.norm(row) / np.linalg.norm(goal) for row in rows])


def plain(source: NDArray[Any], target: NDArray[Any], known: list[int]) -> dict[str, NDArray[Any]]:
    """The indicators as the paper writes them, on whole matrices."""
    goal, mean = target[known].mean(axis=0), target.mean(axis=0)
    main = np.linalg.svd(target - mean, full_matrices=False)[2][0]
    projected = target - np.outer(target @ main, main)
    return {
        "input-norm": np.linalg.norm(source, axis=1),
        "output-cosine": cosine_distance(target, goal),
        "output-cosine-centred": cosine_distance(target - mean, goal - mean),
        "output-cosine-without-pc": cosine_distance(projected, projected[known].mean(axis=0)),
        "output-distance": np.linalg.norm(target - goal, axis=1),
    }


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_indicators_equal_plain_numpy(tied: bool, dtype: type[np.floating[Any]]) -> None:
    source = untrained(1).astype(dtype)
    target = source if tied else untrained(2).astype(dtype)
    found = found_in(Model(Held(source), None if tied else Held(target)))
    expected = plain(source.astype("f8"), target.astype("f8"), REFERENCE)
    assert [i.name for i in found.indicators] == list(expected)
    # The principal component of rows in single precision is good to five digits.
    tolerance = 1e-9 if dtype is np.float64 else 2e-4
    for indicator in found.indicators:
        values = expected[indicator.name][: TOKENS + 2]
        assert np.allclose(indicator.values, values, rtol=tolerance, atol=tolerance), indicator.name
    assert found.tied == tied


def test_planted_rows_come_out_on_top() -> None:
    found = found_in(Model(Held(untrained(1)), Held(untrained(2))))
    assert sorted(found.candidates[: len(PLANTED)].tolist()) == sorted(PLANTED)
    assert found.votes[: len(PLANTED)].tolist() == [5] * len(PLANTED)
    for indicator in found.indicators:
        assert set(indicator.candidates[: len(PLANTED)].tolist()) == set(PLANTED)
    flags = list(undertrained_flags(found))
    assert {flag.id for flag in flags} >= set(PLANTED)
    severity = "info" if found.low_confidence else "warning"
    assert all(flag.kind == "under-trained" and flag.severity == severity for flag in flags)


def test_candidates_are_the_lowest_of_the_judged() -> None:
    found = found_in(Model(Held(untrained())), percentile=5.0)
    specials = [TOKENS, TOKENS + 1]
    judged = sorted(set(range(TOKENS + 2)) - set(specials) - set(NEVER))
    assert found.ids[found.judged].tolist() == judged
    votes: dict[int, int] = {}
    for indicator in found.indicators:
        values = indicator.values[judged]
        limit = np.percentile(values, 5.0)
        lowest = [i for i in judged if indicator.values[i] <= limit]
        assert indicator.limit == limit
        assert indicator.candidates.tolist() == sorted(lowest, key=lambda i: indicator.values[i])
        for i in lowest:
            votes[i] = votes.get(i, 0) + 1
            at_most = np.count_nonzero(values <= indicator.values[i])
            assert indicator.shares[i] == at_most / len(judged)
        assert np.isnan(indicator.shares[specials + NEVER]).all()
    assert dict(zip(found.candidates.tolist(), found.votes.tolist(), strict=True)) == votes
    assert sorted(found.votes.tolist(), reverse=True) == found.votes.tolist()
    assert found.agreeing().tolist() == [i for i in found.candidates.tolist() if votes[i] >= 3]


@pytest.mark.parametrize("numbers", [1, 100, 24 * 7])
def test_chunks_change_nothing(numbers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = found_in(Model(Held(untrained(1)), Held(untrained(2))))
    monkeypatch.setattr(chunking, "_NUMBERS_AT_ONCE", numbers)
    source, target = Held(untrained(1)), Held(untrained(2))
    cut = found_in(Model(source, target))
    assert source.most <= max(1, numbers // COLUMNS) >= target.most
    for a, b in zip(whole.indicators, cut.indicators, strict=True):
        assert np.allclose(a.values, b.values, rtol=1e-9)
    assert whole.candidates.tolist() == cut.candidates.tolist()


def test_reference_rows_are_told_by_sort() -> None:
    found = found_in(Model(Held(untrained())))
    assert {sort.title: list(sort.rows) for sort in found.reference} == {
        "rows beyond the vocabulary": BEYOND,
        "reserved or unused tokens": [TOKENS + 1],
        "bytes that no UTF-8 text has": NEVER,
    }
    assert found.reference_rows == len(REFERENCE)
    assert found.alignment > 0.95


def test_reference_rows_can_be_chosen() -> None:
    target = untrained(2)
    found = found_in(Model(Held(target)), reference=[70, 300, 70])
    assert [(sort.title, sort.rows) for sort in found.reference] == [
        ("rows that were chosen", (70, 300))
    ]
    values = plain(target, target, [70, 300])["output-cosine"]
    assert np.allclose(found.indicator("output-cosine").values, values[: TOKENS + 2])
    assert not {70, 300} & set(found.candidates.tolist())
    with pytest.raises(ValueError, match="The reference row 640 is not there: the output matrix"):
        found_in(Model(Held(target)), reference=[640])


def test_without_reference_rows_there_is_the_norm_alone() -> None:
    found = found_in(Model(Held(untrained())), reference=[])
    assert [indicator.name for indicator in found.indicators] == ["input-norm"]
    assert found.low_confidence and found.agreement == ()
    assert found.confidence.startswith("Low confidence: no reference rows are known")
    flags = list(undertrained_flags(found))
    assert {flag.severity for flag in flags} == {"info"}
    assert {flag.id for flag in flags} >= set(PLANTED)
    assert flags[0].evidence.endswith(" %; no other indicator is known.")


def test_two_equal_matrices_are_tied() -> None:
    assert found_in(Model(Held(untrained()), Held(untrained(), name="lm_head"))).tied
    changed = untrained()
    changed[-1] += 1
    assert not found_in(Model(Held(untrained()), Held(changed))).tied


def test_evidence_says_the_value_the_share_and_who_disagrees() -> None:
    source, target = untrained(1), untrained(2)
    source[411] *= 100  # only its input row was trained
    flags = {f.id: f for f in undertrained_flags(found_in(Model(Held(source), Held(target))))}
    assert isinstance(flags[411], Flag)
    assert flags[411].evidence.endswith("; 4 of 5 indicators agree (not input norm).")
    assert flags[300].evidence.endswith("; 5 of 5 indicators agree.")
    assert " is in the lowest 0." in flags[300].evidence


def spearman_by_hand(a: NDArray[Any], b: NDArray[Any]) -> float:
    def places(values: NDArray[Any]) -> NDArray[Any]:
        return np.array([np.mean(np.flatnonzero(np.sort(values) == v)) for v in values])

    return float(np.corrcoef(places(a), places(b))[0, 1])


def test_agreement_is_of_each_two_and_low_below_a_limit() -> None:
    found = found_in(Model(Held(untrained(1)), Held(untrained(2))))
    names = [i.name for i in found.indicators]
    pairs = [(pair.first, pair.second) for pair in found.agreement]
    assert pairs == [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
    for pair in found.agreement:
        a, b = (found.indicator(n).values[found.judged] for n in (pair.first, pair.second))
        assert pair.correlation == pytest.approx(spearman_by_hand(a, b))
        assert pair.low == (pair.correlation < 0.7)
    # Input and output are independent here but for the planted rows.
    assert found.low_confidence
    assert found.confidence.startswith("Low confidence: the ranks by input norm and ")


def test_indicators_that_agree_are_said_to() -> None:
    """Rows that go from one vector into another direction, more and more: all see one order."""
    random = np.random.default_rng(3)
    away = np.linspace(0.1, 5, ROWS)[:, None]
    first, second = np.eye(COLUMNS)[:2]
    made = 3 * first + away * (second + 0.4 * random.normal(size=(ROWS, COLUMNS)))
    made[REFERENCE] = 3 * first
    found = found_in(Model(Held(made)))
    assert not found.low_confidence
    least = min(pair.correlation for pair in found.agreement)
    assert found.confidence == (
        f"The indicators agree: the ranks of each two correlate by {least:.2f} or more."
    )


def test_reference_rows_of_all_directions_are_told() -> None:
    made = np.random.default_rng(4).normal(size=(ROWS, COLUMNS))
    found = found_in(Model(Held(made)))
    assert found.alignment < 0.5 and found.low_confidence
    assert found.confidence.startswith("Low confidence: the reference rows point in different")


def test_reference_rows_of_zeros_leave_the_distance() -> None:
    made = made_rows(ROWS, COLUMNS, PLANTED)
    made[REFERENCE] = 0
    found = found_in(Model(Held(made)))
    names = [i.name for i in found.indicators]
    assert "output-cosine" not in names and "output-cosine-without-pc" not in names
    assert np.allclose(
        found.indicator("output-distance").values, np.linalg.norm(made, axis=1)[:602]
    )


def test_a_matrix_of_one_value_points_to_nothing() -> None:
    found = found_in(Model(Held(np.ones((ROWS, COLUMNS)))))
    assert found.candidates.tolist() == [] and not list(undertrained_flags(found))
    assert "is the same for all tokens" in found.confidence
    found_in(Model(Held(np.zeros((ROWS, COLUMNS)))))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e200])
def test_damaged_rows_are_named(value: float) -> None:
    made = untrained()
    made[431, 3] = value
    with pytest.raises(ValueError, match="embed: row 431 holds NaN or values too large"):
        found_in(Model(Held(made)))


def test_large_values_in_single_precision_do_not_overflow() -> None:
    made = (untrained() * 1e30).astype(np.float32)
    found = found_in(Model(Held(made)))
    small = found_in(Model(Held(untrained().astype(np.float32))))
    assert found.candidates.tolist() == small.candidates.tolist()


def test_one_column_is_enough() -> None:
    found_in(Model(Held(untrained()[:, :1].copy())))


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="has 601 rows, and the table needs 602"):
        found_in(Model(Held(untrained()[:601])))
    with pytest.raises(ValueError, match="percentile must be above 0 and at most 50, not 0"):
        found_in(Model(Held(untrained())), percentile=0)


def test_sparse_ids_are_places_of_rows() -> None:
    """Holes among the ids are reference rows; ids are rows, whatever the order of tokens."""
    tokenizer = made_tokenizer(TOKENS)
    sparse = made_tokenizer(400)
    moved = type(tokenizer)(
        table=sparse.table, pattern=sparse.pattern, special_ids={"<eos>": TOKENS}
    )
    made = untrained()
    found = result_of(iter_undertrained(moved, Model(Held(made))))
    holes = next(sort for sort in found.reference if sort.title == "ids that no token has")
    assert holes.rows == tuple(range(400, TOKENS))
    assert found.ids.tolist() == [*range(400), TOKENS]
    place = found.index(TOKENS)
    assert place == 400 and found.index(450) is None
    assert found.indicator("input-norm").values[400] == pytest.approx(np.linalg.norm(made[TOKENS]))


def test_it_can_be_stopped_at_every_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunking, "_NUMBERS_AT_ONCE", 100 * COLUMNS)
    steps = iter_undertrained(TOKENIZER, Model(Held(untrained(1)), Held(untrained(2))))
    seen: list[EmbeddingProgress] = []
    for step in steps:
        assert 0 < step.done <= step.total
        assert step.total == (10 if step.phase == "Comparing the indicators" else ROWS)
        seen.append(step)
    assert [step.done for step in seen[:7]] == [100, 200, 300, 400, 500, 600, 640]
    assert len({step.phase for step in seen}) == 5
    stopped = iter_undertrained(TOKENIZER, Model(Held(untrained())))
    next(stopped)
    stopped.close()
