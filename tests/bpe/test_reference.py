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
