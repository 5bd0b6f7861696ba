"""How numbers are cut under two tables, and how much of a corpus is cut otherwise, as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bpe_studio.analysis.compare_text import DIFFERENCES, Difference
from bpe_studio.analysis.corpus_comparison import CorpusComparison, NumberCut
from bpe_studio.gui.models.array_table import Column
from bpe_studio.gui.models.corpus_figures import NONE, decimal, ratio
from bpe_studio.gui.models.corpus_question import ComparedCorpus
from bpe_studio.gui.models.listing import Listing, number_column, problem_listing, text_column
from bpe_studio.gui.models.numbers import grouped

DIGITS: Final = "20261231"
"""A number of eight digits; the first n of them show how n digits are cut."""
_CLASSES: Final[dict[Difference, str]] = {
    "same": "Cut alike",
    "a-splits": "A splits what B keeps",
    "b-splits": "B splits what A keeps",
    "different-cuts": "Each cuts where the other does not",
}


def example(digits: Sequence[int]) -> str:
    """A number that is cut so.

    >>> example((3, 1)), example((4,))
    ('202·6', '2026')
    """
    parts, start = [], 0
    for count in digits:
        parts.append(DIGITS[start : start + count])
        start += count
    return "·".join(parts)


def number_listing(found: CorpusComparison) -> Listing:
    """For each length the most frequent cut under A and under B, with its share."""
    sides = [_by_length(table.number_cuts) for table in found.tables[:2]]
    lengths = sorted(set(sides[0]) | set(sides[1]))

    def cut(side: dict[int, tuple[NumberCut, int]], length: int) -> str:
        return example(side[length][0].digits) if length in side else NONE

    def share(side: dict[int, tuple[NumberCut, int]], length: int) -> str:
        if length not in side:
            return NONE
        best, total = side[length]
        return f"{decimal(100 * ratio(best.count, total), 0)} %"

    def shares(title: str, side: dict[int, tuple[NumberCut, int]]) -> Column:
        words = [share(side, length) for length in lengths]
        values = [side[n][0].count / side[n][1] if n in side else 0.0 for n in lengths]
        return Column(
            title,
            words.__getitem__,
            lambda: values,
            right=True,
            sample="100 %",
            hint="How many of the numbers of so many digits are cut so.",
        )

    columns = [number_column("Digits", lengths)]
    for name, side in zip("AB", sides, strict=True):
        columns += [
            text_column(
                f"Mostly under {name}",
                [cut(side, length) for length in lengths],
                share=1,
                right=True,
            ),
            shares(f"Share {name}", side),
        ]
    totals = [max(side[n][1] if n in side else 0 for side in sides) for n in lengths]
    columns.insert(1, number_column("Numbers", totals, spare=1))
    return Listing(
        "How numbers are cut, on an example of each length",
        "The corpus holds no number of up to 8 digits.",
        tuple(columns),
        len(lengths),
    )


def span_listing(found: CorpusComparison) -> Listing:
    """The text between places where both cut, by how they cut inside."""
    kinds = [kind for kind in DIFFERENCES if kind in found.spans]
    counts = [found.spans[kind] for kind in kinds]
    total = sum(counts)
    return Listing(
        "Stretches of text between places where both cut",
        "Where the two cut the same text was not compared.",
        (
            text_column("How they are cut", [_CLASSES[kind] for kind in kinds], share=1),
            number_column("Stretches", counts),
            Column(
                "Share",
                lambda row: f"{decimal(100 * ratio(counts[row], total), 1)} %",
                lambda: counts,
                right=True,
                sample="100.0 %",
            ),
        ),
        len(kinds),
    )


def reading_listing(compared: ComparedCorpus) -> Listing:
    """What reading the corpus has met."""
    return problem_listing(compared.problems, "Every file was read to its end.")


def reading_words(compared: ComparedCorpus) -> str:
    """How much was read."""
    found = compared.comparison
    long = found.long_numbers
    parts = (
        f"{_counted(found.document_count, 'document')} in {_counted(len(found.files), 'file')}",
        f"{grouped(found.bytes)} bytes",
        f"{grouped(found.characters)} characters",
        f"{_counted(found.words, 'word')}",
        f"{_counted(found.numbers, 'number')}",
        *([f"{grouped(long)} of more than 12 digits left out"] if long else []),
    )
    return "  ·  ".join(parts)


def _counted(count: int, one: str) -> str:
    return f"{grouped(count)} {one}{'' if count == 1 else 's'}"


def _by_length(cuts: Sequence[NumberCut]) -> dict[int, tuple[NumberCut, int]]:
    """For each number of digits up to 8 the most frequent cut, and how many numbers there are."""
    found: dict[int, tuple[NumberCut, int]] = {}
    for cut in cuts:
        length = sum(cut.digits)
        if not 0 < length <= len(DIGITS):
            continue
        best, total = found.get(length, (cut, 0))
        better = cut if cut.count > best.count else best
        found[length] = (better, total + cut.count)
    return found
