"""Several tables on one corpus: one pass that cuts every text with all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compare_text import DIFFERENCES
from bpe_studio.analysis.compression import Curve, merges_of_size, vocab_sizes
from bpe_studio.analysis.corpus_comparison import (
    CorpusComparison,
    CostlyPiece,
    EqualSize,
    NumberCut,
    TableFigures,
)
from bpe_studio.analysis.long_documents import cut_long
from bpe_studio.analysis.renyi import renyi_efficiency
from bpe_studio.bpe.corpus import Corpus, CorpusReport, read_blocks
from bpe_studio.bpe.cut_comparing import Sized, compare_cuts
from bpe_studio.bpe.cut_counts import CutCounts, TableCounts
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.scripts import script_table
from bpe_studio.bpe.token_counting import UseProgress, most_bytes
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.traced_text import exact_from

__all__ = ["compare_corpus", "iter_compare_corpus"]

_LONG_NUMBER: Final = 0
_FIRST_CUT: Final = 2  # of `number_cuts`; before it are long numbers, and digits that are cut


def compare_corpus(
    tables: Sequence[Tokenizer],
    corpus: Corpus,
    *,
    report: CorpusReport | None = None,
    threads: int | None = None,
) -> CorpusComparison:
    """As `iter_compare_corpus`, at once."""
    return result_of(iter_compare_corpus(tables, corpus, report=report, threads=threads))


def iter_compare_corpus(
    tables: Sequence[Tokenizer],
    corpus: Corpus,
    *,
    report: CorpusReport | None = None,
    threads: int | None = None,
) -> Generator[UseProgress, None, CorpusComparison]:
    """Cuts a corpus with two tables or more, on all cores; in slices.

    To stop, close the generator.

    Parameters
    ----------
    tables : at least two; the first two are compared in detail
    report : CorpusReport, optional
        Filled with what reading the corpus has met.

    Raises
    ------
    ValueError
        The corpus holds no text, or a tokenizer cannot encode it; one sentence.
    """
    if len(tables) < 2:
        raise ValueError("Two tables are compared, or more; there is only one.")
    sized, size = _cut_to_size(tables)
    cuts: Counter[int] = Counter()
    most = min((most for most in map(most_bytes, tables) if most is not None), default=None)
    blocks = cut_long(read_blocks(corpus, report=report), most, corpus, cuts)
    counts = yield from compare_cuts(
        blocks, tables, len(corpus.files), sized=sized, threads=threads
    )
    if not counts.file_bytes.any():
        raise ValueError("The corpus holds no text.")
    for file, number in cuts.items():
        counts.file_documents[file] -= number
    several = [*tables] if sized is None else [*tables, sized.tokenizer]
    place = None if sized is None else sized.table
    return _Comparison(several, corpus, counts).made(len(tables), place, size, _notes(cuts, most))


def _cut_to_size(tables: Sequence[Tokenizer]) -> tuple[Sized | None, int]:
    """The larger of the first two at the size of the other one, if it can be, and that size."""
    sizes = [table.vocab_size for table in tables[:2]]
    place, size = int(sizes[1] > sizes[0]), min(sizes)
    larger = tables[place]
    if sizes[0] == sizes[1] or larger.outside is not None:
        return None, size
    try:
        return Sized.of(tables, place, merges_of_size(larger, size)), size
    except ValueError:
        return None, size


def _notes(cuts: Counter[int], most: int | None) -> tuple[str, ...]:
    number = sum(cuts.values())
    if not number or most is None:
        return ()
    times = "once" if number == 1 else f"{number:,} times"
    return (
        f"Documents of over {most >> 20} MiB were cut at line ends, {times}, since one of the "
        "tokenizers sees a document only as a whole; a cut may change a token beside it.",
    )


class _Comparison:
    """What was counted, made into figures."""

    def __init__(self, tables: Sequence[Tokenizer], corpus: Corpus, counts: CutCounts) -> None:
        self._tables = tables
        self._corpus = corpus
        self._counts = counts
        # What was not read (a binary file, one that vanished) is not told of.
        self._files = np.flatnonzero(counts.file_documents)
        names, _ = script_table()
        used = np.flatnonzero(counts.script_characters)
        self._scripts = used[np.argsort(-counts.script_characters[used], kind="stable")]
        self._script_names = tuple(names[i] for i in self._scripts.tolist())

    def made(
        self, tables: int, place: int | None, size: int, notes: tuple[str, ...]
    ) -> CorpusComparison:
        """The comparison of the first `tables`; another one after them is A or B cut to a size."""
        counts, files = self._counts, self._files
        figures = [self._figures(number) for number in range(len(self._tables))]
        equal = None
        if place is not None:
            pair = figures[:2]
            pair[place] = figures[tables]
            equal = EqualSize(size, *pair)
        numbers = counts.tables[0].number_cuts
        return CorpusComparison(
            tables=tuple(figures[:tables]),
            equal=equal,
            characters=int(counts.file_characters.sum()),
            bytes=int(counts.file_bytes.sum()),
            document_count=int(counts.file_documents.sum()),
            files=tuple(self._corpus.files[number].label for number in files.tolist()),
            file_characters=counts.file_characters[files],
            file_bytes=counts.file_bytes[files],
            file_documents=counts.file_documents[files],
            scripts=self._script_names,
            script_characters=counts.script_characters[self._scripts],
            words=counts.words,
            numbers=int(numbers[_LONG_NUMBER + 1 :].sum()),
            long_numbers=int(numbers[_LONG_NUMBER]),
            spans=dict(zip(DIFFERENCES, counts.spans.tolist(), strict=True)),
            dearer_a=tuple(CostlyPiece(*stretch) for stretch in counts.dearer_a),
            dearer_b=tuple(CostlyPiece(*stretch) for stretch in counts.dearer_b),
            notes=notes,
        )

    def _figures(self, number: int) -> TableFigures:
        tokenizer, counts = self._tables[number], self._counts.tables[number]
        return TableFigures(
            vocab_size=tokenizer.vocab_size,
            ids=tokenizer.table.ids,
            final=counts.final,
            tokens=int(counts.file_tokens.sum()),
            file_tokens=counts.file_tokens[self._files],
            script_tokens=counts.script_tokens[self._scripts],
            whole_words=counts.whole_words,
            word_tokens=counts.word_tokens,
            number_cuts=_number_cuts(counts.number_cuts),
            renyi_efficiency=renyi_efficiency(counts.final, tokenizer.vocab_size),
            curve=self._curve(tokenizer, counts),
        )

    def _curve(self, tokenizer: Tokenizer, counts: TableCounts) -> Curve | None:
        if counts.at_sizes is None or not len(tokenizer.table.merges):
            return None
        return Curve(
            vocab_sizes(tokenizer),
            counts.at_sizes,
            characters=int(self._counts.file_characters.sum()),
            bytes=int(self._counts.file_bytes.sum()),
            exact_from=exact_from(tokenizer),
        )


def _number_cuts(rows: NDArray[np.int64]) -> tuple[NumberCut, ...]:
    """The bits of cuts, below a 1, as lengths: 0b10100 is (3, 1)."""
    found = np.flatnonzero(rows[_FIRST_CUT:]) + _FIRST_CUT
    order = found[np.argsort(-rows[found], kind="stable")]
    return tuple(NumberCut(_lengths(bits), int(rows[bits])) for bits in order.tolist())


def _lengths(bits: int) -> tuple[int, ...]:
    digits = bits.bit_length() - 1
    ends = [i + 1 for i in range(digits - 1) if bits >> i & 1] + [digits]
    return tuple(end - begin for begin, end in zip([0, *ends], ends, strict=False))
