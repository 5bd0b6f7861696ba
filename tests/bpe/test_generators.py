"""Generators that run inside others."""

from __future__ import annotations

from collections.abc import Generator

from bpe_studio.bpe.generators import result_of, retold


def steps(ended: list[bool]) -> Generator[int, None, str]:
    try:
        yield 1
        yield 2
        return "done"
    finally:
        ended.append(True)


def test_steps_are_told_in_another_way() -> None:
    ended: list[bool] = []
    telling = retold(steps(ended), str)
    assert [next(telling), next(telling)] == ["1", "2"]
    assert result_of(telling) == "done"
    assert ended == [True]


def test_what_runs_inside_ends_with_what_it_runs_in() -> None:
    ended: list[bool] = []
    inside = steps(ended)  # held here, so that nothing else ends it
    telling = retold(inside, str)
    next(telling)
    telling.close()
    assert ended == [True]
