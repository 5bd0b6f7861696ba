from __future__ import annotations

from bpe_studio.bpe.reference import merge, trace


def test_merge_left_to_right_without_overlap() -> None:
    assert merge((1, 1, 1, 2), 1, 1, 9) == ((9, 1, 2), (0,))
    assert merge((1, 1, 1, 1), 1, 1, 9) == ((9, 9), (0, 2))
    assert merge((), 1, 1, 9) == ((), ())


def test_every_step_is_told() -> None:
    merges = {(1, 2): (0, 12), (12, 3): (2, 123), (2, 3): (1, 23)}
    first, second = trace([1, 2, 3], merges)
    assert (first.rank, first.positions, first.before, first.after) == (0, (0,), (1, 2, 3), (12, 3))
    assert first.lost == ((1, 2, 3),)
    assert (second.rank, second.id, second.after, second.lost) == (2, 123, (123,), ())


def test_a_step_ends_where_a_pair_of_lower_rank_comes_to_be() -> None:
    merges = {(12, 1): (0, 121), (1, 2): (1, 12)}
    steps = list(trace([1, 2, 1, 2, 1, 2, 3, 1, 2], merges))
    assert [(step.rank, step.positions) for step in steps] == [
        (1, (0,)),
        (0, (0,)),
        (1, (2, 5)),
    ]
    assert steps[-1].after == (121, 2, 12, 3, 12)
    assert [step.lost for step in steps] == [(), ((1, 1, 2),), ()]


def test_a_pair_of_lower_rank_on_the_left() -> None:
    merges = {(3, 12): (0, 312), (1, 2): (1, 12)}
    steps = list(trace([1, 2, 3, 1, 2, 1, 2], merges))
    assert [(step.rank, step.positions) for step in steps] == [(1, (0, 3)), (0, (1,)), (1, (2,))]
    assert steps[-1].after == (12, 312, 12)
