"""Where the cells of a letter grid stand: in lines, a token whole on a line if it fits on one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bpe_studio.gui.models.letter_groups import LetterGroup

GROUP_GAP = 4.0


@dataclass(frozen=True, slots=True)
class Run:
    """The letters of a group on one line.

    Attributes
    ----------
    group : int
    letters : tuple of int
    xs : tuple of float
        Where each letter begins, and where the last ends.
    line : int
    """

    group: int
    letters: tuple[int, ...]
    xs: tuple[float, ...]
    line: int


def flow_letters(
    groups: Sequence[LetterGroup],
    cells: Sequence[float],
    captions: Sequence[float],
    width: float,
) -> list[Run]:
    """Place groups in lines of a width.

    Parameters
    ----------
    cells : how wide each letter is
    captions : how wide what stands under each group is; a narrow group is made as wide
    """
    runs: list[Run] = []
    x, line = 0.0, 0
    for number, group in enumerate(groups):
        sizes = [cells[letter] for letter in group.letters]
        spare = min(captions[number], width) - sum(sizes)
        if spare > 0:
            sizes = [size + spare / len(sizes) for size in sizes]
        if x > 0 and x + sum(sizes) > width:
            x, line = 0.0, line + 1
        xs, letters = [x], []
        for letter, size in zip(group.letters, sizes, strict=True):
            if letters and xs[-1] + size > width:
                runs.append(Run(number, tuple(letters), tuple(xs), line))
                line, xs, letters = line + 1, [0.0], []
            letters.append(letter)
            xs.append(xs[-1] + size)
        runs.append(Run(number, tuple(letters), tuple(xs), line))
        x = xs[-1] + GROUP_GAP
    return runs
