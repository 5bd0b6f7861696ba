"""The letters of a span, gathered by the tokens that hold them, with what is said of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from bpe_studio.analysis.letters import Grid, Letter
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.legible import legible
from bpe_studio.gui.models.token_details import shorten

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

MOST_GROUPS = 12  # of the digits of a number


@dataclass(frozen=True, slots=True)
class LetterGroup:
    """Letters that follow one another and share tokens.

    Attributes
    ----------
    letters : tuple of int
        Their numbers in the grid.
    tokens : tuple of int
        The numbers of the tokens that hold them; several where a character is split.
    """

    letters: tuple[int, ...]
    tokens: tuple[int, ...]


def group_letters(grid: Grid) -> tuple[LetterGroup, ...]:
    """The groups of a grid, in the order of the text."""
    return tuple(_groups(grid))


def _groups(grid: Grid) -> Iterator[LetterGroup]:
    letters: list[int] = []
    first, last = -1, -1
    for number, letter in enumerate(grid.letters):
        goes_on = letter.first <= last if letter.first >= 0 else last < 0
        if letters and not goes_on:
            yield _group(letters, first, last)
            letters = []
        if not letters:
            first = letter.first
            last = letter.last
        letters.append(number)
        last = max(last, letter.last)
    if letters:
        yield _group(letters, first, last)


def _group(letters: list[int], first: int, last: int) -> LetterGroup:
    return LetterGroup(tuple(letters), tuple(range(first, last + 1)) if first >= 0 else ())


def shown_letter(letter: Letter) -> str:
    """How a character stands in its cell."""
    return readable(letter.character.encode())


def letter_words(grid: Grid, letter: Letter) -> str:
    """A character in words, for a screen reader."""
    name = shown_letter(letter)
    if letter.first < 0:
        return f"{name}, character {letter.position}, in no token"
    ids = [str(token.id) for token in grid.tokens[letter.first : letter.last + 1]]
    what = "split over tokens" if letter.split else "in token"
    return f"{name}, character {letter.position}, {what} {' '.join(ids)}"


def letter_tip(tokenizer: Tokenizer, grid: Grid, letter: Letter) -> str:
    """The tooltip of a character, as rich text; everything in it is escaped."""
    codes = " ".join(f"U+{ord(char):04X}" for char in letter.character)
    rows = [("character", f"{letter.position:,}"), ("code point", codes)]
    rows.append(("bytes", letter.character.encode().hex(" ").upper()))
    if letter.first < 0:
        rows.append(("note", "the tokenizer leaves it out"))
    for token in grid.tokens[max(letter.first, 0) : letter.last + 1]:
        name = shorten(readable(tokenizer.token_bytes(token.id)))
        rows.append(("in token", legible(f"{name} (id {token.id:,})")))
    if letter.split:
        rows.append(("note", "no single token holds all of it"))
    cells = "".join(
        f"<tr><td style='padding-right:8px'>{escape(name)}</td><td>{escape(value)}</td></tr>"
        for name, value in rows
    )
    return f"<p><b>{escape(legible(shown_letter(letter)))}</b></p><table>{cells}</table>"


def letters_lines(grid: Grid) -> list[str]:
    """What is said under the grid: repeated letters, numbers, split characters, what is left out.

    ``r 3 times, e 2 times`` and ``12345 = 123 · 45``
    """
    told = []
    if grid.repeated:
        counts = [f"{readable(name.encode())} {count:,} times" for name, count in grid.repeated]
        more = f" and {len(counts) - MOST_GROUPS:,} more" if len(counts) > MOST_GROUPS else ""
        told.append(f"Repeated, in either case: {', '.join(counts[:MOST_GROUPS])}{more}.")
    numbers = [f"{n.text} = {_grouped(n.groups)}" for n in grid.numbers if len(n.text) > 1]
    if numbers:
        more = f" and {len(numbers) - MOST_GROUPS:,} more" if len(numbers) > MOST_GROUPS else ""
        told.append(f"Numbers: {', '.join(numbers[:MOST_GROUPS])}{more}.")
    split = sum(letter.split for letter in grid.letters)
    if split:
        told.append(
            "1 character is split over tokens (hatched)."
            if split == 1
            else f"{split:,} characters are split over tokens (hatched)."
        )
    if grid.left_out:
        told.append(f"{grid.left_out:,} more characters are not shown.")
    return told


def _grouped(groups: tuple[str, ...]) -> str:
    more = " · …" if len(groups) > MOST_GROUPS else ""
    return " · ".join(groups[:MOST_GROUPS]) + more
